/**
 * Paying commissions out and getting them back, with the payouts, executions and journals that a run would
 * leave: for tests that are about something else. Beyond what a run does, it pays whatever it is given.
 */
import type { TestApp } from '../app/test-app.ts';

/** Moves lines, whatever account they stand in, to paid, with a journal; now, or as of an instant. */
export async function payOut(app: TestApp, lineIds: readonly string[], at?: string): Promise<void> {
  await moveLines(app, lineIds, 'paid', at);
}

/** The payout did not arrive, or came back: the lines are cleared again. They are all of what it paid. */
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
  if (to === 'cleared') await endPayouts(app, lineIds, at);
  await clear(app, lineIds, at);
  if (to === 'cleared') return;
  await beginPayouts(app, lineIds, at);
  if (to === 'paid') await settlePayouts(app, lineIds, at);
}

/** Lines that wait are cleared. */
async function clear(app: TestApp, lineIds: readonly string[], at: string | undefined): Promise<void> {
  await app.database.asSuperuser(
    `with line as materialized (
       select *, row_number() over () as n from commission_line where id = any ($1) and status in ('pending', 'held')),
     moved as (update commission_line l set status = 'cleared', hold_cause = null from line where l.id = line.id),
     journal as (
       insert into journal_entry (tenant_id, environment, cause_type, cause_id, occurred_at)
       select distinct tenant_id, environment, 'clearing', uuidv7(), coalesce($2::timestamptz, now()) from line limit 1 returning *)
     insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
     select j.tenant_id, j.environment, j.id, 2 * n + side, case side when 0 then 'member:pending' else 'member:cleared' end,
            beneficiary_id, currency, case side when 0 then -amount_minor else amount_minor end
     from journal j cross join line cross join (values (0), (1)) s(side)`,
    [lineIds, at ?? null],
  );
}

/** The lines of each member and currency that are cleared become a payout that is under way. */
async function beginPayouts(app: TestApp, lineIds: readonly string[], at: string | undefined): Promise<void> {
  const sums = await app.database.asSuperuser(
    `select from commission_line where id = any ($1) and status = 'cleared'
     group by beneficiary_id, currency having sum(amount_minor) <= 0`,
    [lineIds],
  );
  // No run would make it; what these tests are about does not depend on that.
  if (sums.length > 0) await app.database.asSuperuser('alter table payout drop constraint if exists payout_amount_minor_check');
  await app.database.asSuperuser(
    `insert into payout_account (tenant_id, environment, id, member_id, provider_type, method_type, display_name, country, currency,
                                 is_primary, status, fingerprint, created_at, updated_at)
     select distinct tenant_id, environment, beneficiary_id, beneficiary_id, 'manual', 'us_bank_transfer', 'Account', 'US', 'USD', false,
            'deactivated', decode(repeat('00', 32), 'hex'), now(), now()
     from commission_line where id = any ($1) on conflict do nothing`,
    [lineIds],
  );
  await app.database.asSuperuser(
    `with line as materialized (select * from commission_line where id = any ($1) and status = 'cleared'),
     sum as materialized (
       select tenant_id, environment, beneficiary_id, currency, sum(amount_minor)::bigint as total, count(*)::int as lines,
              uuidv7() as run_id, uuidv7() as payout_id, uuidv7() as attempt_id, uuidv7() as journal_id
       from line group by 1, 2, 3, 4),
     run as (
       insert into payout_run (tenant_id, environment, id, currency, cutoff_at, status, payout_count, total_minor, created_by, created_at, updated_at)
       select tenant_id, environment, run_id, currency, now(), 'executing', 1, total, 'api_key:' || gen_random_uuid(), now(), now() from sum),
     payout as (
       insert into payout (tenant_id, environment, id, payout_run_id, member_id, payout_account_id, provider_type, currency, amount_minor,
                           line_count, status, attempt, created_at, updated_at)
       select tenant_id, environment, payout_id, run_id, beneficiary_id, beneficiary_id, 'manual', currency, total, lines,
              'processing', 1, now(), now()
       from sum),
     attempt as (
       insert into payout_attempt (tenant_id, environment, id, payout_id, attempt, started_at)
       select tenant_id, environment, attempt_id, payout_id, 1, now() from sum),
     lines as (
       insert into payout_line (tenant_id, environment, payout_id, line_id, amount_minor)
       select tenant_id, environment, sum.payout_id, line.id, line.amount_minor
       from line join sum using (tenant_id, environment, beneficiary_id, currency)),
     moved as (update commission_line l set status = 'processing' from line where l.id = line.id),
     journal as (
       insert into journal_entry (tenant_id, environment, id, cause_type, cause_id, occurred_at)
       select tenant_id, environment, journal_id, 'payout_processing', attempt_id, coalesce($2::timestamptz, now()) from sum where total <> 0)
     insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
     select tenant_id, environment, journal_id, seq, account, beneficiary_id, currency, sign * total
     from sum cross join (values (0, 'member:cleared', -1), (1, 'member:processing', 1)) s(seq, account, sign) where total <> 0`,
    [lineIds, at ?? null],
  );
}

async function settlePayouts(app: TestApp, lineIds: readonly string[], at: string | undefined): Promise<void> {
  await endAs(app, lineIds, { from: 'processing', to: 'paid', at });
}

async function endPayouts(app: TestApp, lineIds: readonly string[], at: string | undefined): Promise<void> {
  await endAs(app, lineIds, { from: 'processing', to: 'failed', at });
  await endAs(app, lineIds, { from: 'paid', to: 'returned', at });
}

interface End {
  from: 'processing' | 'paid';
  to: 'paid' | 'failed' | 'returned';
  at: string | undefined;
}

/** The live payouts of the lines that stand at `from`, as a whole. */
async function endAs(app: TestApp, lineIds: readonly string[], { from, to, at }: End): Promise<void> {
  const [split] = await app.database.asSuperuser<{ line_id: string }>(
    `select o.line_id from payout_line x join payout p on p.id = x.payout_id and p.status = $2
     join payout_line o on o.payout_id = x.payout_id where x.live and x.line_id = any ($1) and not o.line_id = any ($1)`,
    [lineIds, from],
  );
  if (split) throw new Error(`the payout has another line too: ${split.line_id}`);
  await app.database.asSuperuser(
    `with due as materialized (
       select distinct p.*, a.id as attempt_id from payout_line x join payout p on p.id = x.payout_id and p.status = $2
       join payout_attempt a on a.payout_id = p.id and a.attempt = p.attempt
       where x.live and x.line_id = any ($1)),
     named as materialized (select *, uuidv7() as journal_id from due),
     payouts as (
       update payout p set status = $3, paid_at = case when $3 = 'paid' then now() else p.paid_at end from due where p.id = due.id),
     attempts as (update payout_attempt a set outcome = $3, ended_at = now() from due where a.id = due.attempt_id),
     runs as (update payout_run r set status = 'completed' from due where r.id = due.payout_run_id),
     freed as (update payout_line x set live = $3 = 'paid' from due where x.payout_id = due.id),
     moved as (
       update commission_line l set status = case $3 when 'paid' then 'paid' else 'cleared' end
       from payout_line x join due on due.id = x.payout_id where l.id = x.line_id),
     journal as (
       insert into journal_entry (tenant_id, environment, id, cause_type, cause_id, occurred_at)
       select tenant_id, environment, journal_id, 'payout_' || $3, attempt_id, coalesce($4::timestamptz, now()) from named where amount_minor <> 0)
     insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
     select tenant_id, environment, journal_id, s.seq, s.account, member_id, currency, s.sign * amount_minor
     from named cross join (values
       (0, case $2 when 'paid' then 'member:paid_out' else 'member:processing' end, -1),
       (1, case $3 when 'paid' then 'member:paid_out' else 'member:cleared' end, 1)) s(seq, account, sign)
     where amount_minor <> 0`,
    [lineIds, from, to, at ?? null],
  );
}
