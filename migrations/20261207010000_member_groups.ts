import type { Knex } from 'knex';

const ACTOR = `'^(api_key|staff|member|operator|vendor|system)(:.+|)$'`;

const HISTORIES = [
  { table: 'member_group_history', column: 'group_key', check: `group_key ~ '^[a-z0-9-]{1,40}$'` },
  {
    table: 'member_standing_history',
    column: 'standing',
    check: `standing in ('pending', 'approved', 'rejected', 'banned')`,
  },
];

/** Groups of members, their standing and when they joined, each with its dated history. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Named by its key, for ever: a plan that names groups is copied from one environment to another as it is. The group
-- 'default' is always there, without a row.
create table member_group (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  key text not null check (key ~ '^[a-z0-9-]{1,40}$' and key <> 'default'),
  name text not null check (length(name) between 1 and 100),
  status text not null default 'active' check (status in ('active', 'archived')),
  created_by text not null check (created_by ~ ${ACTOR}),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, environment, key)
);
call raise_tenant_wall('member_group');
grant select, insert, update on member_group to svc_app;
-- To hold a group while members of a file come into it.
grant select, update (updated_at) on member_group to svc_worker;

alter table member add column group_key text not null default 'default';
alter table member add column standing text not null default 'approved';
-- Null: when the row was created.
alter table member add column joined_at timestamptz;
alter table member add constraint member_group_key_check check (group_key ~ '^[a-z0-9-]{1,40}$') not valid;
alter table member add constraint member_standing_check
  check (standing in ('pending', 'approved', 'rejected', 'banned')) not valid;
create index member_group_idx on member (tenant_id, environment, group_key, id);
create index member_standing_idx on member (tenant_id, environment, standing, id) where standing <> 'approved';
grant update (group_key, standing) on member to svc_app;

${HISTORIES.map(
  ({ table, column, check }) => `
create table ${table} (
  tenant_id uuid not null,
  environment text not null,
  id uuid not null default uuidv7(),
  member_id uuid not null,
  ${column} text not null check (${check}),
  valid_from timestamptz not null,
  recorded_at timestamptz not null default now(),
  reason text check (length(reason) <= 500),
  -- Null of the value since always.
  created_by text check (created_by ~ ${ACTOR}),
  primary key (tenant_id, environment, id),
  constraint ${table}_member_fkey foreign key (tenant_id, environment, member_id) references member
);
create index ${table}_member_idx on ${table} (tenant_id, environment, member_id, valid_from desc, id desc);
call raise_tenant_wall('${table}');
grant select, insert, update (reason) on ${table} to svc_app;
grant select on ${table} to svc_worker;
alter table ${table} set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_analyze_scale_factor = 0.01);`,
).join('\n')}
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
${HISTORIES.map(({ table }) => `drop table ${table};`).join('\n')}
drop index member_standing_idx;
drop index member_group_idx;
alter table member drop constraint member_standing_check;
alter table member drop constraint member_group_key_check;
alter table member drop column joined_at;
alter table member drop column standing;
alter table member drop column group_key;
drop table member_group;
`);
}
