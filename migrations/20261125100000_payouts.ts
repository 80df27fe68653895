import type { Knex } from 'knex';

/** Payouts: settings, members' accounts at the provider, runs with their payouts, and the provider's events. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- How a tenant pays its members in one environment; no row: by hand. Secrets are sealed under a data key.
create table payment_settings (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  provider text not null check (provider in ('manual', 'payvendor')),
  secret_key_sealed bytea,
  -- A JSON array: the vendor signs with several while one is changed, and has one for each of its endpoints.
  webhook_secrets_sealed bytea,
  platform_country text check (platform_country ~ '^[A-Z]{2}$'),
  capabilities text[] not null check (capabilities <@ array['transfers', 'card_payments'] and 'transfers' = any (capabilities)),
  approved_recipient_countries text[] not null,
  -- Null: the vendor's own address.
  base_url text check (length(base_url) <= 2000),
  require_kyc boolean not null,
  -- Whoever drafted a run may not approve it.
  dual_control boolean not null,
  account_cooldown_hours integer not null check (account_cooldown_hours between 0 and 720),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, environment)
);
call raise_tenant_wall('payment_settings');
grant select, insert, update on payment_settings to svc_app;
grant select on payment_settings to svc_worker;

-- What the provider keeps for a member in one country: money is sent to it, and from there to a bank account.
create table provider_account (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  member_id uuid not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- acct_…; null until the provider has answered.
  provider_account_id text check (length(provider_account_id) between 1 and 255),
  status text not null check (status in ('provisioning', 'active', 'pending', 'restricted', 'rejected', 'gone')),
  transfers text check (length(transfers) <= 40),
  disabled_reason text check (length(disabled_reason) <= 255),
  requirements text[] not null default '{}',
  -- Of the profile that it was made from: another one is another request.
  profile_version text not null check (length(profile_version) <= 64),
  -- When the provider was first asked for it with this version; the provider forgets what it was asked after a day.
  requested_at timestamptz,
  -- Until then somebody is asking; by the real clock.
  claimed_until timestamptz,
  last_event_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, environment, id),
  constraint provider_account_member_key unique (tenant_id, environment, member_id, country),
  constraint provider_account_member_fkey foreign key (tenant_id, environment, member_id) references member
);
create unique index provider_account_provider_key on provider_account (tenant_id, environment, provider_account_id)
  where provider_account_id is not null;
create index provider_account_lookup_idx on provider_account (provider_account_id) where provider_account_id is not null;
call raise_tenant_wall('provider_account');
grant select, insert, update on provider_account to svc_app, svc_worker;

create table payout_account (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  member_id uuid not null,
  provider_type text not null check (provider_type in ('manual', 'payvendor')),
  method_type text not null check (length(method_type) between 1 and 64),
  display_name text not null check (length(display_name) between 1 and 140),
  country text not null check (country ~ '^[A-Z]{2}$'),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  is_primary boolean not null,
  status text not null check (status in ('provisioning', 'active', 'action_required', 'rejected', 'deactivated')),
  status_reason text check (length(status_reason) <= 500),
  provider_account_ref uuid,
  -- ba_…
  external_account_id text check (length(external_account_id) between 1 and 255),
  -- The bank details as they were given: for as long as whoever pays needs them, which is until the provider has them.
  bank_sealed bytea,
  last_four text check (length(last_four) <= 4),
  bank_name text check (length(bank_name) <= 255),
  -- Keyed digest of the method and the details: the same account given twice, or by two members. A member has it once
  -- with each provider, so that a tenant can change from one to the other.
  fingerprint bytea not null check (length(fingerprint) = 32),
  attempt integer not null default 1,
  -- First usable so many hours after this.
  activated_at timestamptz,
  -- Of the provider's terms: {acceptedAt, ip, userAgent, source}.
  tos_acceptance jsonb,
  -- When a provisioning that broke off goes on.
  check_at timestamptz,
  checks integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, environment, id),
  constraint payout_account_member_fkey foreign key (tenant_id, environment, member_id) references member,
  constraint payout_account_provider_fkey foreign key (tenant_id, environment, provider_account_ref) references provider_account,
  constraint payout_account_primary_check check (not is_primary or status <> 'deactivated'),
  constraint payout_account_active_check check (status <> 'active' or activated_at is not null)
);
create unique index payout_account_primary_key on payout_account (tenant_id, environment, member_id) where is_primary;
create unique index payout_account_fingerprint_key on payout_account (tenant_id, environment, member_id, provider_type, fingerprint)
  where status <> 'deactivated';
create index payout_account_member_idx on payout_account (tenant_id, environment, member_id, id);
create index payout_account_shared_idx on payout_account (tenant_id, environment, fingerprint) where status <> 'deactivated';
create index payout_account_provider_idx on payout_account (tenant_id, environment, provider_account_ref)
  where provider_account_ref is not null;
create index payout_account_check_idx on payout_account (tenant_id, environment, check_at) where check_at is not null;
create index payout_account_any_check_idx on payout_account (check_at) where check_at is not null;
call raise_tenant_wall('payout_account');
grant select, insert, update on payout_account to svc_app, svc_worker;

create table payout_run (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Commissions that had cleared by then; what takes money back counts whenever it came.
  cutoff_at timestamptz not null,
  status text not null check (status in ('draft', 'approved', 'executing', 'completed', 'partially_failed', 'cancelled')),
  payout_count integer not null default 0,
  total_minor bigint not null default 0,
  blocked_count integer not null default 0,
  created_by text not null,
  approved_by text,
  approved_at timestamptz,
  executed_by text,
  executed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, environment, id)
);
call raise_tenant_wall('payout_run');
grant select, insert, update on payout_run to svc_app, svc_worker;

create table payout_block (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  payout_run_id uuid not null,
  member_id uuid not null,
  reason text not null
    check (reason in ('BELOW_MINIMUM', 'NO_ACCOUNT', 'KYC_REQUIRED', 'NEGATIVE_BALANCE', 'ACCOUNT_COOLDOWN', 'INACTIVE')),
  amount_minor bigint not null,
  primary key (tenant_id, environment, payout_run_id, member_id),
  constraint payout_block_run_fkey foreign key (tenant_id, environment, payout_run_id) references payout_run,
  constraint payout_block_member_fkey foreign key (tenant_id, environment, member_id) references member
);
create index payout_block_member_idx on payout_block (tenant_id, environment, member_id);
call raise_tenant_wall('payout_block');
grant select, insert on payout_block to svc_app, svc_worker;

create table payout (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  payout_run_id uuid not null,
  member_id uuid not null,
  payout_account_id uuid not null,
  provider_type text not null check (provider_type in ('manual', 'payvendor')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint not null check (amount_minor > 0),
  line_count integer not null check (line_count > 0),
  status text not null check (status in ('queued', 'processing', 'paid', 'failed', 'returned', 'cancelled')),
  -- Of payout_attempt; 0 until it is first executed.
  attempt integer not null default 0,
  failure_code text check (length(failure_code) <= 100),
  failure_message text check (length(failure_message) <= 500),
  -- Of the tenant's own bank, where the tenant pays.
  reference text check (length(reference) between 1 and 255),
  -- Due to be executed, and when the provider is asked what became of it.
  execute_at timestamptz,
  check_at timestamptz,
  checks integer not null default 0,
  -- Until then one job alone speaks to the provider about it.
  claimed_until timestamptz,
  paid_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, environment, id),
  constraint payout_run_fkey foreign key (tenant_id, environment, payout_run_id) references payout_run,
  constraint payout_member_fkey foreign key (tenant_id, environment, member_id) references member,
  constraint payout_account_fkey foreign key (tenant_id, environment, payout_account_id) references payout_account,
  constraint payout_paid_check check (status <> 'paid' or paid_at is not null),
  constraint payout_due_check check (execute_at is null or status = 'queued')
);
-- Each leaves out nothing. They are partial so that none is thought as good as the primary key where a payout is looked
-- up by its id: before the table was first analyzed all would be, and a run's foreign keys would be checked by reading
-- all payouts for each commission.
create index payout_member_idx on payout (tenant_id, environment, member_id, id) where member_id is not null;
create unique index payout_run_member_key on payout (tenant_id, environment, payout_run_id, member_id) where payout_run_id is not null;
create index payout_run_idx on payout (tenant_id, environment, payout_run_id, status, id) where payout_run_id is not null;
-- A run's payouts in their order, whatever has become of them.
create index payout_run_order_idx on payout (tenant_id, environment, payout_run_id, id) where payout_run_id is not null;
create index payout_account_idx on payout (tenant_id, environment, payout_account_id) where payout_account_id is not null;
create index payout_execute_idx on payout (tenant_id, environment, execute_at, id) where execute_at is not null;
create index payout_any_execute_idx on payout (execute_at) where execute_at is not null;
create index payout_check_idx on payout (tenant_id, environment, check_at) where check_at is not null;
create index payout_any_check_idx on payout (check_at) where check_at is not null;
call raise_tenant_wall('payout');
grant select, insert, update on payout to svc_app, svc_worker;

-- One execution of a payout: the cause of its journals, and what its requests to the provider are named by.
create table payout_attempt (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  payout_id uuid not null,
  attempt integer not null check (attempt > 0),
  -- tr_… and po_…, saved one by one: what was answered is not asked for again.
  transfer_id text check (length(transfer_id) between 1 and 255),
  provider_payout_id text check (length(provider_payout_id) between 1 and 255),
  reversal_id text check (length(reversal_id) between 1 and 255),
  -- Of the payout, for certain, for money that had not arrived yet: the provider repeats its answer to a key, so each is asked for by another.
  refusals integer not null default 0,
  outcome text check (outcome in ('paid', 'failed', 'returned')),
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, environment, id),
  constraint payout_attempt_key unique (tenant_id, environment, payout_id, attempt),
  constraint payout_attempt_payout_fkey foreign key (tenant_id, environment, payout_id) references payout
);
create unique index payout_attempt_transfer_key on payout_attempt (tenant_id, environment, transfer_id) where transfer_id is not null;
create unique index payout_attempt_provider_key on payout_attempt (tenant_id, environment, provider_payout_id)
  where provider_payout_id is not null;
call raise_tenant_wall('payout_attempt');
grant select, insert, update on payout_attempt to svc_app, svc_worker;

-- The commissions that a payout consumes.
create table payout_line (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  payout_id uuid not null,
  line_id uuid not null,
  amount_minor bigint not null,
  -- False once the payout was cancelled, has failed or came back: then another one may consume the line.
  live boolean not null default true,
  primary key (tenant_id, environment, payout_id, line_id),
  constraint payout_line_payout_fkey foreign key (tenant_id, environment, payout_id) references payout,
  constraint payout_line_line_fkey foreign key (tenant_id, environment, line_id) references commission_line
);
-- Both partial as those of payout are: a payout's lines are found by the primary key alone.
create index payout_line_line_idx on payout_line (tenant_id, environment, line_id) where line_id is not null;
-- No commission is in two payouts at once.
create unique index payout_line_live_key on payout_line (tenant_id, environment, line_id) where live and line_id is not null;
call raise_tenant_wall('payout_line');
grant select, insert, update on payout_line to svc_app, svc_worker;

-- What the payment vendor has told us, each event once.
create table payment_event (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  provider text not null check (provider in ('payvendor')),
  event_id text not null check (length(event_id) between 1 and 255),
  type text not null check (length(type) <= 255),
  account_id text check (length(account_id) <= 255),
  object_id text check (length(object_id) <= 255),
  vendor_created_at timestamptz,
  outcome text not null check (outcome in ('applied', 'no_change', 'older', 'parked', 'ignored', 'foreign')),
  -- A parked one is tried again then.
  retry_at timestamptz,
  retries integer not null default 0,
  body jsonb not null,
  received_at timestamptz not null default now(),
  primary key (tenant_id, environment, id),
  constraint payment_event_event_key unique (tenant_id, environment, provider, event_id),
  constraint payment_event_retry_check check (retry_at is null or outcome = 'parked')
);
create index payment_event_retry_idx on payment_event (tenant_id, environment, retry_at) where retry_at is not null;
create index payment_event_any_retry_idx on payment_event (retry_at) where retry_at is not null;
create index payment_event_object_idx on payment_event (tenant_id, environment, object_id) where object_id is not null;
call raise_tenant_wall('payment_event');
grant select, insert, update on payment_event to svc_app, svc_worker;

-- Which commissions a run may take: those of one currency that are cleared.
create index commission_line_cleared_idx on commission_line (tenant_id, environment, currency, beneficiary_id, clears_at)
  include (amount_minor) where status = 'cleared';

alter table journal_entry drop constraint journal_entry_cause_type_check;
alter table journal_entry add constraint journal_entry_cause_type_check
  check (cause_type in ('event', 'clearing', 'hold', 'release', 'void', 'write_off', 'payout_processing', 'payout_paid',
                        'payout_failed', 'payout_returned')) not valid;

-- The vendor's events name no tenant: its accounts do, and which of a tenant's secrets signed them tells the environment.
create policy resolver_reads on payment_settings for select to svc_auth using (true);
create policy resolver_reads on provider_account for select to svc_auth using (true);
grant select (tenant_id, environment, webhook_secrets_sealed) on payment_settings to svc_auth;
grant select (tenant_id, environment, provider_account_id) on provider_account to svc_auth;
create policy resolver_reads on payout for select to svc_auth using (true);
create policy resolver_reads on payout_account for select to svc_auth using (true);
create policy resolver_reads on payment_event for select to svc_auth using (true);
grant select (tenant_id, environment, id, execute_at, check_at) on payout to svc_auth;
grant select (tenant_id, environment, check_at) on payout_account to svc_auth;
grant select (tenant_id, environment, retry_at) on payment_event to svc_auth;
grant create on schema public to svc_auth;
create function locate_payment_secrets(of_tenant uuid) returns table (environment text, webhook_secrets_sealed bytea)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select s.environment, s.webhook_secrets_sealed from payment_settings s
  where s.tenant_id = of_tenant and s.webhook_secrets_sealed is not null order by s.environment
$$;
revoke all on function locate_payment_secrets(uuid) from public;
grant execute on function locate_payment_secrets(uuid) to svc_app;
alter function locate_payment_secrets(uuid) owner to svc_auth;
create function locate_provider_account(of_account text) returns table (tenant_id uuid, environment text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select a.tenant_id, a.environment from provider_account a where a.provider_account_id = of_account limit 10
$$;
revoke all on function locate_provider_account(text) from public;
grant execute on function locate_provider_account(text) to svc_app;
alter function locate_provider_account(text) owner to svc_auth;
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
$$;
reset role;
revoke create on schema public from svc_auth;

do $$
declare
  opened text;
begin
  foreach opened in array array['payment_event', 'payout_line', 'payout_attempt', 'payout', 'payout_block', 'payout_run',
    'payout_account', 'provider_account']
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
  delete from payment_event where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from payout_line where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from payout_attempt where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from payout where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from payout_block where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from payout_run where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from payout_account where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from provider_account where tenant_id = erased_tenant and environment = 'SANDBOX';
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
  -- Rows go now, what they stand for in the storage right after: by the sweep.
  insert into object_removal (tenant_id, environment, storage_key, remove_after)
    select d.tenant_id, d.environment, d.storage_key, now() from kyc_document d
    where d.tenant_id = erased_tenant and d.environment = 'SANDBOX'
    union all
    select u.tenant_id, u.environment, u.pending_key, now() from kyc_upload u
    where u.tenant_id = erased_tenant and u.environment = 'SANDBOX'
    on conflict (tenant_id, environment, storage_key) do update set remove_after = excluded.remove_after;
  delete from kyc_event where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from kyc_document where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from kyc_upload where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from kyc_record where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from refresh_token where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from token_family where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member_identity where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member_profile where tenant_id = erased_tenant and environment = 'SANDBOX';
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
  delete from downline_count where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from downline_month where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from commission_pending where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from commission_rollup where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from commission_leg where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from rollup_state where tenant_id = erased_tenant and environment = 'SANDBOX';
  -- Rows go now, what they stand for in the storage right after: by the sweep.
  insert into object_removal (tenant_id, environment, storage_key, remove_after)
    select d.tenant_id, d.environment, d.storage_key, now() from kyc_document d
    where d.tenant_id = erased_tenant and d.environment = 'SANDBOX'
    union all
    select u.tenant_id, u.environment, u.pending_key, now() from kyc_upload u
    where u.tenant_id = erased_tenant and u.environment = 'SANDBOX'
    on conflict (tenant_id, environment, storage_key) do update set remove_after = excluded.remove_after;
  delete from kyc_event where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from kyc_document where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from kyc_upload where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from kyc_record where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from refresh_token where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from token_family where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member_identity where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from member_profile where tenant_id = erased_tenant and environment = 'SANDBOX';
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
$$;
reset role;
revoke create on schema public from svc_auth;
drop function locate_provider_account(text);
drop function locate_payment_secrets(uuid);
alter table journal_entry drop constraint journal_entry_cause_type_check;
alter table journal_entry add constraint journal_entry_cause_type_check
  check (cause_type in ('event', 'clearing', 'hold', 'release', 'void', 'write_off'));
drop index commission_line_cleared_idx;
drop table payment_event;
drop table payout_line;
drop table payout_attempt;
drop table payout;
drop table payout_block;
drop table payout_run;
drop table payout_account;
drop table provider_account;
drop table payment_settings;
`);
}
