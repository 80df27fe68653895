import type { Knex } from 'knex';

/** Of all tables of people: they are of a tenant and not of an environment, and lie behind the one wall all the same. */
const OF_TENANT = `tenant_id uuid not null,
  environment text not null default 'LIVE' check (environment = 'LIVE'),
  id uuid not null default uuidv7()`;

const TO_STAFF = 'foreign key (tenant_id, environment, staff_id) references staff';

const ACTOR = `'^(api_key|staff|member|operator|vendor|system)(:.+|)$'`;

/** What ends by itself is swept away later: how the sweep finds one tenant's, and which tenants have some. */
const swept = (table: string, at: string): string => `
create index ${table}_${at}_idx on ${table} (tenant_id, environment, ${at});
create index ${table}_any_${at}_idx on ${table} ((${at} at time zone 'UTC'));`;

const TABLES = [
  'staff',
  'staff_session',
  'staff_invite',
  'staff_failure',
  'staff_challenge',
  'staff_passkey',
  'staff_totp',
  'staff_recovery_code',
] as const;

/** Functions of svc_auth: what is known of a person before its tenant is. */
const RESOLVERS = [
  'open_tenant(uuid)',
  'resolve_staff_session(bytea)',
  'locate_staff_invite(bytea)',
  'locate_staff_challenge(bytea)',
  'locate_tenant_slug(text)',
  'sole_tenant_slug()',
  'free_tenant_slug(text)',
  'staff_name(uuid)',
  'lock_staff_role(uuid)',
] as const;

/** People of a tenant, how they sign in and what they have signed in with; and the tenant's name in addresses. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table tenant add column slug text;
create unique index tenant_slug_key on tenant (slug);
alter table tenant add constraint tenant_slug_check
  check (slug is not null and slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) between 3 and 50) not valid;

-- From the name: the letters without their accents, hyphens for all else, a number where it is taken.
create function free_tenant_slug(tenant_name text) returns text
  language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  base text := trim(both '-' from left(trim(both '-' from regexp_replace(
    regexp_replace(lower(normalize(tenant_name, NFKD)), '[\\u0300-\\u036f]', '', 'g'), '[^a-z0-9]+', '-', 'g')), 40));
  wanted text;
  number int := 1;
begin
  if length(base) < 3 then base := trim(both '-' from 'tenant-' || base); end if;
  wanted := base;
  while exists (select from tenant t where t.slug = wanted) loop
    number := number + 1;
    -- Of very many of one name the further ones are told apart by chance.
    wanted := base || '-' || case when number <= 20 then number::text else substr(md5(random()::text), 1, 8) end;
  end loop;
  return wanted;
end $$;

alter table tenant no force row level security;
do $$
declare
  one record;
begin
  for one in select id, name from tenant where slug is null order by created_at, id loop
    update tenant set slug = free_tenant_slug(one.name) where id = one.id;
  end loop;
end $$;
alter table tenant force row level security;

create function set_tenant_slug() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.slug := coalesce(new.slug, free_tenant_slug(new.name));
  return new;
end $$;
create trigger tenant_slug before insert on tenant for each row execute function set_tenant_slug();
grant update (slug) on tenant to svc_app;

create table staff (
  ${OF_TENANT},
  -- As it is compared, and as it was typed. Both are gone once the person is removed; the name stays beside its acts.
  email text check (email = lower(email) and length(email) between 3 and 254),
  email_typed text check (length(email_typed) between 3 and 254),
  name text check (length(name) between 1 and 200),
  role text not null check (role in ('owner', 'admin', 'finance', 'reviewer', 'developer', 'read-only')),
  state text not null check (state in ('invited', 'active', 'disabled', 'removed')),
  -- Of argon2id, with its parameters.
  password_hash text check (length(password_hash) between 20 and 300),
  password_changed_at timestamptz,
  created_at timestamptz not null default now(),
  created_by text not null check (created_by ~ ${ACTOR}),
  joined_at timestamptz,
  last_signed_in_at timestamptz,
  primary key (tenant_id, environment, id),
  constraint staff_email_until_removed check ((email is null) = (state = 'removed') and (email is null) = (email_typed is null)),
  constraint staff_name_from_joining check (name is not null or state in ('invited', 'removed')),
  constraint staff_removed_keeps_no_password check (state <> 'removed' or password_hash is null)
);
create unique index staff_email_key on staff (tenant_id, environment, email);

create table staff_session (
  ${OF_TENANT},
  staff_id uuid not null,
  token_hash bytea not null check (length(token_hash) = 32),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  -- When a second factor was last given.
  factor_at timestamptz,
  ip text check (length(ip) <= 60),
  agent text check (length(agent) <= 300),
  ended_at timestamptz,
  ended_by text check (ended_by ~ ${ACTOR}),
  ended_reason text check (ended_reason in
    ('signed_out', 'ended', 'not_me', 'password_changed', 'role_changed', 'disabled', 'removed')),
  primary key (tenant_id, environment, id),
  constraint staff_session_staff_fkey ${TO_STAFF},
  constraint staff_session_ended check ((ended_at is null) = (ended_by is null) and (ended_at is null) = (ended_reason is null))
);
create unique index staff_session_token_key on staff_session (token_hash);
create index staff_session_staff_idx on staff_session (tenant_id, environment, staff_id);
${swept('staff_session', 'created_at')}

-- Links that are used once: an invitation, the first owner's welcome, a new password.
create table staff_invite (
  ${OF_TENANT},
  kind text not null check (kind in ('invite', 'welcome', 'reset')),
  token_hash bytea not null check (length(token_hash) = 32),
  -- Of a welcome none: who comes by it says who it is.
  staff_id uuid,
  role text not null check (role in ('owner', 'admin', 'finance', 'reviewer', 'developer', 'read-only')),
  created_at timestamptz not null default now(),
  created_by text not null check (created_by ~ ${ACTOR}),
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, environment, id),
  constraint staff_invite_staff_fkey ${TO_STAFF},
  constraint staff_invite_of_somebody check ((kind = 'welcome') = (staff_id is null) or used_at is not null),
  constraint staff_invite_used_or_revoked check (used_at is null or revoked_at is null)
);
create unique index staff_invite_token_key on staff_invite (token_hash);
create index staff_invite_staff_idx on staff_invite (tenant_id, environment, staff_id);
${swept('staff_invite', 'expires_at')}

-- Failed attempts, by a keyed digest of what was guessed at: an email, whether anybody has it or not; a person's factor.
create table staff_failure (
  ${OF_TENANT},
  subject bytea not null check (length(subject) = 32),
  failures int not null check (failures > 0),
  last_at timestamptz not null default now(),
  blocked_until timestamptz,
  primary key (tenant_id, environment, id),
  constraint staff_failure_subject_key unique (tenant_id, environment, subject)
);
${swept('staff_failure', 'last_at')}

-- What was asked of a browser and waits for its answer: between a password and a second factor, a challenge to a passkey, a sign-in elsewhere.
create table staff_challenge (
  ${OF_TENANT},
  token_hash bytea not null check (length(token_hash) = 32),
  kind text not null check (kind in ('sign_in', 'passkey_sign_in', 'passkey_add', 'step_up', 'sso')),
  staff_id uuid,
  session_id uuid,
  data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (tenant_id, environment, id),
  constraint staff_challenge_staff_fkey ${TO_STAFF}
);
create unique index staff_challenge_token_key on staff_challenge (token_hash);
create index staff_challenge_staff_idx on staff_challenge (tenant_id, environment, staff_id);
${swept('staff_challenge', 'expires_at')}

create table staff_passkey (
  ${OF_TENANT},
  staff_id uuid not null,
  credential_id bytea not null check (length(credential_id) between 1 and 1023),
  public_key bytea not null,
  counter bigint not null default 0 check (counter >= 0),
  transports text[] not null default '{}',
  aaguid uuid,
  backed_up boolean not null default false,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (tenant_id, environment, id),
  constraint staff_passkey_staff_fkey ${TO_STAFF},
  constraint staff_passkey_credential_key unique (tenant_id, environment, credential_id)
);
create index staff_passkey_staff_idx on staff_passkey (tenant_id, environment, staff_id);

create table staff_totp (
  ${OF_TENANT},
  staff_id uuid not null,
  secret_sealed bytea not null,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  -- The time step of the code that was used last: each works once.
  last_step bigint,
  primary key (tenant_id, environment, id),
  constraint staff_totp_staff_fkey ${TO_STAFF},
  constraint staff_totp_one_key unique (tenant_id, environment, staff_id)
);

create table staff_recovery_code (
  ${OF_TENANT},
  staff_id uuid not null,
  digest bytea not null check (length(digest) = 32),
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (tenant_id, environment, id),
  constraint staff_recovery_code_staff_fkey ${TO_STAFF},
  constraint staff_recovery_code_digest_key unique (tenant_id, environment, staff_id, digest)
);

${TABLES.map((table) => `call raise_tenant_wall('${table}');`).join('\n')}

grant select, insert on ${TABLES.join(', ')} to svc_app;
grant update (email, email_typed, name, role, state, password_hash, password_changed_at, joined_at,
  last_signed_in_at) on staff to svc_app;
grant update (token_hash, last_seen_at, factor_at, ended_at, ended_by, ended_reason) on staff_session to svc_app;
grant update (used_at, revoked_at, staff_id) on staff_invite to svc_app;
grant update (failures, last_at, blocked_until) on staff_failure to svc_app;
grant update (used_at) on staff_challenge to svc_app;
grant update (counter, backed_up, name, last_used_at) on staff_passkey to svc_app;
grant update (secret_sealed, created_at, confirmed_at, last_step) on staff_totp to svc_app;
grant update (used_at) on staff_recovery_code to svc_app;
grant delete on staff_failure, staff_passkey, staff_totp, staff_recovery_code to svc_app;
grant select, delete on staff_session, staff_invite, staff_failure, staff_challenge to svc_worker;
-- What the sweep takes it locks first.
grant update (last_seen_at) on staff_session to svc_worker;
grant update (used_at) on staff_invite, staff_challenge to svc_worker;
grant update (last_at) on staff_failure to svc_worker;
grant select on staff to svc_worker;

${['staff', 'staff_session', 'staff_invite', 'staff_challenge', 'staff_passkey', 'staff_totp', 'staff_failure']
  .map((table) => `create policy resolver_reads on ${table} for select to svc_auth using (true);`)
  .join('\n')}
grant select (tenant_id, environment, id, email_typed, name, role, state) on staff to svc_auth;
-- A lock takes a right to change; no function changes anything.
-- A row is locked for update and never changed.
create policy resolver_locks on staff for update to svc_auth using (true) with check (false);
grant update (last_signed_in_at) on staff to svc_auth;
grant select on staff_session, staff_invite to svc_auth;
grant select (tenant_id, environment, id, token_hash, expires_at, used_at) on staff_challenge to svc_auth;
grant select (tenant_id, environment, staff_id) on staff_passkey to svc_auth;
grant select (tenant_id, environment, staff_id, confirmed_at) on staff_totp to svc_auth;
grant select (tenant_id, environment, last_at) on staff_failure to svc_auth;

grant create on schema public to svc_auth;
-- A tenant that is not disabled.
create function open_tenant(of_tenant uuid)
  returns table (slug text, name text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select t.slug, t.name from tenant t where t.id = of_tenant and t.disabled_at is null
$$;
-- 60 minutes idle, 12 hours in all. Only what would work is found.
create function resolve_staff_session(hash bytea)
  returns table (tenant_id uuid, slug text, tenant_name text, id uuid, staff_id uuid, name text, email text, role text,
    factor_at timestamptz, has_factor boolean, last_seen_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select s.tenant_id, t.slug, t.name, s.id, p.id, p.name, p.email_typed, p.role, s.factor_at,
    exists (select from staff_passkey k
            where k.tenant_id = p.tenant_id and k.environment = p.environment and k.staff_id = p.id)
      or exists (select from staff_totp o
                 where o.tenant_id = p.tenant_id and o.environment = p.environment and o.staff_id = p.id
                   and o.confirmed_at is not null),
    s.last_seen_at
  from staff_session s
  join staff p on p.tenant_id = s.tenant_id and p.environment = s.environment and p.id = s.staff_id
  cross join lateral open_tenant(s.tenant_id) t
  where s.token_hash = hash and s.ended_at is null
    and s.last_seen_at > now() - interval '60 minutes' and s.created_at > now() - interval '12 hours'
    and p.state = 'active'
$$;
create function locate_staff_invite(hash bytea)
  returns table (tenant_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select i.tenant_id, i.id from staff_invite i cross join lateral open_tenant(i.tenant_id) t
  where i.token_hash = hash and i.used_at is null and i.revoked_at is null and i.expires_at > now()
$$;
create function locate_staff_challenge(hash bytea)
  returns table (tenant_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select c.tenant_id, c.id from staff_challenge c cross join lateral open_tenant(c.tenant_id) t
  where c.token_hash = hash and c.used_at is null and c.expires_at > now()
$$;
create function locate_tenant_slug(wanted text)
  returns table (tenant_id uuid, name text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select t.id, t.name from tenant t where t.slug = wanted and t.disabled_at is null
$$;
-- People are rows of LIVE, and act in SANDBOX too: of the tenant of the frame, whatever its environment.
create function staff_name(staff_id uuid)
  returns text
  language sql stable security definer set search_path = public, pg_temp
as $$
  select p.name from staff p
  where p.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and p.environment = 'LIVE' and p.id = staff_id
$$;
-- The role of somebody who is active; it stays until the end of the transaction.
create function lock_staff_role(staff_id uuid)
  returns table (role text)
  language sql volatile security definer set search_path = public, pg_temp
as $$
  select p.role from staff p
  where p.tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and p.environment = 'LIVE' and p.id = staff_id
    and p.state = 'active'
  for share
$$;
-- Where there is one tenant only, nobody has to be asked which.
create function sole_tenant_slug()
  returns table (slug text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select min(few.slug) from (select t.slug from tenant t where t.disabled_at is null limit 2) few having count(*) = 1
$$;
${RESOLVERS.map(
  (name) => `revoke all on function ${name} from public;
grant execute on function ${name} to svc_app${name.startsWith('staff_name') ? ', svc_worker' : ''};
alter function ${name} owner to svc_auth;`,
).join('\n')}
revoke create on schema public from svc_auth;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop trigger tenant_slug on tenant;
drop function set_tenant_slug();
${RESOLVERS.map((name) => `drop function ${name};`).join('\n')}
${TABLES.toReversed()
  .map((table) => `drop table ${table};`)
  .join('\n')}
alter table tenant drop column slug;
`);
}
