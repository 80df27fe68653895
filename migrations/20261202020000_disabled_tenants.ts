import type { Knex } from 'knex';

/** `resolve_api_key`, for keys of all tenants or of those alone that are not disabled. */
const resolver = (ofTenant: string): string => `
grant create on schema public to svc_auth;
set local role svc_auth;
create or replace function resolve_api_key(key_hash bytea)
  returns table (tenant_id uuid, environment text, id uuid, family_id uuid, scopes text[], rate_limit int, allowed_ips text[], root text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select k.tenant_id, k.environment, k.id, coalesce(k.family_id, k.id), k.scopes, k.rate_limit, k.allowed_ips, k.root
  from api_key k
  where k.hash = key_hash
    and k.revoked_at is null and k.disabled_at is null
    and (k.expires_at is null or k.expires_at > now())${ofTenant}
$$;
reset role;
revoke create on schema public from svc_auth;
`;

/** An operator may disable a tenant: its keys do not resolve while it is, whatever becomes of each. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table tenant add column disabled_at timestamptz;
grant update (disabled_at) on tenant to svc_app;
${resolver(`
    and not exists (select from tenant t where t.id = k.tenant_id and t.disabled_at is not null)`)}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`${resolver('')}
alter table tenant drop column disabled_at;
`);
}
