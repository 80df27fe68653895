import type { Knex } from 'knex';

/** Members' identity verification: settings, records, documents and their uploads, the vendor's events; and objects to be removed. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- How a tenant verifies its members in one environment; no row: by hand. Secrets are sealed under a data key.
create table kyc_settings (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  provider text not null check (provider in ('manual', 'kycvendor')),
  app_token_sealed bytea,
  secret_key_sealed bytea,
  webhook_secret_sealed bytea,
  previous_webhook_secret_sealed bytea,
  level_name text check (length(level_name) between 1 and 255),
  client_id text check (length(client_id) between 1 and 255),
  allowed_digest_algs text[] not null
    check (cardinality(allowed_digest_algs) > 0
           and allowed_digest_algs <@ array['HMAC_SHA256_HEX', 'HMAC_SHA512_HEX', 'HMAC_SHA1_HEX']),
  ttl_in_secs integer not null check (ttl_in_secs between 60 and 86400),
  -- Null: the vendor's own address.
  base_url text check (length(base_url) <= 2000),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, environment)
);
call raise_tenant_wall('kyc_settings');
grant select, insert, update on kyc_settings to svc_app;
grant select on kyc_settings to svc_worker;

-- The vendor's events name the tenant only: which environment they are of is told by the secret that signed them.
create policy resolver_reads on kyc_settings for select to svc_auth using (true);
grant select on kyc_settings to svc_auth;
grant create on schema public to svc_auth;
create function locate_kyc_secrets(of_tenant uuid)
  returns table (environment text, webhook_secret_sealed bytea, previous_webhook_secret_sealed bytea, allowed_digest_algs text[],
                 client_id text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select s.environment, s.webhook_secret_sealed, s.previous_webhook_secret_sealed, s.allowed_digest_algs, s.client_id
  from kyc_settings s where s.tenant_id = of_tenant order by s.environment
$$;
revoke all on function locate_kyc_secrets(uuid) from public;
grant execute on function locate_kyc_secrets(uuid) to svc_app;
alter function locate_kyc_secrets(uuid) owner to svc_auth;
revoke create on schema public from svc_auth;

-- One verification a member, for good. Its history is in audit_log, under object_kind kyc_record.
create table kyc_record (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  member_id uuid not null,
  provider text not null check (provider in ('manual', 'kycvendor')),
  provider_applicant_id text check (length(provider_applicant_id) between 1 and 255),
  status text not null default 'not_started'
    check (status in ('not_started', 'pending', 'approved', 'rejected', 'resubmit_required')),
  -- Since when it has this status: how long it has waited.
  status_since timestamptz not null,
  verified_at timestamptz,
  rejection_reason text check (length(rejection_reason) <= 2000),
  -- admin: staff has decided. What the vendor says from then on is kept, and changes nothing until the record is reset.
  decided_by text check (decided_by in ('admin', 'vendor')),
  assigned_to text check (length(assigned_to) between 1 and 200),
  -- By the vendor's clock, of the latest event that counted: older ones do not.
  last_event_at timestamptz,
  -- When the vendor is to be asked how it stands, and how often it was since the last change.
  check_at timestamptz,
  checks integer not null default 0,
  -- What the simulated vendor of a SANDBOX says of it.
  simulated_review jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, environment, id),
  constraint kyc_record_member_key unique (tenant_id, environment, member_id),
  constraint kyc_record_member_fkey foreign key (tenant_id, environment, member_id) references member,
  constraint kyc_record_verified_check check ((status = 'approved') = (verified_at is not null)),
  constraint kyc_record_rejected_check check (status <> 'rejected' or rejection_reason is not null)
);
create unique index kyc_record_applicant_key on kyc_record (tenant_id, environment, provider_applicant_id)
  where provider_applicant_id is not null;
create index kyc_record_queue_idx on kyc_record (tenant_id, environment, status, status_since, id);
create index kyc_record_since_idx on kyc_record (tenant_id, environment, status_since, id);
create index kyc_record_check_idx on kyc_record (tenant_id, environment, check_at) where check_at is not null;
call raise_tenant_wall('kyc_record');
grant select, insert, update on kyc_record to svc_app, svc_worker;
grant update (kyc_approved_at) on member to svc_app, svc_worker;

-- A place in the storage that a member may write to for a while. The document is copied away from it.
create table kyc_upload (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  kyc_record_id uuid not null,
  -- Null: it is said when the document is recorded.
  document_type text check (document_type in ('government_id_front', 'government_id_back', 'selfie', 'proof_of_address')),
  file_name text not null check (length(file_name) between 1 and 255),
  mime_type text not null check (mime_type in ('image/jpeg', 'image/png', 'application/pdf')),
  -- Null: the member did not say; at most the limit then.
  file_size integer check (file_size > 0),
  pending_key text not null,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, environment, id),
  constraint kyc_upload_pending_key_key unique (tenant_id, environment, pending_key),
  constraint kyc_upload_record_fkey foreign key (tenant_id, environment, kyc_record_id) references kyc_record
);
create index kyc_upload_record_idx on kyc_upload (tenant_id, environment, kyc_record_id, id);
call raise_tenant_wall('kyc_upload');
grant select, insert, update, delete on kyc_upload to svc_app;

create table kyc_document (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  kyc_record_id uuid not null,
  -- A later document of the same type takes the place of an earlier one.
  document_type text not null check (document_type in ('government_id_front', 'government_id_back', 'selfie', 'proof_of_address')),
  file_name text not null check (length(file_name) between 1 and 255),
  mime_type text not null check (mime_type in ('image/jpeg', 'image/png', 'application/pdf')),
  file_size integer not null check (file_size > 0),
  storage_key text not null,
  content_sha256 bytea not null check (length(content_sha256) = 32),
  malware_scan text not null check (malware_scan in ('clean', 'not_scanned')),
  status text not null default 'uploaded' check (status in ('uploaded', 'accepted', 'rejected')),
  rejection_reason text check (length(rejection_reason) <= 500),
  reviewed_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, environment, id),
  constraint kyc_document_storage_key_key unique (tenant_id, environment, storage_key),
  constraint kyc_document_record_fkey foreign key (tenant_id, environment, kyc_record_id) references kyc_record,
  constraint kyc_document_reviewed_check check ((status = 'uploaded') = (reviewed_at is null)),
  constraint kyc_document_rejected_check check (status <> 'rejected' or rejection_reason is not null)
);
create index kyc_document_record_idx on kyc_document (tenant_id, environment, kyc_record_id, id);
call raise_tenant_wall('kyc_document');
grant select, insert, delete on kyc_document to svc_app;
grant update (status, rejection_reason, reviewed_at) on kyc_document to svc_app;

-- What the vendor has told us, each delivery once, unknown kinds and unknown applicants too.
create table kyc_event (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  provider text not null check (provider in ('kycvendor')),
  -- SHA-256 of the body as it came.
  body_digest bytea not null check (length(body_digest) = 32),
  type text not null check (length(type) <= 255),
  applicant_id text check (length(applicant_id) <= 255),
  external_user_id text check (length(external_user_id) <= 255),
  correlation_id text check (length(correlation_id) <= 255),
  vendor_created_at timestamptz,
  kyc_record_id uuid,
  outcome text not null check (outcome in ('applied', 'no_change', 'older', 'not_confirmed', 'held_by_staff', 'unmatched')),
  body jsonb not null,
  received_at timestamptz not null default now(),
  primary key (tenant_id, environment, id),
  constraint kyc_event_body_key unique (tenant_id, environment, provider, body_digest),
  constraint kyc_event_record_fkey foreign key (tenant_id, environment, kyc_record_id) references kyc_record
);
create index kyc_event_record_idx on kyc_event (tenant_id, environment, kyc_record_id, id) where kyc_record_id is not null;
create index kyc_event_unmatched_idx on kyc_event (tenant_id, environment, external_user_id) where outcome = 'unmatched';
create index kyc_event_deleted_idx on kyc_event (tenant_id, environment, applicant_id)
  where type in ('applicantDeleted', 'applicantPersonalDataDeleted');
call raise_tenant_wall('kyc_event');
grant select, insert on kyc_event to svc_app;
grant update (kyc_record_id, outcome, body, applicant_id, correlation_id) on kyc_event to svc_app;

-- Objects in the storage that are to go, at the latest after this time: pending uploads, and what an erasure leaves behind.
create table object_removal (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  storage_key text not null check (length(storage_key) <= 1000),
  remove_after timestamptz not null,
  -- Until when somebody may still write the object; what is removed before that is removed once more then.
  writable_until timestamptz,
  -- Being removed: nobody may make a document of it any more.
  removing boolean not null default false,
  primary key (tenant_id, environment, storage_key)
);
create index object_removal_due_idx on object_removal (tenant_id, environment, remove_after);
-- For the question whether anything is due at all, over all tenants.
create index object_removal_any_due_idx on object_removal ((remove_after at time zone 'UTC'));
call raise_tenant_wall('object_removal');
grant select, insert, update, delete on object_removal to svc_app, svc_worker;

create policy resolver_reads on kyc_record for select to svc_auth using (true);
create policy resolver_reads on object_removal for select to svc_auth using (true);
grant select (tenant_id, environment, check_at) on kyc_record to svc_auth;
grant select (tenant_id, environment, remove_after) on object_removal to svc_auth;
create index kyc_record_any_check_idx on kyc_record (check_at) where check_at is not null;
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

do $$
declare
  opened text;
begin
  foreach opened in array array['kyc_event', 'kyc_document', 'kyc_upload', 'kyc_record']
  loop
    call open_sandbox_to_eraser(opened);
  end loop;
end $$;
-- The eraser notes what is to be removed from the storage.
call open_sandbox_to_eraser('object_removal');
revoke delete on object_removal from svc_eraser;
grant insert on object_removal to svc_eraser;
grant update (remove_after) on object_removal to svc_eraser;
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
$$;
reset role;
revoke create on schema public from svc_auth;
revoke update (kyc_approved_at) on member from svc_app, svc_worker;
drop table object_removal;
drop table kyc_event;
drop table kyc_document;
drop table kyc_upload;
drop table kyc_record;
drop function locate_kyc_secrets(uuid);
drop table kyc_settings;
`);
}
