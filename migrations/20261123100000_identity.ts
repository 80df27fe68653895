import type { Knex } from 'knex';

/** Who members are and how they come in: external providers, identities, tokens, profiles; and the audit log. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- The key that signs our access tokens; its private half sealed under a data key. Of the deployment, not of a tenant.
create table signing_key (
  kid text primary key check (length(kid) between 1 and 64),
  public_jwk jsonb not null,
  private_sealed bytea not null,
  created_at timestamptz not null default now(),
  -- Superseded: signs no more, and is published until the last token it signed has expired.
  retired_at timestamptz
);
create unique index signing_key_active_key on signing_key ((true)) where retired_at is null;
grant select, insert, update on signing_key to svc_app;

create table auth_provider (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  provider_id text not null check (provider_id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
  issuer_url text not null check (length(issuer_url) <= 2000),
  jwks_uri text not null check (length(jwks_uri) <= 2000),
  allowed_audiences text[] not null check (cardinality(allowed_audiences) between 1 and 20),
  auto_create_users boolean not null,
  trust_email boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, environment, id),
  -- The exchange names tenant and provider only: the provider tells the environment.
  constraint auth_provider_provider_id_key unique (tenant_id, provider_id)
);
call raise_tenant_wall('auth_provider');
grant select, insert, update, delete on auth_provider to svc_app;

-- Exchange has no API key. Tenant and provider id to the provider's scope.
create policy resolver_reads on auth_provider for select to svc_auth using (true);
grant select (tenant_id, environment, id, provider_id) on auth_provider to svc_auth;
grant create on schema public to svc_auth;
create function locate_auth_provider(of_tenant uuid, of_provider text)
  returns table (environment text, id uuid)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select p.environment, p.id from auth_provider p where p.tenant_id = of_tenant and p.provider_id = of_provider
$$;
revoke all on function locate_auth_provider(uuid, text) from public;
grant execute on function locate_auth_provider(uuid, text) to svc_app;
alter function locate_auth_provider(uuid, text) owner to svc_auth;
revoke create on schema public from svc_auth;

-- Who a member is at a provider: subjects are compared byte by byte.
create table member_identity (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  auth_provider_id uuid not null,
  subject text collate "C" not null check (length(subject) between 1 and 255),
  member_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, environment, id),
  constraint member_identity_subject_key unique (tenant_id, environment, auth_provider_id, subject),
  constraint member_identity_member_key unique (tenant_id, environment, auth_provider_id, member_id),
  constraint member_identity_provider_fkey foreign key (tenant_id, environment, auth_provider_id) references auth_provider,
  constraint member_identity_member_fkey foreign key (tenant_id, environment, member_id) references member
);
create index member_identity_member_idx on member_identity (tenant_id, environment, member_id);
call raise_tenant_wall('member_identity');
grant select, insert, delete on member_identity to svc_app;

-- What came of one exchange: every refresh token of it, and the access tokens by its id (sid).
create table token_family (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  member_id uuid not null,
  -- No foreign key: a provider may go, its families stay revoked.
  auth_provider_id uuid not null,
  created_at timestamptz not null default now(),
  absolute_expires_at timestamptz not null,
  revoked_at timestamptz,
  revoke_reason text check (revoke_reason in ('reuse', 'revoked', 'provider_deleted', 'member_erased')),
  primary key (tenant_id, environment, id),
  constraint token_family_member_fkey foreign key (tenant_id, environment, member_id) references member,
  constraint token_family_revoked_check check ((revoked_at is null) = (revoke_reason is null))
);
create index token_family_member_idx on token_family (tenant_id, environment, member_id);
call raise_tenant_wall('token_family');
grant select, insert on token_family to svc_app;
grant update (revoked_at, revoke_reason) on token_family to svc_app;

create table refresh_token (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  family_id uuid not null,
  token_hash bytea not null check (length(token_hash) = 32),
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- When it was exchanged for its successor, and by which API key.
  used_at timestamptz,
  used_by_key_id uuid,
  primary key (tenant_id, environment, id),
  constraint refresh_token_hash_key unique (tenant_id, environment, token_hash),
  constraint refresh_token_family_fkey foreign key (tenant_id, environment, family_id) references token_family
);
create index refresh_token_family_idx on refresh_token (tenant_id, environment, family_id);
call raise_tenant_wall('refresh_token');
grant select, insert on refresh_token to svc_app;
grant update (used_at, used_by_key_id) on refresh_token to svc_app;

-- What a member's row does not say. One row a member, made when something is first set.
create table member_profile (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  member_id uuid not null,
  given_name text check (length(given_name) <= 255),
  surname text check (length(surname) <= 255),
  date_of_birth date,
  country_code text check (country_code ~ '^[A-Z]{3}$'),
  address jsonb,
  -- Sealed under a data key, bound to tenant, environment, member and column; the last four to show it by.
  id_number_sealed bytea,
  id_number_last_four text check (length(id_number_last_four) <= 4),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, environment, member_id),
  constraint member_profile_member_fkey foreign key (tenant_id, environment, member_id) references member,
  constraint member_profile_id_number_check check ((id_number_sealed is null) = (id_number_last_four is null))
);
call raise_tenant_wall('member_profile');
grant select, insert, update, delete on member_profile to svc_app, svc_worker;

-- Pseudonymised: nothing of the person is left beside the books.
alter table member add column erased_at timestamptz;
grant update (email, email_norm, name, name_norm, external_id, erased_at) on member to svc_app;

-- Who changed what, and never to what: names of fields, no values of personal data.
create table audit_log (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  action text not null check (action ~ '^[a-z_]+\\.[a-z_]+$'),
  actor_kind text not null check (actor_kind in ('api_key', 'member', 'operator', 'system')),
  actor_id text,
  object_kind text,
  object_id text,
  details jsonb not null default '{}',
  recorded_at timestamptz not null default now(),
  primary key (tenant_id, environment, id)
);
create index audit_log_object_idx on audit_log (tenant_id, environment, object_kind, object_id, id);
create index audit_log_action_idx on audit_log (tenant_id, environment, action, id);
create trigger append_only before update or delete on audit_log for each statement execute function refuse_change();
call raise_tenant_wall('audit_log');
grant select, insert on audit_log to svc_app, svc_worker;

alter table api_key add column last_used_at timestamptz, add column replaces_key_id uuid;
grant update (expires_at, last_used_at) on api_key to svc_app;

alter table tenant add column updated_at timestamptz not null default now();
grant update (default_currency, reporting_time_zone, updated_at) on tenant to svc_app;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
revoke update (default_currency, reporting_time_zone, updated_at) on tenant from svc_app;
alter table tenant drop column updated_at;
revoke update (expires_at, last_used_at) on api_key from svc_app;
alter table api_key drop column last_used_at, drop column replaces_key_id;
drop table audit_log;
revoke update (email, email_norm, name, name_norm, external_id, erased_at) on member from svc_app;
alter table member drop column erased_at;
drop table member_profile;
drop table refresh_token;
drop table token_family;
drop table member_identity;
drop function locate_auth_provider(uuid, text);
drop table auth_provider;
drop table signing_key;
`);
}
