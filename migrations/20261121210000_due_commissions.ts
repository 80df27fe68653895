import type { Knex } from 'knex';

/** The sweeps that clear commissions and seal the ledger: where they have work. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create policy resolver_reads on commission_line for select to svc_auth using (true);
create policy resolver_reads on ledger_unsealed for select to svc_auth using (true);
create policy resolver_reads on sandbox_clock for select to svc_auth using (true);
grant select (tenant_id, environment, status, clears_at) on commission_line to svc_auth;
grant select on ledger_unsealed, sandbox_clock to svc_auth;
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
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
grant create on schema public to svc_auth;
set local role svc_auth;
create or replace function due_scopes() returns table (sweep text, tenant_id uuid, environment text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select 'expire-idempotency-keys', t.id, e.environment
  from tenant t
  cross join (values ('LIVE'), ('SANDBOX')) e(environment)
  -- Order and limit keep the planner to one probe of idempotency_key_expiry_idx a scope.
  cross join lateral (
    select from idempotency_key k
    where k.tenant_id = t.id and k.environment = e.environment and k.expires_at <= now()
    order by k.expires_at limit 1) due
  where exists (select from idempotency_key k where k.expires_at at time zone 'UTC' <= now() at time zone 'UTC')
$$;
reset role;
revoke create on schema public from svc_auth;
revoke select on ledger_unsealed, sandbox_clock from svc_auth;
revoke select (tenant_id, environment, status, clears_at) on commission_line from svc_auth;
drop policy resolver_reads on sandbox_clock;
drop policy resolver_reads on ledger_unsealed;
drop policy resolver_reads on commission_line;
`);
}
