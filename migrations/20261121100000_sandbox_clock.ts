import type { Knex } from 'knex';

/** The sandbox clock, the clock that money goes by, and the one way to erase a SANDBOX. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Present only once a tenant has moved its clock: frozen at an instant, or running ahead of the database's.
create table sandbox_clock (
  tenant_id uuid not null,
  environment text not null check (environment = 'SANDBOX'),
  frozen_at timestamptz,
  ahead interval,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, environment),
  constraint sandbox_clock_reading_check check ((frozen_at is null) <> (ahead is null))
);
call raise_tenant_wall('sandbox_clock');
grant select, insert, update on sandbox_clock to svc_app, svc_worker;

-- The instant that money goes by: the database's, or in SANDBOX the tenant's clock if it has one
-- (docs/specification/sandbox.md#clock).
create function scope_now(tenant uuid, scope_environment text) returns timestamptz language sql stable parallel safe
as $$
  select case when scope_environment = 'SANDBOX'
              then coalesce((select coalesce(c.frozen_at, now() + c.ahead) from sandbox_clock c
                             where c.tenant_id = tenant and c.environment = scope_environment), now())
              else now() end
$$;

-- A role nobody logs in as, whose every policy says SANDBOX: what it erases can never be LIVE.
do $$
begin
  if not exists (select from pg_roles where rolname = 'svc_eraser') then
    create role svc_eraser nologin nosuperuser nobypassrls nocreaterole nocreatedb;
  end if;
  if not pg_has_role(current_user, 'svc_eraser', 'set') then
    execute format('grant svc_eraser to %I with set true, inherit false', current_user);
  end if;
exception when insufficient_privilege then
  raise exception 'the schema owner may not create roles: create svc_eraser and grant it to the owner, or give it CREATEROLE';
end $$;
grant usage on schema public to svc_eraser;

create procedure open_sandbox_to_eraser(table_name text) language plpgsql as $$
begin
  execute format($policy$create policy sandbox_erasure on %I to svc_eraser
    using (environment = 'SANDBOX' and tenant_id = (select nullif(current_setting('app.tenant_id', true), '')::uuid)
           and (select current_setting('app.environment', true)) = 'SANDBOX')$policy$, table_name);
  execute format('grant select, delete on %I to svc_eraser', table_name);
end $$;

-- Append-only for everybody but the eraser.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_user = 'svc_eraser' then return null; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- The plans of a worker, like those of the service, are kept from when a table was small.
do $$
begin
  alter role svc_worker set enable_seqscan = off;
  alter role svc_worker set lock_timeout = '2s';
  alter role svc_worker set idle_in_transaction_session_timeout = '60s';
exception when insufficient_privilege then
  raise notice 'the schema owner may not set role limits; set them as docs/operations.md lists them';
end $$;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
drop procedure open_sandbox_to_eraser(text);
revoke usage on schema public from svc_eraser;
drop function scope_now(uuid, text);
drop table sandbox_clock;
`);
}
