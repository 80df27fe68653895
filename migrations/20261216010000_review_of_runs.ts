import type { Knex } from 'knex';

/** What says of a drafted run that nothing has changed since, so that its review looks at what has. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- What a payout's commissions came to when it was drafted; null: it was not drafted, or by an older release.
alter table payout add column lines_minor bigint;
-- Whether a draft asked for an approved verification; null: it was made by an older release.
alter table payout_run add column require_kyc boolean;
-- How a draft differs from the run before it, and of what that was told.
alter table payout_run add column comparison jsonb;

-- When what decides whether a payout may be executed was last changed, by the time of the transaction.
alter table member add column payable_changed_at timestamptz;
alter table member_profile add column payable_changed_at timestamptz;
alter table kyc_record add column payable_changed_at timestamptz;
alter table payout_account add column payable_changed_at timestamptz;
alter table payout_hold add column payable_changed_at timestamptz;
create index member_payable_idx on member (tenant_id, environment, payable_changed_at) where payable_changed_at is not null;
create index member_profile_payable_idx on member_profile (tenant_id, environment, payable_changed_at) where payable_changed_at is not null;
create index kyc_record_payable_idx on kyc_record (tenant_id, environment, payable_changed_at) where payable_changed_at is not null;
create index payout_account_payable_idx on payout_account (tenant_id, environment, payable_changed_at) where payable_changed_at is not null;
create index payout_hold_payable_idx on payout_hold (tenant_id, environment, payable_changed_at) where payable_changed_at is not null;

create function note_payable_change() returns trigger language plpgsql as $$
begin
  new.payable_changed_at := now();
  return new;
end $$;
create trigger note_payable_change before update on member for each row
  when (old.is_test_user is distinct from new.is_test_user or old.kyc_approved_at is distinct from new.kyc_approved_at)
  execute function note_payable_change();
create trigger note_payable_change before update on member_profile for each row
  when (old.business_name_digest is distinct from new.business_name_digest) execute function note_payable_change();
create trigger note_payable_insert before insert on member_profile for each row
  when (new.business_name_digest is not null) execute function note_payable_change();
create trigger note_payable_change before update on kyc_record for each row
  when (old.status is distinct from new.status or old.names_digest is distinct from new.names_digest
        or old.identity_changed_at is distinct from new.identity_changed_at)
  execute function note_payable_change();
create trigger note_payable_insert before insert on kyc_record for each row execute function note_payable_change();
-- The first verdict on a name is none: a draft gives it, and whatever asks for another one is a change of its own.
create trigger note_payable_change before update on payout_account for each row
  when (old.status is distinct from new.status or (old.kept_check_at is null) <> (new.kept_check_at is null)
        or old.holder_type is distinct from new.holder_type or old.name_accepted_at is distinct from new.name_accepted_at
        or (old.name_match is not null and old.name_match is distinct from new.name_match)
        or (old.name_judged_for is not null and new.name_judged_for is null))
  execute function note_payable_change();
create trigger note_payable_change before insert or update on payout_hold for each row execute function note_payable_change();

-- The sums of the postings in sealed blocks; with the journals that wait for one they are those of all postings.
create table ledger_total (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  account text not null,
  amount_minor bigint not null,
  primary key (tenant_id, environment, currency, account)
);
call raise_tenant_wall('ledger_total');
call open_sandbox_to_eraser('ledger_total');
grant select, insert, update on ledger_total to svc_app, svc_worker;

-- The step behind this one fills it, as the owner, and the next one forces the walls again. The postings are opened here,
-- in a moment: they must not be locked while they are added up.
alter table posting no force row level security;
alter table ledger_block_entry no force row level security;
alter table ledger_total no force row level security;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop table ledger_total;
alter table ledger_block_entry force row level security;
alter table posting force row level security;
drop trigger note_payable_change on payout_hold;
drop trigger note_payable_change on payout_account;
drop trigger note_payable_insert on kyc_record;
drop trigger note_payable_change on kyc_record;
drop trigger note_payable_insert on member_profile;
drop trigger note_payable_change on member_profile;
drop trigger note_payable_change on member;
drop function note_payable_change();
alter table payout_hold drop column payable_changed_at;
alter table payout_account drop column payable_changed_at;
alter table kyc_record drop column payable_changed_at;
alter table member_profile drop column payable_changed_at;
alter table member drop column payable_changed_at;
alter table payout_run drop column comparison, drop column require_kyc;
alter table payout drop column lines_minor;
`);
}
