/** Paying commissions out and getting them back, as a payout run would leave them: there is no operation for it in these tests. */
import type { TestApp } from './test-app.ts';

/** Moves lines, whatever account they stand in, to paid, with a journal; now, or as of an instant. */
export async function payOut(app: TestApp, lineIds: readonly string[], at?: string): Promise<void> {
  await moveLines(app, lineIds, 'paid', at);
}

/** The payout did not arrive: the lines are cleared again. */
export async function returnPayout(app: TestApp, lineIds: readonly string[], at?: string): Promise<void> {
  await moveLines(app, lineIds, 'cleared', at);
}

/** Of a payout that is under way, has arrived, or came back. */
export async function moveLines(
  app: TestApp,
  lineIds: readonly string[],
  to: 'processing' | 'paid' | 'cleared',
  at?: string,
): Promise<void> {
  await app.database.asSuperuser(
    `with line as materialized (
       select *, case status when 'held' then 'member:pending' when 'paid' then 'member:paid_out' else 'member:' || status end as account,
              row_number() over () as n
       from commission_line where id = any ($1)),
     moved as (update commission_line l set status = $2, hold_cause = null from line where l.id = line.id),
     journal as (
       insert into journal_entry (tenant_id, environment, cause_type, cause_id, occurred_at)
       select distinct tenant_id, environment, 'clearing', uuidv7(), coalesce($3::timestamptz, now()) from line limit 1 returning *)
     insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
     select j.tenant_id, j.environment, j.id, 2 * n, account, beneficiary_id, currency, -amount_minor from journal j cross join line
     union all
     select j.tenant_id, j.environment, j.id, 2 * n + 1, case $2 when 'paid' then 'member:paid_out' else 'member:' || $2 end,
            beneficiary_id, currency, amount_minor
     from journal j cross join line`,
    [lineIds, to, at ?? null],
  );
}
