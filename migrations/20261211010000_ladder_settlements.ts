import type { Knex } from 'knex';

/** What is to be settled of ladders over whole periods, and what was. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- One row for each member whom a ladder that is settled over whole periods has paid in one. due_at is null while nothing
-- waits. reached has by currency the step of the last run and the sum it goes by.
create table ladder_settlement (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  member_id uuid not null,
  plan_version_id uuid not null,
  ladder_id text not null check (ladder_id ~ '^[a-z0-9-]{1,40}$'),
  from_day date not null,
  to_day date not null check (to_day > from_day),
  due_at timestamptz,
  run int not null default 0 check (run >= 0),
  reached jsonb not null default '{}',
  primary key (tenant_id, environment, member_id, plan_version_id, ladder_id, from_day)
);
create index ladder_settlement_due_idx on ladder_settlement (tenant_id, environment, due_at) where due_at is not null;
create index ladder_settlement_any_due_idx on ladder_settlement ((due_at at time zone 'UTC')) where due_at is not null;
call raise_tenant_wall('ladder_settlement');
call open_sandbox_to_eraser('ladder_settlement');
grant select, insert, update on ladder_settlement to svc_app, svc_worker;
create policy resolver_reads on ladder_settlement for select to svc_auth using (true);
grant select (tenant_id, environment, due_at) on ladder_settlement to svc_auth;
alter table ladder_settlement set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01,
  autovacuum_analyze_scale_factor = 0.01);
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table ladder_settlement;');
}
