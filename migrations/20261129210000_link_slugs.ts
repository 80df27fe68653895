import type { Knex } from 'knex';

/** Slugs of a member's own choice: whose each is, for ever, and links that may have one. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Who follows a link has no key, so slugs are unique among all tenants. Kept for ever, so that none comes to mean another
-- link, and as a digest, for a slug may be a person's name and outlives its erasure.
create table link_slug (
  slug_digest bytea primary key check (length(slug_digest) = 32),
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX'))
);
create index link_slug_scope_idx on link_slug (tenant_id, environment);
call raise_tenant_wall('link_slug');
grant select, insert on link_slug to svc_app;
grant select on link_slug to svc_worker;

create policy resolver_reads on link_slug for select to svc_auth using (true);
grant select on link_slug to svc_auth;
grant create on schema public to svc_auth;
create function locate_link_slug(of_digest bytea) returns table (tenant_id uuid, environment text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select s.tenant_id, s.environment from link_slug s where s.slug_digest = of_digest
$$;
revoke all on function locate_link_slug(bytea) from public;
grant execute on function locate_link_slug(bytea) to svc_app;
alter function locate_link_slug(bytea) owner to svc_auth;
revoke create on schema public from svc_auth;

alter table referral_link drop constraint referral_link_slug_check;
alter table referral_link add constraint referral_link_slug_check check (slug ~ '^[0-9a-z-]{3,40}$') not valid;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table referral_link drop constraint referral_link_slug_check;
-- Before this release no link has a slug of its own; what is printed of those leads nowhere then.
alter table referral_link no force row level security;
update referral_link set slug = replace(gen_random_uuid()::text, '-', ''), status = 'deleted' where slug !~ '^[0-9a-z]{8,32}$';
alter table referral_link force row level security;
alter table referral_link add constraint referral_link_slug_check check (slug ~ '^[0-9a-z]{8,32}$') not valid;
alter table referral_link validate constraint referral_link_slug_check;
drop function locate_link_slug(bytea);
drop table link_slug;
`);
}
