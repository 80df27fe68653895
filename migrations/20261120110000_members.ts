import type { Knex } from 'knex';

/** Members, their dated history, referral codes, and the counts of the tree that wait to be folded. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table member (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  email text not null check (length(email) <= 254),
  email_norm text not null check (length(email_norm) <= 254),
  name text check (length(name) <= 255),
  external_id text check (length(external_id) <= 255),
  membership_tier text not null check (membership_tier in ('ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR')),
  parent_id uuid check (parent_id <> id),
  is_active boolean not null,
  can_recruit boolean not null,
  is_test_user boolean not null,
  pay_currency text not null check (pay_currency ~ '^[A-Z]{3}$'),
  -- False while the row's values have held since always: the as-of lookups then skip the history.
  has_history boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, environment, id),
  constraint member_email_key unique (tenant_id, environment, email_norm),
  constraint member_parent_fkey foreign key (tenant_id, environment, parent_id) references member
);
create index member_parent_idx on member (tenant_id, environment, parent_id, id);
create unique index member_external_id_key on member (tenant_id, environment, external_id) where external_id is not null;
call raise_tenant_wall('member');
grant select, insert on member to svc_app, svc_worker;
grant update (membership_tier, is_active, can_recruit, has_history, updated_at) on member to svc_app, svc_worker;

-- Dated history. The first change of a member writes two rows: the former value from -infinity and
-- the new one from its effective time. A value holds from valid_from until the next row's.
create table member_tier_history (
  tenant_id uuid not null,
  environment text not null,
  id uuid not null default uuidv7(),
  member_id uuid not null,
  membership_tier text not null check (membership_tier in ('ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR')),
  valid_from timestamptz not null,
  recorded_at timestamptz not null default now(),
  reason text check (length(reason) <= 500),
  primary key (tenant_id, environment, id),
  constraint member_tier_history_member_fkey foreign key (tenant_id, environment, member_id) references member
);
create index member_tier_history_member_idx on member_tier_history (tenant_id, environment, member_id, valid_from desc, id desc);
call raise_tenant_wall('member_tier_history');
grant select, insert on member_tier_history to svc_app, svc_worker;

create table member_activity_history (
  tenant_id uuid not null,
  environment text not null,
  id uuid not null default uuidv7(),
  member_id uuid not null,
  is_active boolean not null,
  valid_from timestamptz not null,
  recorded_at timestamptz not null default now(),
  reason text check (length(reason) <= 500),
  primary key (tenant_id, environment, id),
  constraint member_activity_history_member_fkey foreign key (tenant_id, environment, member_id) references member
);
create index member_activity_history_member_idx on member_activity_history (tenant_id, environment, member_id, valid_from desc, id desc);
call raise_tenant_wall('member_activity_history');
grant select, insert on member_activity_history to svc_app, svc_worker;

create table member_sponsor_history (
  tenant_id uuid not null,
  environment text not null,
  id uuid not null default uuidv7(),
  member_id uuid not null,
  sponsor_id uuid,
  valid_from timestamptz not null,
  recorded_at timestamptz not null default now(),
  reason text check (length(reason) <= 500),
  primary key (tenant_id, environment, id),
  constraint member_sponsor_history_member_fkey foreign key (tenant_id, environment, member_id) references member,
  constraint member_sponsor_history_sponsor_fkey foreign key (tenant_id, environment, sponsor_id) references member
);
create index member_sponsor_history_member_idx on member_sponsor_history (tenant_id, environment, member_id, valid_from desc, id desc);
create index member_sponsor_history_sponsor_idx on member_sponsor_history (tenant_id, environment, sponsor_id);
call raise_tenant_wall('member_sponsor_history');
grant select, insert on member_sponsor_history to svc_app, svc_worker;

create table referral_code (
  tenant_id uuid not null,
  environment text not null,
  id uuid not null default uuidv7(),
  code text not null check (code ~ '^[A-Z0-9-]{3,32}$'),
  member_id uuid not null,
  is_default boolean not null,
  status text not null default 'active' check (status in ('active', 'retired')),
  created_at timestamptz not null default now(),
  primary key (tenant_id, environment, id),
  constraint referral_code_code_key unique (tenant_id, environment, code),
  constraint referral_code_member_fkey foreign key (tenant_id, environment, member_id) references member
);
create index referral_code_member_idx on referral_code (tenant_id, environment, member_id);
create unique index referral_code_default_key on referral_code (tenant_id, environment, member_id) where is_default;
call raise_tenant_wall('referral_code');
grant select, insert on referral_code to svc_app, svc_worker;

-- One row a new member, with everybody above it, nearest first: its downline counts, not yet folded.
create table downline_pending (
  tenant_id uuid not null,
  environment text not null,
  id uuid not null default uuidv7(),
  member_id uuid not null,
  ancestor_ids uuid[] not null,
  delta int not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, environment, id)
);
call raise_tenant_wall('downline_pending');
grant select, insert on downline_pending to svc_app;
grant select, insert, delete on downline_pending to svc_worker;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop table downline_pending;
drop table referral_code;
drop table member_sponsor_history;
drop table member_activity_history;
drop table member_tier_history;
drop table member;
`);
}
