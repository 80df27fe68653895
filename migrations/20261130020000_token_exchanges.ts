import type { Knex } from 'knex';

/** Whose email an address is, which tokens of providers were exchanged, and from when on a member's must be new. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table auth_provider add column accept_unverified_email boolean not null default false;

-- Of the member and not of an identity: an identity that is unlinked must not make its member's address a verified one.
alter table member add column email_verified boolean not null default true;
grant update (email_verified) on member to svc_app;
alter table member no force row level security;
alter table member_identity no force row level security;
update member m set email_verified = false
  where exists (select from member_identity i
    where i.tenant_id = m.tenant_id and i.environment = m.environment and i.member_id = m.id and i.unverified_email);
alter table member_identity force row level security;
alter table member force row level security;
-- What it said is of the member now.
-- squawk-ignore ban-drop-column
alter table member_identity drop column unverified_email;

-- A provider's token that has begun a session, by a keyed digest. Kept until the token is good no more.
create table exchanged_token (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  -- No foreign key: a provider may go, its tokens stay used.
  auth_provider_id uuid not null,
  token_digest bytea not null check (length(token_digest) = 32),
  -- The session that every exchange of it goes on with. Drawn here; the family is made behind it, in one transaction.
  family_id uuid not null default uuidv7(),
  exchanges integer not null default 1 check (exchanges between 1 and 5),
  expires_at timestamptz not null,
  primary key (tenant_id, environment, auth_provider_id, token_digest)
);
create index exchanged_token_family_idx on exchanged_token (tenant_id, environment, family_id);
create index exchanged_token_expires_idx on exchanged_token (tenant_id, environment, expires_at);
create index exchanged_token_any_expires_idx on exchanged_token ((expires_at at time zone 'UTC'));
call raise_tenant_wall('exchanged_token');
call open_sandbox_to_eraser('exchanged_token');
grant insert on exchanged_token to svc_app;
grant select, update, delete on exchanged_token to svc_app, svc_worker;

-- When all sessions of a member were ended at once: tokens of providers that were issued by then begin none.
create table session_cutoff (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  member_id uuid not null,
  ended_at timestamptz not null,
  primary key (tenant_id, environment, member_id),
  constraint session_cutoff_member_fkey foreign key (tenant_id, environment, member_id) references member
);
call raise_tenant_wall('session_cutoff');
call open_sandbox_to_eraser('session_cutoff');
grant select, insert, update, delete on session_cutoff to svc_app;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop table session_cutoff;
drop table exchanged_token;
alter table member_identity add column unverified_email boolean not null default false;
alter table member no force row level security;
alter table member_identity no force row level security;
update member_identity i set unverified_email = true
  where exists (select from member m
    where m.tenant_id = i.tenant_id and m.environment = i.environment and m.id = i.member_id and not m.email_verified);
alter table member_identity force row level security;
alter table member force row level security;
revoke update (email_verified) on member from svc_app;
alter table member drop column email_verified;
alter table auth_provider drop column accept_unverified_email;
`);
}
