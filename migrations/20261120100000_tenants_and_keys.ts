import type { Knex } from 'knex';

/**
 * Roles, the tenant wall, tenants, API keys and the key resolver.
 * Roles belong to the cluster, so `down` leaves them: another database may use them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
do $$
declare
  wanted text;
begin
  foreach wanted in array array['svc_app', 'svc_worker', 'svc_auth', 'svc_admin'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      execute format('create role %I nologin nosuperuser nobypassrls nocreaterole nocreatedb', wanted);
    end if;
  end loop;
  -- The owner hands the resolvers to svc_auth, for which it must be able to become it.
  if not pg_has_role(current_user, 'svc_auth', 'set') then
    execute format('grant svc_auth to %I with set true, inherit false', current_user);
  end if;
exception when insufficient_privilege then
  raise exception 'the schema owner may not create roles: create svc_app, svc_worker, svc_auth, svc_admin and grant svc_auth to it, or give it CREATEROLE';
end $$;

-- By role, so that the limits survive a transaction-mode pooler.
do $$
begin
  alter role svc_app set statement_timeout = '5s';
  alter role svc_app set lock_timeout = '2s';
  alter role svc_app set idle_in_transaction_session_timeout = '10s';
  -- The service reads by key only. A plan made while a table was small, foreign-key checks' among
  -- them, is kept by each connection: as a full scan it would grow with the table.
  alter role svc_app set enable_seqscan = off;
  alter role svc_worker set statement_timeout = '60s';
  alter role svc_worker set client_connection_check_interval = '500ms';
  alter role svc_admin set default_transaction_read_only = on;
exception when insufficient_privilege then
  raise notice 'the schema owner may not set role limits; set them as docs/operations.md lists them';
end $$;

grant usage on schema public to svc_app, svc_worker, svc_auth, svc_admin;

-- The second wall, the same on every table: own tenant and environment for the service's roles,
-- everything read-only for the operator's. The SELECT makes the settings read once a statement.
create procedure raise_tenant_wall(table_name text) language plpgsql as $$
declare
  wall constant text := $wall$tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)
    and environment = (select nullif(current_setting('app.environment', true), ''))$wall$;
begin
  execute format('alter table %I enable row level security', table_name);
  execute format('alter table %I force row level security', table_name);
  execute format('create policy tenant_wall on %I to svc_app, svc_worker using (%s) with check (%s)', table_name, wall, wall);
  execute format('create policy operator_reads on %I for select to svc_admin using (true)', table_name);
  execute format('grant select on %I to svc_admin', table_name);
end $$;

-- The first instant of a date in a zone. Where the clock is set back across midnight the day begins
-- at the first of two midnights; "at time zone" alone would take the second.
create function start_of_local_day(day date, zone text) returns timestamptz language sql stable parallel safe
as $$
  select case when (((day::timestamp at time zone zone) - interval '1 hour') at time zone zone) >= day
              then (day::timestamp at time zone zone) - interval '1 hour' else day::timestamp at time zone zone end
$$;

create table tenant (
  id uuid primary key default uuidv7(),
  name text not null check (length(name) between 1 and 200),
  default_currency text not null check (default_currency ~ '^[A-Z]{3}$'),
  reporting_time_zone text not null,
  created_at timestamptz not null default now()
);
alter table tenant enable row level security;
alter table tenant force row level security;
create policy tenant_wall on tenant to svc_app, svc_worker
  using (id = (select nullif(current_setting('app.tenant_id', true), '')::uuid))
  with check (id = (select nullif(current_setting('app.tenant_id', true), '')::uuid));
create policy operator_reads on tenant for select to svc_admin using (true);
grant select, insert on tenant to svc_app;
grant select on tenant to svc_worker, svc_admin;

create table api_key (
  tenant_id uuid not null references tenant (id),
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  hash bytea not null check (length(hash) = 32),
  last_four text not null check (length(last_four) = 4),
  name text,
  scopes text[] not null,
  rate_limit int check (rate_limit > 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  disabled_at timestamptz,
  primary key (tenant_id, environment, id),
  constraint api_key_hash_key unique (hash)
);
call raise_tenant_wall('api_key');
grant select, insert on api_key to svc_app;
grant update (revoked_at, disabled_at) on api_key to svc_app;

-- Resolvers look across tenants; they belong to a role that nobody logs in as.
create policy resolver_reads on api_key for select to svc_auth using (true);
grant select on api_key to svc_auth;
grant create on schema public to svc_auth;
create function resolve_api_key(key_hash bytea)
  returns table (tenant_id uuid, environment text, id uuid, scopes text[], rate_limit int)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select k.tenant_id, k.environment, k.id, k.scopes, k.rate_limit
  from api_key k
  where k.hash = key_hash
    and k.revoked_at is null and k.disabled_at is null
    and (k.expires_at is null or k.expires_at > now())
$$;
create function locate_api_key(key_id uuid)
  returns table (tenant_id uuid, environment text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select k.tenant_id, k.environment from api_key k where k.id = key_id
$$;
-- Rights first: once they belong to svc_auth the schema owner may not change them.
revoke all on function resolve_api_key(bytea), locate_api_key(uuid) from public;
grant execute on function resolve_api_key(bytea), locate_api_key(uuid) to svc_app;
alter function resolve_api_key(bytea) owner to svc_auth;
alter function locate_api_key(uuid) owner to svc_auth;
revoke create on schema public from svc_auth;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop function locate_api_key(uuid);
drop function resolve_api_key(bytea);
drop table api_key;
drop table tenant;
drop function start_of_local_day(date, text);
drop procedure raise_tenant_wall(text);
revoke usage on schema public from svc_app, svc_worker, svc_auth, svc_admin;
`);
}
