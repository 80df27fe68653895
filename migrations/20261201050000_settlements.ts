import type { Knex } from 'knex';

/** Payouts that were made outside the service, in no run; accounts that are kept for what is owed to an erased member. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- squawk-ignore ban-drop-not-null
alter table payout alter column payout_run_id drop not null;
-- squawk-ignore ban-drop-not-null
alter table payout alter column payout_account_id drop not null;
-- Without a run it is a settlement: money that somebody paid without an account of ours.
alter table payout add constraint payout_settlement_check
  check (payout_run_id is not null and payout_account_id is not null
         or payout_run_id is null and payout_account_id is null and provider_type = 'manual'
            and status in ('processing', 'paid', 'returned')) not valid;
create index payout_settlement_idx on payout (tenant_id, environment, member_id, id) where payout_run_id is null;
-- Nobody enters the same payment twice.
create unique index payout_settlement_reference_key on payout (tenant_id, environment, member_id, reference)
  where payout_run_id is null and status <> 'returned';

-- An account of an erased member, with what is needed to pay to it: when it is looked at whether anything is owed still.
alter table payout_account add column kept_check_at timestamptz;
alter table payout_account add constraint payout_account_kept_check
  check (kept_check_at is null or status = 'deactivated') not valid;
create index payout_account_kept_idx on payout_account (tenant_id, environment, kept_check_at) where kept_check_at is not null;
create index payout_account_any_kept_idx on payout_account ((kept_check_at at time zone 'UTC')) where kept_check_at is not null;
`);
}

/**
 * What the older code would never pay it forgets: it knows no account that is kept. It has no payouts without a run: where
 * settlements were entered this fails, and nothing is changed.
 */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table payout_account no force row level security;
update payout_account a set bank_sealed = null
  where a.kept_check_at is not null and not exists (
    select from payout p
    where p.tenant_id = a.tenant_id and p.environment = a.environment and p.payout_account_id = a.id and p.status = 'processing');
alter table payout_account force row level security;
drop index payout_account_any_kept_idx;
drop index payout_account_kept_idx;
alter table payout_account drop constraint payout_account_kept_check;
alter table payout_account drop column kept_check_at;
drop index payout_settlement_reference_key;
drop index payout_settlement_idx;
alter table payout drop constraint payout_settlement_check;
alter table payout alter column payout_account_id set not null;
alter table payout alter column payout_run_id set not null;
`);
}
