/** Many movements in a member's ledger, which only balance: payouts that were paid and came back, without the payouts. */
import type { Scope } from '../../../src/db/scope.ts';
import type { TestApp } from '../../support/app/test-app.ts';

/** `count` times 10.00 USD from processing to paid out and back, a journal each, all at one instant. */
export async function plantMovements(
  app: TestApp,
  { tenantId, environment }: Scope,
  memberId: string,
  count: number,
  at?: string,
) {
  await app.database.asSuperuser(
    `with journal as (
       insert into journal_entry (tenant_id, environment, cause_type, cause_id, occurred_at)
       select $1, $2, case n % 2 when 0 then 'payout_paid' else 'payout_returned' end, uuidv7(), coalesce($5::timestamptz, now())
       from generate_series(0, 2 * $4::int - 1) n returning id, cause_type)
     insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
     select $1, $2, j.id, s.seq, s.account, $3, 'USD', case j.cause_type when 'payout_paid' then s.sign else -s.sign end * 1000
     from journal j cross join (values (0::smallint, 'member:processing', -1), (1::smallint, 'member:paid_out', 1)) s(seq, account, sign)`,
    [tenantId, environment, memberId, count, at ?? null],
  );
}
