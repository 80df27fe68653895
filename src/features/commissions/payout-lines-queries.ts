/** The lines that payouts consume: locked, and moved from one status to the next with their payout. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { SCOPE_NOW } from '../../db/scope-clock.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import type { LineStatus } from './open/commission-line.ts';

/** As an array: each line is then looked up by its key, whatever the planner believes of a young table. */
const linesOf = `any (array(
     select p.line_id from payout_line p
     where ${ofTenant('p')} and p.payout_id = any (:payoutIds::uuid[]) and p.live))`;

const lock = statement<{ count: number }, { payoutIds: string[] }>('commissions_lock_payout_lines', ({ payoutIds }) =>
  raw(
    `select count(*)::int as count from (
     select l.id from commission_line l
     where ${ofTenant('l')} and l.id = ${linesOf}
     order by l.id for update) locked`,
    { payoutIds },
  ),
);

/** The lines of live payouts, in the order of their ids, locked to the end of the transaction. */
export async function lockPayoutLines(db: Db, scope: Scope, payoutIds: readonly string[]): Promise<void> {
  await db.rows(lock(scope, { payoutIds: [...payoutIds] }));
}

const move = statement<{ astray: number }, { payoutIds: string[]; from: LineStatus; to: LineStatus }>(
  'commissions_move_payout_lines',
  ({ payoutIds, from, to }) =>
    raw(
      `with moved as (
     update commission_line l
     set status = :to, status_changed_at = ${SCOPE_NOW}
     where ${ofTenant('l')} and l.status = :from and l.id = ${linesOf}
     returning 1)
   select ((select count(*) from payout_line p
            where ${ofTenant('p')} and p.payout_id = any (:payoutIds::uuid[]) and p.live)
           - (select count(*) from moved))::int as astray`,
      { payoutIds, from, to },
    ),
);

/** Of lines that the transaction has locked. Throws when one of them has another status than `from`. */
export async function movePayoutLines(
  db: Db,
  scope: Scope,
  payoutIds: readonly string[],
  { from, to }: { from: LineStatus; to: LineStatus },
): Promise<void> {
  const row = await db.row(move(scope, { payoutIds: [...payoutIds], from, to }));
  if (row?.astray !== 0) throw new Error(`${row?.astray ?? 'some'} lines of payouts are not ${from}`);
}
