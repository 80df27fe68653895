import type { Knex } from 'knex';

/** Holds on the payouts of members, the minimum that a run went by, and payouts listed by amount and by date. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- The brake on all payments to a member. No row, or one that has ended: none.
create table payout_hold (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  member_id uuid not null,
  -- Free text, so it is about a person: an erasure takes it away and leaves the hold.
  reason text not null check (length(reason) between 1 and 500),
  -- By the scope's clock; null: until it is lifted.
  until timestamptz,
  -- The key that set it; null: this migration.
  created_by text,
  created_at timestamptz not null,
  primary key (tenant_id, environment, member_id),
  constraint payout_hold_member_fkey foreign key (tenant_id, environment, member_id) references member
);
-- Inactive members were not paid until now. Nobody is paid because that has changed.
alter table member no force row level security;
insert into payout_hold (tenant_id, environment, member_id, reason, created_at)
  select tenant_id, environment, id, 'Inactive before holds were introduced', now() from member where not is_active;
alter table member force row level security;
call raise_tenant_wall('payout_hold');
grant select, insert, update, delete on payout_hold to svc_app;
grant select on payout_hold to svc_worker;

alter table payout_block drop constraint payout_block_reason_check;
alter table payout_block add constraint payout_block_reason_check
  check (reason in ('TEST_USER', 'HELD', 'BELOW_MINIMUM', 'NO_MINIMUM', 'NO_ACCOUNT', 'KYC_REQUIRED', 'NEGATIVE_BALANCE',
                    'ACCOUNT_COOLDOWN', 'AMOUNT_NOT_PAYABLE', 'INACTIVE')) not valid;
create index payout_block_amount_idx on payout_block (tenant_id, environment, payout_run_id, amount_minor, member_id);

-- Both null: the currency had none, or the run was drafted before it was kept.
alter table payout_run add column minimum_minor bigint;
alter table payout_run add column minimum_source text check (minimum_source in ('plan', 'built_in'));
create index payout_run_created_idx on payout_run (tenant_id, environment, created_at);

-- Each leaves out nothing; partial as the table's others are.
create index payout_amount_idx on payout (tenant_id, environment, amount_minor, id) where amount_minor > 0;
create index payout_run_amount_idx on payout (tenant_id, environment, payout_run_id, amount_minor, id)
  where payout_run_id is not null;
create index payout_created_idx on payout (tenant_id, environment, created_at, id) where created_at > '-infinity';
`);
}

/** The older code has no words for some of those who could not be paid: the nearest that it has. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index payout_created_idx;
drop index payout_run_amount_idx;
drop index payout_amount_idx;
drop index payout_run_created_idx;
alter table payout_run drop column minimum_source;
alter table payout_run drop column minimum_minor;
drop index payout_block_amount_idx;
alter table payout_block drop constraint payout_block_reason_check;
alter table payout_block no force row level security;
update payout_block set reason = 'INACTIVE' where reason in ('TEST_USER', 'HELD');
update payout_block set reason = 'BELOW_MINIMUM' where reason = 'NO_MINIMUM';
alter table payout_block force row level security;
alter table payout_block add constraint payout_block_reason_check
  check (reason in ('BELOW_MINIMUM', 'NO_ACCOUNT', 'KYC_REQUIRED', 'NEGATIVE_BALANCE', 'ACCOUNT_COOLDOWN', 'INACTIVE',
                    'AMOUNT_NOT_PAYABLE')) not valid;
alter table payout_block validate constraint payout_block_reason_check;
drop table payout_hold;
`);
}
