import type { Knex } from 'knex';

/** Referrals: links, clicks, receipts of attributions, the rest of a lead's life, and imports. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- How a tenant attributes in one environment; no row: the defaults (src/features/referrals).
create table referral_settings (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  attribution_model text not null check (attribution_model in ('last_click', 'first_click')),
  attribution_window_days integer not null check (attribution_window_days between 1 and 365),
  -- Where a link may lead: host names, or *.name for all below it.
  allowed_destination_hosts text[] not null,
  -- Null: leads do not expire.
  lead_expiry_days integer check (lead_expiry_days between 1 and 1825),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, environment)
);
call raise_tenant_wall('referral_settings');
grant select, insert, update on referral_settings to svc_app;
grant select on referral_settings to svc_worker;

-- The first characters of every slug of one environment of a tenant: who follows a link has no key, so it is they that
-- tell whose it is. Kept for ever, so that no slug comes to mean another tenant's link.
create table link_tag (
  tag text primary key check (tag ~ '^[0-9a-z]{4}$'),
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  constraint link_tag_scope_key unique (tenant_id, environment)
);
call raise_tenant_wall('link_tag');
grant select, insert on link_tag to svc_app;
grant select on link_tag to svc_worker;

alter table referral_code add column updated_at timestamptz not null default now();
grant update (status, is_default, updated_at) on referral_code to svc_app;
create index referral_code_retired_idx on referral_code (tenant_id, environment, id) where status = 'retired';

create table referral_link (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  -- A deleted link keeps its row, and so its slug.
  slug text not null check (slug ~ '^[0-9a-z]{8,32}$'),
  member_id uuid not null,
  destination_url text not null check (length(destination_url) between 1 and 2048),
  name text check (length(name) between 1 and 255),
  status text not null check (status in ('active', 'disabled', 'deleted')),
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, environment, id),
  constraint referral_link_slug_key unique (tenant_id, environment, slug),
  constraint referral_link_member_fkey foreign key (tenant_id, environment, member_id) references member
);
create index referral_link_member_idx on referral_link (tenant_id, environment, member_id, id);
create index referral_link_disabled_idx on referral_link (tenant_id, environment, id) where status = 'disabled';
call raise_tenant_wall('referral_link');
grant select, insert, update on referral_link to svc_app;
grant select on referral_link to svc_worker;

-- member_id is the owner of the link or code at the time; not a foreign key: the link and the code have it.
create table referral_click (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  link_id uuid,
  code_id uuid,
  member_id uuid not null,
  -- A prefetch is not counted, but what came of it is attributed: the person it was fetched for may have come.
  kind text not null check (kind in ('redirect', 'prefetch', 'server')),
  clicked_at timestamptz not null,
  -- Keyed digest of the address with a salt of the day; the address itself is never stored.
  ip_hash bytea check (length(ip_hash) = 16),
  referrer_host text check (length(referrer_host) <= 255),
  -- Whose it was, once the tenant has told.
  customer_external_id text check (length(customer_external_id) between 1 and 255),
  primary key (tenant_id, environment, id),
  constraint referral_click_link_fkey foreign key (tenant_id, environment, link_id) references referral_link,
  constraint referral_click_code_fkey foreign key (tenant_id, environment, code_id) references referral_code,
  constraint referral_click_source_check check (num_nonnulls(link_id, code_id) = 1)
);
-- The clicks of a link are counted by kind, in the index alone.
create index referral_click_link_idx on referral_click (tenant_id, environment, link_id, kind, clicked_at) where link_id is not null;
create index referral_click_code_idx on referral_click (tenant_id, environment, code_id, clicked_at) where code_id is not null;
create index referral_click_customer_idx on referral_click (tenant_id, environment, customer_external_id, clicked_at)
  where customer_external_id is not null;
call raise_tenant_wall('referral_click');
grant select, insert, delete on referral_click to svc_app, svc_worker;
-- The worker changes none; without the right it could not lock the rows that it forgets.
grant update (customer_external_id) on referral_click to svc_app, svc_worker;

-- Who was considered for a purchase or a lead, and why one won: all that the rule looked at, so that it can be run again.
create table attribution_receipt (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  event_id uuid,
  lead_id uuid,
  rule text not null check (length(rule) <= 40),
  winner_id uuid,
  model text not null check (model in ('last_click', 'first_click')),
  window_days integer not null,
  -- The time of the sale or of the capture: what the window is counted back from.
  as_of timestamptz not null,
  buyer_id uuid,
  self_id uuid,
  candidates jsonb not null,
  -- Of a lead: a capture that says nothing new has no receipt of its own.
  content_key bytea check (length(content_key) = 32),
  created_at timestamptz not null,
  primary key (tenant_id, environment, id),
  constraint attribution_receipt_event_fkey foreign key (tenant_id, environment, event_id) references event,
  constraint attribution_receipt_lead_fkey foreign key (tenant_id, environment, lead_id) references lead,
  constraint attribution_receipt_winner_fkey foreign key (tenant_id, environment, winner_id) references member,
  constraint attribution_receipt_subject_check check (num_nonnulls(event_id, lead_id) = 1),
  constraint attribution_receipt_key_check check ((lead_id is null) = (content_key is null))
);
create unique index attribution_receipt_event_key on attribution_receipt (tenant_id, environment, event_id) where event_id is not null;
create unique index attribution_receipt_lead_key on attribution_receipt (tenant_id, environment, lead_id, content_key)
  where lead_id is not null;
create index attribution_receipt_winner_idx on attribution_receipt (tenant_id, environment, winner_id, id) where winner_id is not null;
create trigger append_only before update or delete on attribution_receipt for each statement execute function refuse_change();
call raise_tenant_wall('attribution_receipt');
grant select, insert on attribution_receipt to svc_app, svc_worker;

-- Of the receipt that is this event's: not a foreign key, for the receipt has one to the event.
alter table event add column receipt_id uuid;

-- The receipt by which the lead has its referrer; not a foreign key, for the receipt has one to the lead.
alter table lead add column receipt_id uuid, add column attribution_rule text check (length(attribution_rule) <= 40),
  -- Null: it does not expire.
  add column expires_at timestamptz;
create index lead_expires_idx on lead (tenant_id, environment, expires_at)
  where expires_at is not null and conversion_status in ('captured', 'qualified');
create index lead_any_expires_idx on lead (expires_at)
  where expires_at is not null and conversion_status in ('captured', 'qualified');
create index lead_source_idx on lead (tenant_id, environment, source, id) where source is not null;
create index lead_created_idx on lead (tenant_id, environment, created_at);

-- As emails are compared; and the member that the customer's first attributed purchase was credited to.
alter table customer add column email_norm text check (length(email_norm) <= 254), add column first_referrer_id uuid,
  add column first_referrer_at timestamptz,
  add constraint customer_first_referrer_fkey foreign key (tenant_id, environment, first_referrer_id) references member not valid;
create index customer_first_referrer_idx on customer (tenant_id, environment, first_referrer_id) where first_referrer_id is not null;
alter table customer no force row level security;
alter table event no force row level security;
update customer set email_norm = lower(normalize(email, nfc)) where email is not null;
update customer c set first_referrer_id = e.attributed_member_id, first_referrer_at = e.recorded_at
from (select distinct on (tenant_id, environment, customer_id) tenant_id, environment, customer_id, attributed_member_id, recorded_at
      from event
      where kind = 'purchase' and attributed_member_id is not null and attribution_rule in ('explicit_user', 'referral_code')
      order by tenant_id, environment, customer_id, id) e
where c.tenant_id = e.tenant_id and c.environment = e.environment and c.id = e.customer_id;
alter table customer force row level security;
alter table event force row level security;

alter table commission_line drop constraint commission_line_hold_cause_check;
alter table commission_line add constraint commission_line_hold_cause_check
  check (hold_cause in ('manual', 'dispute', 'self_purchase')) not valid;

-- A file of rows that a tenant sent. Rows wait in import_row until each has been decided.
create table import_run (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  kind text not null check (kind in ('members', 'leads', 'purchases')),
  mode text not null check (mode in ('validate', 'apply')),
  status text not null check (status in ('receiving', 'queued', 'running', 'completed', 'failed', 'cancelled')),
  file_name text check (length(file_name) <= 255),
  byte_count bigint not null default 0,
  row_count integer not null default 0,
  applied_count integer not null default 0,
  failed_count integer not null default 0,
  -- How far the work has come within its step, which survives a crash.
  step text check (length(step) <= 40),
  failure text check (length(failure) <= 500),
  created_by text not null,
  -- What is left of it by then is removed: of a transfer that broke off, or of one that ended long ago.
  tidy_at timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz not null,
  primary key (tenant_id, environment, id)
);
create index import_run_tidy_idx on import_run (tenant_id, environment, tidy_at) where tidy_at is not null;
create index import_run_any_tidy_idx on import_run (tidy_at) where tidy_at is not null;
call raise_tenant_wall('import_run');
grant select, insert, update, delete on import_run to svc_app, svc_worker;

-- A row that was applied is deleted in the same transaction; one that cannot be loses its fields and keeps the faults.
create table import_row (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  import_id uuid not null,
  -- Of the record in the file, the header line being 1.
  row_number integer not null check (row_number > 1),
  state text not null check (state in ('waiting', 'failed')),
  fields jsonb,
  faults jsonb,
  -- How the row and its sponsor are named, until they are linked: an email as emails are compared, an external id.
  email_norm text check (length(email_norm) <= 254),
  external_id text check (length(external_id) <= 255),
  sponsor_email_norm text check (length(sponsor_email_norm) <= 254),
  sponsor_external_id text check (length(sponsor_external_id) <= 255),
  -- The row of this file that the sponsor is in, whether it may recruit, and how far the row is below one without such.
  sponsor_row integer,
  sponsor_recruits boolean,
  depth integer not null default 0,
  primary key (tenant_id, environment, import_id, row_number),
  constraint import_row_run_fkey foreign key (tenant_id, environment, import_id) references import_run,
  constraint import_row_faults_check check ((state = 'failed') = (faults is not null))
);
create index import_row_state_idx on import_row (tenant_id, environment, import_id, state, depth, row_number);
create index import_row_email_idx on import_row (tenant_id, environment, import_id, email_norm, row_number)
  where email_norm is not null;
create index import_row_external_id_idx on import_row (tenant_id, environment, import_id, external_id, row_number)
  where external_id is not null;
call raise_tenant_wall('import_row');
grant select, insert, update, delete on import_row to svc_app, svc_worker;

-- The lowest UUIDv7 of an instant: ids are in the order of their time.
create function first_id_at(instant timestamptz) returns uuid language sql stable parallel safe
as $$
  select (lpad(to_hex(floor(extract(epoch from instant) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;

create policy resolver_reads on link_tag for select to svc_auth using (true);
create policy resolver_reads on lead for select to svc_auth using (true);
create policy resolver_reads on referral_click for select to svc_auth using (true);
create policy resolver_reads on import_run for select to svc_auth using (true);
grant select on link_tag to svc_auth;
grant select (tenant_id, environment, expires_at, conversion_status) on lead to svc_auth;
grant select (tenant_id, environment, id) on referral_click to svc_auth;
grant select (tenant_id, environment, tidy_at) on import_run to svc_auth;
grant create on schema public to svc_auth;
create function locate_link_tag(of_tag text) returns table (tenant_id uuid, environment text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select t.tenant_id, t.environment from link_tag t where t.tag = of_tag
$$;
revoke all on function locate_link_tag(text) from public;
grant execute on function locate_link_tag(text) to svc_app;
alter function locate_link_tag(text) owner to svc_auth;
-- An import writes more rows at once than autovacuum has heard of, and what it looks up by would be read as if there
-- were none.
create function analyze_for_import() returns void language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  analyze import_row;
  analyze member (tenant_id, environment, id, email_norm, external_id);
  analyze referral_code (tenant_id, environment, code, member_id);
end $$;
revoke all on function analyze_for_import() from public;
grant execute on function analyze_for_import() to svc_app, svc_worker;
grant maintain on import_row, member, referral_code to svc_auth;
alter function analyze_for_import() owner to svc_auth;
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

do $$
declare
  opened text;
begin
  foreach opened in array array['import_row', 'import_run', 'attribution_receipt', 'referral_click', 'referral_link']
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
  delete from import_row where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from import_run where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from attribution_receipt where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from referral_click where tenant_id = erased_tenant and environment = 'SANDBOX';
  delete from referral_link where tenant_id = erased_tenant and environment = 'SANDBOX';
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
$$;
reset role;
revoke create on schema public from svc_auth;
drop function locate_link_tag(text);
drop policy resolver_reads on lead;
revoke select (tenant_id, environment, expires_at, conversion_status) on lead from svc_auth;
drop function analyze_for_import();
revoke maintain on member, referral_code from svc_auth;
drop table import_row;
drop table import_run;
alter table commission_line drop constraint commission_line_hold_cause_check;
-- Before this release no hold has that cause; they stay held, and somebody releases them as they would have.
alter table commission_line no force row level security;
update commission_line set hold_cause = 'manual' where hold_cause = 'self_purchase';
alter table commission_line force row level security;
alter table commission_line add constraint commission_line_hold_cause_check check (hold_cause in ('manual', 'dispute')) not valid;
alter table commission_line validate constraint commission_line_hold_cause_check;
drop index customer_first_referrer_idx;
alter table customer drop constraint customer_first_referrer_fkey;
alter table customer drop column first_referrer_at, drop column first_referrer_id, drop column email_norm;
drop index lead_created_idx;
drop index lead_source_idx;
drop index lead_any_expires_idx;
drop index lead_expires_idx;
alter table lead drop column expires_at, drop column attribution_rule, drop column receipt_id;
alter table event drop column receipt_id;
drop table attribution_receipt;
drop table referral_click;
drop function first_id_at(timestamptz);
drop table referral_link;
drop index referral_code_retired_idx;
revoke update (status, is_default, updated_at) on referral_code from svc_app;
alter table referral_code drop column updated_at;
drop table link_tag;
drop table referral_settings;
`);
}
