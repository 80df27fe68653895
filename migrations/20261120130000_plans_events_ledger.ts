import type { Knex } from 'knex';

/** Commission plans, purchase events, commission lines and the double-entry ledger. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create table commission_plan (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  name text not null check (length(name) between 1 and 200),
  created_at timestamptz not null default now(),
  primary key (tenant_id, environment, id)
);
call raise_tenant_wall('commission_plan');
grant select, insert on commission_plan to svc_app, svc_worker;

create table commission_plan_version (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  plan_id uuid not null,
  version int not null check (version > 0),
  effective_from timestamptz not null,
  definition jsonb not null,
  published_at timestamptz not null default now(),
  primary key (tenant_id, environment, id),
  constraint commission_plan_version_version_key unique (tenant_id, environment, plan_id, version),
  constraint commission_plan_version_plan_fkey foreign key (tenant_id, environment, plan_id) references commission_plan
);
create index commission_plan_version_effective_idx on commission_plan_version (tenant_id, environment, effective_from desc, id desc);
create trigger append_only before update or delete on commission_plan_version for each statement execute function refuse_change();
call raise_tenant_wall('commission_plan_version');
grant select, insert on commission_plan_version to svc_app, svc_worker;

create table event (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  external_event_id text not null check (length(external_event_id) between 1 and 200),
  kind text not null check (kind in ('purchase')),
  type text not null check (type in ('one_time', 'subscription_initial', 'subscription_renewal')),
  occurred_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  amount_minor bigint not null check (amount_minor between 0 and 999999999999999),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  tax_minor bigint not null check (tax_minor >= 0),
  shipping_minor bigint not null check (shipping_minor >= 0),
  discount_minor bigint not null check (discount_minor >= 0),
  base_minor bigint not null check (base_minor >= 0),
  customer_id uuid not null,
  buyer_member_id uuid,
  attributed_member_id uuid,
  attribution_rule text not null,
  status text not null check (status in ('accepted', 'unattributed', 'held')),
  -- Not a foreign key: versions are append-only, and a key would make every purchase of a tenant lock one row.
  plan_version_id uuid not null,
  -- A keyed digest of each field as it was sent, to tell a repeat from a reuse without keeping what it said.
  content_digests jsonb not null,
  primary key (tenant_id, environment, id),
  constraint event_external_id_key unique (tenant_id, environment, external_event_id),
  constraint event_customer_fkey foreign key (tenant_id, environment, customer_id) references customer,
  constraint event_buyer_fkey foreign key (tenant_id, environment, buyer_member_id) references member,
  constraint event_attributed_fkey foreign key (tenant_id, environment, attributed_member_id) references member,
  constraint event_parts_check check (tax_minor + shipping_minor <= amount_minor)
);
create index event_customer_idx on event (tenant_id, environment, customer_id);
create index event_buyer_idx on event (tenant_id, environment, buyer_member_id) where buyer_member_id is not null;
create index event_attributed_idx on event (tenant_id, environment, attributed_member_id);
create trigger append_only before update or delete on event for each statement execute function refuse_change();
call raise_tenant_wall('event');
grant select, insert on event to svc_app, svc_worker;

-- What a tenant attached to an event; it may hold personal data, so it can be erased.
create table event_detail (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  event_id uuid not null,
  metadata jsonb,
  line_items jsonb,
  primary key (tenant_id, environment, event_id),
  constraint event_detail_event_fkey foreign key (tenant_id, environment, event_id) references event
);
call raise_tenant_wall('event_detail');
grant select, insert, update on event_detail to svc_app, svc_worker;

create table commission_line (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  event_id uuid not null,
  beneficiary_id uuid not null,
  kind text not null check (kind in ('commission')),
  source text not null check (source in ('sales', 'subscription')),
  level smallint not null check (level between 1 and 256),
  paid_level smallint not null check (paid_level >= 1),
  rate_bps int not null,
  multiplier_milli int not null,
  base_minor bigint not null,
  amount_minor bigint not null check (amount_minor <> 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  status text not null check (status in ('pending', 'held', 'cleared', 'processing', 'paid', 'reversed')),
  clears_at timestamptz not null,
  occurred_at timestamptz not null,
  plan_version_id uuid not null,
  calculation_hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, environment, id),
  constraint commission_line_event_fkey foreign key (tenant_id, environment, event_id) references event,
  constraint commission_line_beneficiary_fkey foreign key (tenant_id, environment, beneficiary_id) references member
);
create index commission_line_event_idx on commission_line (tenant_id, environment, event_id);
create index commission_line_beneficiary_idx on commission_line (tenant_id, environment, beneficiary_id, currency, occurred_at);
call raise_tenant_wall('commission_line');
grant select, insert on commission_line to svc_app, svc_worker;

create table journal_entry (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  cause_type text not null check (cause_type in ('event')),
  cause_id uuid not null,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  primary key (tenant_id, environment, id),
  -- Exactly once: whatever is replayed can only meet this key.
  constraint journal_entry_cause_key unique (tenant_id, environment, cause_type, cause_id)
);
create trigger append_only before update or delete on journal_entry for each statement execute function refuse_change();
call raise_tenant_wall('journal_entry');
grant select, insert on journal_entry to svc_app, svc_worker;

create table posting (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  journal_id uuid not null,
  seq smallint not null,
  account text not null check (account in ('company:commission_expense', 'company:breakage', 'company:write_off', 'fx_rounding',
    'clearing:payout', 'member:pending', 'member:cleared', 'member:processing', 'member:paid_out')),
  member_id uuid,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint not null check (amount_minor <> 0),
  primary key (tenant_id, environment, journal_id, seq),
  constraint posting_journal_fkey foreign key (tenant_id, environment, journal_id) references journal_entry,
  constraint posting_member_fkey foreign key (tenant_id, environment, member_id) references member,
  constraint posting_member_check check (starts_with(account, 'member:') = (member_id is not null))
);
create index posting_member_idx on posting (tenant_id, environment, member_id, currency, account) include (amount_minor) where member_id is not null;
create trigger append_only before update or delete on posting for each statement execute function refuse_change();
call raise_tenant_wall('posting');
grant select, insert on posting to svc_app, svc_worker;

create function assert_journal_balanced() returns trigger language plpgsql as $$
begin
  if exists (
    select from posting p
    where p.tenant_id = new.tenant_id and p.environment = new.environment and p.journal_id = new.journal_id
    group by p.currency having sum(p.amount_minor) <> 0
  ) then
    raise exception 'journal % does not balance', new.journal_id using errcode = 'check_violation', constraint = 'journal_balanced';
  end if;
  return null;
end $$;
create constraint trigger journal_balanced after insert on posting
  deferrable initially deferred for each row execute function assert_journal_balanced();
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop table posting;
drop table journal_entry;
drop table commission_line;
drop table event_detail;
drop table event;
drop table commission_plan_version;
drop table commission_plan;
drop function assert_journal_balanced();
drop function refuse_change();
`);
}
