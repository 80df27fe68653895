import type { Knex } from 'knex';

/** `resolve_api_key`, with or without the root of the key. */
const resolver = (root: '' | ', root text'): string => `
grant create on schema public to svc_auth;
drop function resolve_api_key(bytea);
create function resolve_api_key(key_hash bytea)
  returns table (tenant_id uuid, environment text, id uuid, family_id uuid, scopes text[], rate_limit int, allowed_ips text[]${root})
  language sql stable security definer set search_path = public, pg_temp
as $$
  select k.tenant_id, k.environment, k.id, coalesce(k.family_id, k.id), k.scopes, k.rate_limit, k.allowed_ips${root && ', k.root'}
  from api_key k
  where k.hash = key_hash
    and k.revoked_at is null and k.disabled_at is null
    and (k.expires_at is null or k.expires_at > now())
$$;
revoke all on function resolve_api_key(bytea) from public;
grant execute on function resolve_api_key(bytea) to svc_app;
alter function resolve_api_key(bytea) owner to svc_auth;
revoke create on schema public from svc_auth;
`;

/**
 * The root of each API key: in whose hands it is. It follows from who made the key, here and nowhere else, so that no
 * code can give a key to other hands, not even that of the release before while both run.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table api_key add column root text;
alter table api_key add constraint api_key_root_check check (root ~ '^(api_key|staff):.+$') not valid;
alter table api_key add constraint api_key_root_set check (root is not null) not valid;

create function set_api_key_root() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.root := case
    when new.created_by like 'staff:%' then new.created_by
    when new.created_by like 'api\\_key:%' then coalesce(
      (select maker.root from api_key maker
       where maker.tenant_id = new.tenant_id and maker.environment = new.environment and 'api_key:' || maker.id = new.created_by),
      new.created_by)
    else 'api_key:' || new.id end;
  return new;
end $$;
create trigger root_of_key before insert on api_key for each row execute function set_api_key_root();

-- The owner is bound by the walls of the tables as well, and would find no rows.
alter table api_key no force row level security;
alter table audit_log no force row level security;
with recursive logged as (
  select a.tenant_id, a.environment, case a.action when 'api_key.rolled' then a.details ->> 'newKeyId' else a.object_id end as key_id,
         min(a.actor_kind || ':' || a.actor_id) as maker
  from audit_log a
  where a.action in ('api_key.created', 'api_key.rolled') and a.actor_kind in ('api_key', 'staff') and a.actor_id is not null
  group by 1, 2, 3),
made as (
  -- Of a roll that nothing tells of it is the key that was replaced: most often that one rolled itself.
  select k.tenant_id, k.environment, k.id,
         coalesce(k.created_by, logged.maker, 'api_key:' || k.replaces_key_id) as maker
  from api_key k
  left join logged on logged.tenant_id = k.tenant_id and logged.environment = k.environment and logged.key_id = k.id::text),
rooted as (
  select m.tenant_id, m.environment, m.id, case when m.maker like 'staff:%' then m.maker else 'api_key:' || m.id end as root
  from made m
  where not exists (select from api_key k where k.tenant_id = m.tenant_id and k.environment = m.environment
                      and 'api_key:' || k.id = m.maker and k.id <> m.id)
  union all
  select m.tenant_id, m.environment, m.id, r.root
  from rooted r
  join made m on m.tenant_id = r.tenant_id and m.environment = r.environment and m.maker = 'api_key:' || r.id and m.id <> r.id)
update api_key k set root = coalesce(
  (select r.root from rooted r where r.tenant_id = k.tenant_id and r.environment = k.environment and r.id = k.id),
  'api_key:' || k.id);
alter table audit_log force row level security;
alter table api_key force row level security;
${resolver(', root text')}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`${resolver('')}
drop trigger root_of_key on api_key;
drop function set_api_key_root();
alter table api_key drop column root;
`);
}
