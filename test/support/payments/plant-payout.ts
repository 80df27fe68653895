/** Accounts at the payment vendor and payouts on their way, as the service leaves them before the vendor's events come. */
import { randomBytes } from 'node:crypto';
import type { Scope } from '../../../src/db/scope.ts';
import type { TestApp } from '../app/test-app.ts';
import { moveLines } from '../money/pay-out.ts';

export interface PlantedAccount {
  providerAccountId: string;
  providerRef: string;
  accountId: string;
  bankAccountId: string;
}

const vendorId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`;

export async function plantAccount(
  app: TestApp,
  { tenantId, environment }: Scope,
  memberId: string,
  { country = 'US', currency = 'USD', isPrimary = true } = {},
): Promise<PlantedAccount> {
  const [providerAccountId, bankAccountId] = [vendorId('acct'), vendorId('ba')];
  const [provider] = await app.database.asSuperuser(
    `insert into provider_account (tenant_id, environment, member_id, country, provider_account_id, status, transfers, profile_version,
                                   created_at, updated_at)
     values ($1, $2, $3, $4, $5, 'active', 'active', 'v1', now(), now()) returning id`,
    [tenantId, environment, memberId, country, providerAccountId],
  );
  const providerRef = String(provider?.['id']);
  const [account] = await app.database.asSuperuser(
    `insert into payout_account (tenant_id, environment, member_id, provider_type, method_type, display_name, country, currency, is_primary,
                                 status, provider_account_ref, external_account_id, last_four, fingerprint, activated_at, created_at, updated_at)
     values ($1, $2, $3, 'payvendor', 'us_bank_transfer', 'Bank •••• 6789', $4, $5, $6, 'active', $7, $8, '6789', $9,
             now() - interval '30 days', now() - interval '30 days', now()) returning id`,
    [tenantId, environment, memberId, country, currency, isPrimary, providerRef, bankAccountId, randomBytes(32)],
  );
  return { providerAccountId, providerRef, accountId: String(account?.['id']), bankAccountId };
}

export interface PlantedPayout {
  runId: string;
  payoutId: string;
  attemptId: string;
  transferId: string;
  vendorPayoutId: string;
}

/** A payout of these lines, which become processing; with `unanswered` the vendor's id of the payout is not known yet. */
export async function plantPayout(
  app: TestApp,
  { tenantId, environment }: Scope,
  {
    memberId,
    accountId,
    lineIds,
    unanswered = false,
  }: { memberId: string; accountId: string; lineIds: string[]; unanswered?: boolean },
): Promise<PlantedPayout> {
  const [transferId, vendorPayoutId] = [vendorId('tr'), vendorId('po')];
  await moveLines(app, lineIds, 'cleared');
  const [row] = await app.database.asSuperuser(
    `with line as materialized (select * from commission_line where id = any ($5)),
     sum as (select min(currency) as currency, sum(amount_minor)::bigint as total, count(*)::int as lines from line),
     run as (
       insert into payout_run (tenant_id, environment, currency, cutoff_at, status, payout_count, total_minor, created_by, created_at, updated_at)
       select $1, $2, currency, now(), 'executing', 1, total, 'api_key:' || gen_random_uuid(), now(), now() from sum returning *),
     paid as (
       insert into payout (tenant_id, environment, payout_run_id, member_id, payout_account_id, provider_type, currency, amount_minor,
                           line_count, status, attempt, created_at, updated_at)
       select $1, $2, run.id, $3, $4, 'payvendor', sum.currency, sum.total, sum.lines, 'processing', 1, now(), now() from run, sum
       returning *),
     attempt as (
       insert into payout_attempt (tenant_id, environment, payout_id, attempt, transfer_id, provider_payout_id, started_at)
       select $1, $2, paid.id, 1, $6, $7, now() from paid returning *),
     lines as (
       insert into payout_line (tenant_id, environment, payout_id, line_id, amount_minor)
       select $1, $2, paid.id, line.id, line.amount_minor from paid, line),
     moved as (update commission_line l set status = 'processing' from line where l.id = line.id),
     journal as (
       insert into journal_entry (tenant_id, environment, cause_type, cause_id, occurred_at)
       select $1, $2, 'payout_processing', attempt.id, now() from attempt returning *),
     posted as (
       insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
       select $1, $2, journal.id, side.seq, side.account, $3, sum.currency, side.sign * sum.total from journal, sum,
         (values (0::smallint, 'member:cleared', -1), (1::smallint, 'member:processing', 1)) side(seq, account, sign))
     select run.id as run, paid.id as payout, attempt.id as attempt from run, paid, attempt`,
    [tenantId, environment, memberId, accountId, lineIds, transferId, unanswered ? null : vendorPayoutId],
  );
  return {
    runId: String(row?.['run']),
    payoutId: String(row?.['payout']),
    attemptId: String(row?.['attempt']),
    transferId,
    vendorPayoutId,
  };
}
