/** The day on which somebody was paid by hand, as an instant of it. */
import { invalidField } from '../../../errors.ts';
import type { PageContext } from '../../../pages/define-page.ts';
import type { FormValues } from '../../../pages/form-values.ts';
import { dayTo, instantIn } from '../../../pages/instants.ts';

/**
 * What the field `paidAt` says: the last second of a day that is over, for a payout that was drafted on it was not paid before.
 * Undefined, which is now, for today and where nothing was typed. VALIDATION_ERROR when it is no day.
 */
export function paidAtOf({ tenant, now }: Pick<PageContext, 'tenant' | 'now'>, form: FormValues): string | undefined {
  const day = form.text('paidAt');
  if (day === undefined) return undefined;
  const [begin, end] = [instantIn(tenant.timeZone, day), dayTo(tenant.timeZone, day)];
  if (begin === undefined || end === undefined) throw invalidField('paidAt', 'must be a date');
  const isToday = Date.parse(begin) <= now.getTime() && now.getTime() < Date.parse(end);
  return isToday ? undefined : new Date(Date.parse(end) - 1_000).toISOString();
}
