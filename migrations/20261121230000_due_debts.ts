import type { Knex } from 'knex';

/** Clawbacks whose debt is written off after a time, and the sweep that does it: where it has work. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table commission_line
  -- Of a clawback: when what the member still owes is written off, and how much of it at most. No time
  -- once that was done, or when the plan carries debts forward for ever.
  add column write_off_at timestamptz,
  add column write_off_minor bigint check (write_off_minor > 0);
-- What the sweep looks for, and nothing else.
create index commission_line_debt_due_idx on commission_line (tenant_id, environment, write_off_at)
  where write_off_at is not null and status = 'cleared';
-- What was ever forgiven a member.
create index commission_line_write_off_idx on commission_line (tenant_id, environment, beneficiary_id, currency)
  where kind = 'write_off';
grant update (write_off_at) on commission_line to svc_app, svc_worker;

grant select (write_off_at) on commission_line to svc_auth;
grant create on schema public to svc_auth;
set local role svc_auth;
create or replace function due_scopes() returns table (sweep text, tenant_id uuid, environment text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  with scope as (
    select t.id as tenant_id, e.environment,
           case when e.environment = 'SANDBOX' then scope_now(t.id, e.environment) else now() end as now
    from tenant t cross join (values ('LIVE'), ('SANDBOX')) e(environment))
  -- Order and limit keep the planner to one probe of an index a scope.
  select 'expire-idempotency-keys', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from idempotency_key k
    where k.tenant_id = s.tenant_id and k.environment = s.environment and k.expires_at <= now()
    order by k.expires_at limit 1) due
  where exists (select from idempotency_key k where k.expires_at at time zone 'UTC' <= now() at time zone 'UTC')
  union all
  select 'clear-commissions', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from commission_line l
    where l.tenant_id = s.tenant_id and l.environment = s.environment and l.status = 'pending' and l.clears_at <= s.now
    order by l.clears_at limit 1) due
  union all
  select 'seal-ledger', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from ledger_unsealed u where u.tenant_id = s.tenant_id and u.environment = s.environment
    order by u.journal_id limit 1) due
  union all
  select 'write-off-debts', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from commission_line l
    where l.tenant_id = s.tenant_id and l.environment = s.environment and l.status = 'cleared' and l.write_off_at <= s.now
    order by l.write_off_at limit 1) due
  -- Few plans write debts off after a time: no scope is asked while none has one that waits for it.
  where exists (select from commission_line l where l.write_off_at is not null and l.status = 'cleared')
$$;
reset role;
revoke create on schema public from svc_auth;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
grant create on schema public to svc_auth;
set local role svc_auth;
create or replace function due_scopes() returns table (sweep text, tenant_id uuid, environment text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  with scope as (
    select t.id as tenant_id, e.environment,
           case when e.environment = 'SANDBOX' then scope_now(t.id, e.environment) else now() end as now
    from tenant t cross join (values ('LIVE'), ('SANDBOX')) e(environment))
  -- Order and limit keep the planner to one probe of an index a scope.
  select 'expire-idempotency-keys', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from idempotency_key k
    where k.tenant_id = s.tenant_id and k.environment = s.environment and k.expires_at <= now()
    order by k.expires_at limit 1) due
  where exists (select from idempotency_key k where k.expires_at at time zone 'UTC' <= now() at time zone 'UTC')
  union all
  select 'clear-commissions', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from commission_line l
    where l.tenant_id = s.tenant_id and l.environment = s.environment and l.status = 'pending' and l.clears_at <= s.now
    order by l.clears_at limit 1) due
  union all
  select 'seal-ledger', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from ledger_unsealed u where u.tenant_id = s.tenant_id and u.environment = s.environment
    order by u.journal_id limit 1) due
$$;
reset role;
revoke create on schema public from svc_auth;
revoke select (write_off_at) on commission_line from svc_auth;
revoke update (write_off_at) on commission_line from svc_app, svc_worker;
drop index commission_line_write_off_idx;
drop index commission_line_debt_due_idx;
alter table commission_line drop column write_off_at, drop column write_off_minor;
`);
}
