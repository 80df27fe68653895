/** The lines that payouts consume: locked, and moved from one status to the next with their payout. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { LineStatus } from './commission-line.ts';

/** As an array: each line is then looked up by its key, whatever the planner believes of a young table. */
const linesOf = `any (array(
     select p.line_id from payout_line p
     where p.tenant_id = $1 and p.environment = $2 and p.payout_id = any ($3::uuid[]) and p.live))`;

const lock = prepared<{ count: number }, [string, string, payoutIds: string[]]>(
  'commissions_lock_payout_lines',
  `select count(*)::int as count from (
     select l.id from commission_line l
     where l.tenant_id = $1 and l.environment = $2 and l.id = ${linesOf}
     order by l.id for update) locked`,
);

/** The lines of live payouts, in the order of their ids, locked to the end of the transaction. */
export async function lockPayoutLines(db: Db, scope: Scope, payoutIds: readonly string[]): Promise<void> {
  await db.rows(lock(scope.tenantId, scope.environment, [...payoutIds]));
}

const move = prepared<{ astray: number }, [string, string, payoutIds: string[], from: LineStatus, to: LineStatus]>(
  'commissions_move_payout_lines',
  `with moved as (
     update commission_line l
     set status = $5, status_changed_at = case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end
     where l.tenant_id = $1 and l.environment = $2 and l.status = $4 and l.id = ${linesOf}
     returning 1)
   select ((select count(*) from payout_line p
            where p.tenant_id = $1 and p.environment = $2 and p.payout_id = any ($3::uuid[]) and p.live)
           - (select count(*) from moved))::int as astray`,
);

/** Of lines that the transaction has locked. Throws when one of them has another status than `from`. */
export async function movePayoutLines(
  db: Db,
  scope: Scope,
  payoutIds: readonly string[],
  { from, to }: { from: LineStatus; to: LineStatus },
): Promise<void> {
  const row = await db.row(move(scope.tenantId, scope.environment, [...payoutIds], from, to));
  if (row?.astray !== 0) throw new Error(`${row?.astray ?? 'some'} lines of payouts are not ${from}`);
}
