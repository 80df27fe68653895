/** Who is on hold, as SQL for whatever pays. Source: docs/specification/payouts.md#hold. */
import { ofTenant } from '../../../db/tenant-condition.ts';

/** The condition that `h`, a row of payout_hold, is that of a member and counts at an instant; both are SQL expressions. */
export function countsAt(memberId: string, now: string): string {
  return `${ofTenant('h')} and h.member_id = ${memberId} and (h.until is null or h.until > ${now})`;
}
