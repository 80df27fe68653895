import type { Knex } from 'knex';

/** Where rollups have something to fold, and their part in the erasure of a SANDBOX. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create policy resolver_reads on downline_pending for select to svc_auth using (true);
create policy resolver_reads on commission_pending for select to svc_auth using (true);
create policy resolver_reads on rollup_state for select to svc_auth using (true);
grant select (tenant_id, environment, id) on downline_pending to svc_auth;
grant select (tenant_id, environment, member_id, id) on commission_pending to svc_auth;
grant select on rollup_state to svc_auth;
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
  union all
  select 'fold-downline', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from downline_pending p where p.tenant_id = s.tenant_id and p.environment = s.environment order by p.id limit 1) due
  where exists (select from downline_pending)
  union all
  select 'fold-commissions', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from commission_pending p
    where p.tenant_id = s.tenant_id and p.environment = s.environment order by p.member_id, p.id limit 1) due
  where exists (select from commission_pending)
  union all
  -- The tenant reports in another zone than its rollups: they are built anew.
  select case r.rollup when 'downline' then 'fold-downline' else 'fold-commissions' end, r.tenant_id, r.environment
  from rollup_state r join tenant t on t.id = r.tenant_id where r.time_zone <> t.reporting_time_zone
$$;
reset role;
revoke create on schema public from svc_auth;

do $$
declare
  opened text;
begin
  foreach opened in array array['downline_count', 'downline_month', 'commission_pending', 'commission_rollup', 'commission_leg',
    'rollup_state']
  loop
    call open_sandbox_to_eraser(opened);
  end loop;
end $$;
grant create on schema public to svc_eraser;
set local role svc_eraser;
create or replace function erase_sandbox() returns table (events bigint, members bigint)
  language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  erased_tenant constant uuid := nullif(current_setting('app.tenant_id', true), '');
begin
  if erased_tenant is null or coalesce(current_setting('app.environment', true), '') <> 'SANDBOX' then
    raise exception 'only a SANDBOX can be erased' using errcode = 'insufficient_privilege';
  end if;
  delete from ledger_block_entry where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from ledger_block where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from ledger_unsealed where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from posting where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from journal_entry where tenant_id = erased_tenant and environment = 'SANDBOX';
  -- Lines and the actions on them name each other: one statement, checked at its end.
  with actions as (delete from commission_action where tenant_id = erased_tenant and environment = 'SANDBOX')
  delete from commission_line where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from event_detail where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from event where tenant_id = erased_tenant and environment = 'SANDBOX';
  get diagnostics events = row_count;
  delete from lead where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from customer where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from downline_pending where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from downline_count where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from downline_month where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from commission_pending where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from commission_rollup where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from commission_leg where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from rollup_state where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member_tier_history where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member_activity_history where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member_sponsor_history where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from referral_code where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member where tenant_id = erased_tenant and environment = 'SANDBOX';
  get diagnostics members = row_count;
  delete from commission_plan_version where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from commission_plan where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from exchange_rate where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from sandbox_clock where tenant_id = erased_tenant and environment = 'SANDBOX';
  return next;
end $$;
reset role;
revoke create on schema public from svc_eraser;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
grant create on schema public to svc_eraser;
set local role svc_eraser;
create or replace function erase_sandbox() returns table (events bigint, members bigint)
  language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  erased_tenant constant uuid := nullif(current_setting('app.tenant_id', true), '');
begin
  if erased_tenant is null or coalesce(current_setting('app.environment', true), '') <> 'SANDBOX' then
    raise exception 'only a SANDBOX can be erased' using errcode = 'insufficient_privilege';
  end if;
  delete from ledger_block_entry where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from ledger_block where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from ledger_unsealed where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from posting where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from journal_entry where tenant_id = erased_tenant and environment = 'SANDBOX';
  -- Lines and the actions on them name each other: one statement, checked at its end.
  with actions as (delete from commission_action where tenant_id = erased_tenant and environment = 'SANDBOX')
  delete from commission_line where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from event_detail where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from event where tenant_id = erased_tenant and environment = 'SANDBOX';
  get diagnostics events = row_count;
  delete from lead where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from customer where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from downline_pending where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member_tier_history where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member_activity_history where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member_sponsor_history where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from referral_code where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member where tenant_id = erased_tenant and environment = 'SANDBOX';
  get diagnostics members = row_count;
  delete from commission_plan_version where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from commission_plan where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from exchange_rate where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from sandbox_clock where tenant_id = erased_tenant and environment = 'SANDBOX';
  return next;
end $$;
reset role;
revoke create on schema public from svc_eraser;
do $$
declare
  opened text;
begin
  foreach opened in array array['downline_count', 'downline_month', 'commission_pending', 'commission_rollup', 'commission_leg',
    'rollup_state']
  loop
    execute format('drop policy sandbox_erasure on %I', opened);
    execute format('revoke select, delete on %I from svc_eraser', opened);
  end loop;
end $$;
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
revoke select on rollup_state from svc_auth;
revoke select (tenant_id, environment, member_id, id) on commission_pending from svc_auth;
revoke select (tenant_id, environment, id) on downline_pending from svc_auth;
drop policy resolver_reads on rollup_state;
drop policy resolver_reads on commission_pending;
drop policy resolver_reads on downline_pending;
`);
}
