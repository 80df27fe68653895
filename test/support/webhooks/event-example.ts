/** Objects as examples: without what is another in every run. */
import type { EventBody } from '../../../src/features/webhooks/open/event-body.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/g;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const HOUR_MS = 3_600_000;
/** Where the story of an example begins. */
const BEGINNING = Date.parse('2026-01-31T12:00:00Z');
const MOST_ITEMS = 2;

/** By the name of its field, what is drawn at random or goes by the hour of the day. */
const FIXED: Readonly<Record<string, string>> = {
  clearsAt: '2026-03-03T00:00:00.000Z',
  clears_at: '2026-03-03T00:00:00.000Z',
  lastFour: 'k7Qx',
  referral_code: 'ADA2026',
  url: 'https://shop.example/hooks',
};

/** The ids around an example's object have the numbers 1 to 3: of the event, of the object, and of whoever did it. */
const FIRST_FREE = 4;

const uuidOf = (number: number): string => `0197f2a0-0000-7000-8000-${String(number).padStart(12, '0')}`;

/**
 * The object of an event: ids by where they first stand in it, instants by the whole hours since `began`, and no list
 * longer than two. The same story makes the same example.
 */
export function exampleFrom({ objectId, actor, data }: Pick<EventBody, 'objectId' | 'actor' | 'data'>, began: Date): unknown {
  const ids = new Map([[objectId, uuidOf(2)]]);
  if (actor.id !== null) ids.set(actor.id, uuidOf(3));
  let free = FIRST_FREE;
  const idFor = (id: string): string => {
    const known = ids.get(id) ?? uuidOf(free++);
    ids.set(id, known);
    return id.includes('-') ? known : known.replaceAll('-', '');
  };
  const textOf = (text: string): string => {
    if (!INSTANT.test(text)) return text.replaceAll(UUID, idFor);
    const hours = Math.round((Date.parse(text) - began.getTime()) / HOUR_MS);
    return new Date(BEGINNING + hours * HOUR_MS).toISOString();
  };
  const walk = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return FIXED[name] ?? textOf(value);
    if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => walk(item, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner, key)]));
  };
  return walk(data);
}
