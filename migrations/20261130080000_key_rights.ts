import type { Knex } from 'knex';

/**
 * Keys bound to addresses, who made and who disabled them, and the scopes that are split off from wider ones: a key of
 * before goes on doing what it did. ID numbers in full were nobody's in particular, so no key gains `identity:read`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Null: from anywhere.
alter table api_key add column allowed_ips text[];
alter table api_key add constraint api_key_allowed_ips_check check (cardinality(allowed_ips) between 1 and 50) not valid;
-- Null: of before.
alter table api_key add column created_by text;
alter table api_key add constraint api_key_created_by_check
  check (created_by ~ '^(api_key|staff|member|operator|vendor|system)(:.+|)$') not valid;
-- Null with a time in disabled_at: of before, when operators alone could.
alter table api_key add column disabled_by text;
alter table api_key add constraint api_key_disabled_by_check
  check (disabled_by ~ '^(api_key|staff|member|operator|vendor|system)(:.+|)$') not valid;
grant update (name, scopes, allowed_ips, disabled_by) on api_key to svc_app;

-- The owner is bound by the wall of the table as well, and would find no key.
alter table api_key no force row level security;
update api_key k set scopes = k.scopes || more.scopes
from (select held.tenant_id, held.environment, held.id, array_agg(split.fine order by split.place) as scopes
      from api_key held
      join (values (1, 'payouts:write', 'payouts:approve'), (2, 'payouts:write', 'payouts:execute'),
                   (3, 'events:write', 'commissions:grant'), (4, 'members:write', 'members:erase'),
                   (5, 'members:read', 'members:export')) as split (place, wide, fine)
        on split.wide = any (held.scopes) and not split.fine = any (held.scopes)
      where not '*' = any (held.scopes)
      group by held.tenant_id, held.environment, held.id) more
where k.tenant_id = more.tenant_id and k.environment = more.environment and k.id = more.id;
alter table api_key force row level security;

grant create on schema public to svc_auth;
drop function resolve_api_key(bytea);
create function resolve_api_key(key_hash bytea)
  returns table (tenant_id uuid, environment text, id uuid, family_id uuid, scopes text[], rate_limit int, allowed_ips text[])
  language sql stable security definer set search_path = public, pg_temp
as $$
  select k.tenant_id, k.environment, k.id, coalesce(k.family_id, k.id), k.scopes, k.rate_limit, k.allowed_ips
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

/** Keys keep the finer scopes: the release before asks for the wider ones and takes no notice of them. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
-- The release before would let them in from anywhere.
alter table api_key no force row level security;
update api_key set disabled_at = now() where allowed_ips is not null and disabled_at is null and revoked_at is null;
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
revoke update (name, scopes) on api_key from svc_app;
alter table api_key drop column allowed_ips, drop column created_by, drop column disabled_by;
`);
}
