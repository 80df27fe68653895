/** Days and local times that people choose, as instants: in the tenant's time zone. */
import { invalidField } from '../errors.ts';

/** The instant at which a local time is shown there: `2026-11-22` is the beginning of that day. */
export function instantIn(timeZone: string, local: string): string | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?$/.exec(local);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  const wanted = Date.UTC(year, month - 1, day, hour, minute);
  if (Number.isNaN(wanted) || new Date(wanted).getUTCDate() !== day) return undefined;
  // Twice: the offset at the first guess may be that of the other side of a change of the clock.
  const first = wanted - offsetAt(timeZone, wanted);
  return new Date(wanted - offsetAt(timeZone, first)).toISOString();
}

/** The same of a field of a form; undefined where nothing was typed. VALIDATION_ERROR of the field when it is no time. */
export function instantOf(timeZone: string, field: string, typed: string | undefined): string | undefined {
  if (typed === undefined) return undefined;
  const instant = instantIn(timeZone, typed);
  if (instant === undefined) throw invalidField(field, 'must be a date');
  return instant;
}

/** Of filters: the day as it stands in the address, from its beginning. What is no day filters nothing. */
export function dayFrom(timeZone: string, day: string | undefined): string | undefined {
  return day === undefined ? undefined : instantIn(timeZone, day);
}

/** The same to its end, which is the beginning of the next. */
export function dayTo(timeZone: string, day: string | undefined): string | undefined {
  if (day === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const next = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(next.getTime())) return undefined;
  next.setUTCDate(next.getUTCDate() + 1);
  return instantIn(timeZone, next.toISOString().slice(0, 10));
}

function offsetAt(timeZone: string, instant: number): number {
  const fields = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const;
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, hourCycle: 'h23', ...fields }).formatToParts(instant);
  const at = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const shown = Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'));
  return shown - Math.floor(instant / 1000) * 1000;
}
