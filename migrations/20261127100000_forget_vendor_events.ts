import type { Knex } from 'knex';

/** Events of vendors are forgotten when they are old: what the sweeps find them by, and may. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- One that is not settled is in neither index, so that no sweep reads over it again and again.
create index kyc_event_settled_idx on kyc_event (tenant_id, environment, greatest(received_at, vendor_created_at))
  where outcome <> 'unmatched' and vendor_created_at is not null;
create index payment_event_settled_idx on payment_event (tenant_id, environment, received_at) where outcome <> 'parked';

grant delete on kyc_event, payment_event to svc_app, svc_worker;
grant select on kyc_event to svc_worker;
-- The worker changes none; without the right it could not lock the rows that it forgets.
grant update (outcome) on kyc_event to svc_worker;

create policy resolver_reads on kyc_event for select to svc_auth using (true);
grant select (tenant_id, environment, outcome, received_at, vendor_created_at) on kyc_event to svc_auth;
grant select (outcome, received_at) on payment_event to svc_auth;
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
  union all
  select 'check-kyc', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from kyc_record k
    where k.tenant_id = s.tenant_id and k.environment = s.environment and k.check_at <= s.now
    order by k.check_at limit 1) due
  where exists (select from kyc_record k where k.check_at is not null)
  union all
  select 'remove-objects', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from object_removal o
    where o.tenant_id = s.tenant_id and o.environment = s.environment and o.remove_after <= now()
    order by o.remove_after limit 1) due
  where exists (select from object_removal o where o.remove_after at time zone 'UTC' <= now() at time zone 'UTC')
  union all
  select 'execute-payouts', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from payout x
    where x.tenant_id = s.tenant_id and x.environment = s.environment and x.execute_at <= s.now
    order by x.execute_at limit 1) due
  where exists (select from payout x where x.execute_at is not null)
  union all
  select 'check-payouts', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from payout x
    where x.tenant_id = s.tenant_id and x.environment = s.environment and x.check_at <= now()
    order by x.check_at limit 1) due
  where exists (select from payout x where x.check_at is not null)
  union all
  select 'provision-accounts', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from payout_account x
    where x.tenant_id = s.tenant_id and x.environment = s.environment and x.check_at <= s.now
    order by x.check_at limit 1) due
  where exists (select from payout_account x where x.check_at is not null)
  union all
  select 'retry-payment-events', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from payment_event x
    where x.tenant_id = s.tenant_id and x.environment = s.environment and x.retry_at <= now()
    order by x.retry_at limit 1) due
  where exists (select from payment_event x where x.retry_at is not null)
  union all
  select 'expire-leads', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from lead l
    where l.tenant_id = s.tenant_id and l.environment = s.environment and l.expires_at <= s.now
      and l.conversion_status in ('captured', 'qualified')
    order by l.expires_at limit 1) due
  where exists (select from lead l where l.expires_at is not null and l.conversion_status in ('captured', 'qualified'))
  union all
  select 'forget-clicks', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from referral_click c
    where c.tenant_id = s.tenant_id and c.environment = s.environment and c.id < first_id_at(now() - interval '400 days')
    order by c.id limit 1) due
  where exists (select from referral_click)
  union all
  select 'tidy-imports', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from import_run i
    where i.tenant_id = s.tenant_id and i.environment = s.environment and i.tidy_at <= now()
    order by i.tidy_at limit 1) due
  where exists (select from import_run i where i.tidy_at is not null)
  union all
  select 'forget-kyc-events', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from kyc_event e
    where e.tenant_id = s.tenant_id and e.environment = s.environment
      and e.outcome <> 'unmatched' and e.vendor_created_at is not null
      and greatest(e.received_at, e.vendor_created_at) < now() - interval '400 days'
    order by greatest(e.received_at, e.vendor_created_at) limit 1) due
  where exists (select from kyc_event)
  union all
  select 'forget-payment-events', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from payment_event x
    where x.tenant_id = s.tenant_id and x.environment = s.environment
      and x.outcome <> 'parked' and x.received_at < now() - interval '400 days'
    order by x.received_at limit 1) due
  where exists (select from payment_event)
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
  union all
  select 'check-kyc', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from kyc_record k
    where k.tenant_id = s.tenant_id and k.environment = s.environment and k.check_at <= s.now
    order by k.check_at limit 1) due
  where exists (select from kyc_record k where k.check_at is not null)
  union all
  select 'remove-objects', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from object_removal o
    where o.tenant_id = s.tenant_id and o.environment = s.environment and o.remove_after <= now()
    order by o.remove_after limit 1) due
  where exists (select from object_removal o where o.remove_after at time zone 'UTC' <= now() at time zone 'UTC')
  union all
  select 'execute-payouts', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from payout x
    where x.tenant_id = s.tenant_id and x.environment = s.environment and x.execute_at <= s.now
    order by x.execute_at limit 1) due
  where exists (select from payout x where x.execute_at is not null)
  union all
  select 'check-payouts', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from payout x
    where x.tenant_id = s.tenant_id and x.environment = s.environment and x.check_at <= now()
    order by x.check_at limit 1) due
  where exists (select from payout x where x.check_at is not null)
  union all
  select 'provision-accounts', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from payout_account x
    where x.tenant_id = s.tenant_id and x.environment = s.environment and x.check_at <= s.now
    order by x.check_at limit 1) due
  where exists (select from payout_account x where x.check_at is not null)
  union all
  select 'retry-payment-events', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from payment_event x
    where x.tenant_id = s.tenant_id and x.environment = s.environment and x.retry_at <= now()
    order by x.retry_at limit 1) due
  where exists (select from payment_event x where x.retry_at is not null)
  union all
  select 'expire-leads', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from lead l
    where l.tenant_id = s.tenant_id and l.environment = s.environment and l.expires_at <= s.now
      and l.conversion_status in ('captured', 'qualified')
    order by l.expires_at limit 1) due
  where exists (select from lead l where l.expires_at is not null and l.conversion_status in ('captured', 'qualified'))
  union all
  select 'forget-clicks', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from referral_click c
    where c.tenant_id = s.tenant_id and c.environment = s.environment and c.id < first_id_at(now() - interval '400 days')
    order by c.id limit 1) due
  where exists (select from referral_click)
  union all
  select 'tidy-imports', s.tenant_id, s.environment
  from scope s
  cross join lateral (
    select from import_run i
    where i.tenant_id = s.tenant_id and i.environment = s.environment and i.tidy_at <= now()
    order by i.tidy_at limit 1) due
  where exists (select from import_run i where i.tidy_at is not null)
$$;
reset role;
revoke create on schema public from svc_auth;
revoke select (outcome, received_at) on payment_event from svc_auth;
revoke select (tenant_id, environment, outcome, received_at, vendor_created_at) on kyc_event from svc_auth;
drop policy resolver_reads on kyc_event;
revoke update (outcome) on kyc_event from svc_worker;
revoke select on kyc_event from svc_worker;
revoke delete on kyc_event, payment_event from svc_app, svc_worker;
drop index payment_event_settled_idx;
drop index kyc_event_settled_idx;
`);
}
