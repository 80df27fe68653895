import type { Knex } from 'knex';

/** By which operation and in answer to which request an entry was made; keys in families. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table audit_log add column operation_id text, add column request_id text;
alter table audit_log drop constraint audit_log_actor_kind_check;
alter table audit_log add constraint audit_log_actor_kind_check
  check (actor_kind in ('api_key', 'staff', 'member', 'operator', 'vendor', 'system')) not valid;

-- Null: the key is the first of its family. A roll hands the family on.
alter table api_key add column family_id uuid;
-- The owner is behind the wall too, and would find no key.
alter table api_key no force row level security;
with recursive family as (
  select k.tenant_id, k.environment, k.id, k.id as family_id from api_key k where k.replaces_key_id is null
  union all
  select k.tenant_id, k.environment, k.id, f.family_id from family f
  join api_key k on k.tenant_id = f.tenant_id and k.environment = f.environment and k.replaces_key_id = f.id)
update api_key k set family_id = f.family_id from family f
where k.tenant_id = f.tenant_id and k.environment = f.environment and k.id = f.id and f.family_id <> f.id;
alter table api_key force row level security;

grant create on schema public to svc_auth;
drop function resolve_api_key(bytea);
create function resolve_api_key(key_hash bytea)
  returns table (tenant_id uuid, environment text, id uuid, family_id uuid, scopes text[], rate_limit int)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select k.tenant_id, k.environment, k.id, coalesce(k.family_id, k.id), k.scopes, k.rate_limit
  from api_key k
  where k.hash = key_hash
    and k.revoked_at is null and k.disabled_at is null
    and (k.expires_at is null or k.expires_at > now())
$$;
revoke all on function resolve_api_key(bytea) from public;
grant execute on function resolve_api_key(bytea) to svc_app;
alter function resolve_api_key(bytea) owner to svc_auth;
revoke create on schema public from svc_auth;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
grant create on schema public to svc_auth;
drop function resolve_api_key(bytea);
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
revoke all on function resolve_api_key(bytea) from public;
grant execute on function resolve_api_key(bytea) to svc_app;
alter function resolve_api_key(bytea) owner to svc_auth;
revoke create on schema public from svc_auth;
alter table api_key drop column family_id;
-- Refused where a vendor or staff has made entries meanwhile: they are never taken back.
alter table audit_log drop constraint audit_log_actor_kind_check;
alter table audit_log add constraint audit_log_actor_kind_check
  check (actor_kind in ('api_key', 'member', 'operator', 'system'));
alter table audit_log drop column operation_id, drop column request_id;
`);
}
