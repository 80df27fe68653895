import type { Knex } from 'knex';

/** The identity provider that a tenant's people sign in by, and as whom it knows them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table staff_provider (
  tenant_id uuid not null,
  environment text not null default 'LIVE' check (environment = 'LIVE'),
  is_on boolean not null,
  issuer_url text check (length(issuer_url) between 9 and 2000),
  client_id text check (length(client_id) between 1 and 500),
  client_secret_sealed bytea,
  sso_only boolean not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, environment),
  constraint staff_provider_whole check
    (not is_on or (issuer_url is not null and client_id is not null and client_secret_sealed is not null)),
  constraint staff_provider_only_while_on check (is_on or not sso_only)
);
call raise_tenant_wall('staff_provider');
grant select, insert, update on staff_provider to svc_app;
grant select on staff_provider to svc_worker;

alter table staff add column provider_issuer text;
alter table staff add column provider_subject text;
alter table staff add constraint staff_provider_subject_whole check
  ((provider_issuer is null) = (provider_subject is null) and length(provider_subject) <= 255) not valid;
alter table staff add constraint staff_removed_has_no_subject check
  (state <> 'removed' or provider_subject is null) not valid;
create unique index staff_provider_subject_key on staff (tenant_id, environment, provider_issuer, provider_subject)
  where provider_subject is not null;
grant update (provider_issuer, provider_subject) on staff to svc_app;

-- "This was not me", by the link in a mail.
alter table staff_challenge drop constraint staff_challenge_kind_check;
alter table staff_challenge add constraint staff_challenge_kind_check
  check (kind in ('sign_in', 'passkey_sign_in', 'passkey_add', 'step_up', 'sso', 'not_me')) not valid;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table staff_challenge drop constraint staff_challenge_kind_check;
alter table staff_challenge no force row level security;
delete from staff_challenge where kind = 'not_me';
alter table staff_challenge force row level security;
alter table staff_challenge add constraint staff_challenge_kind_check
  check (kind in ('sign_in', 'passkey_sign_in', 'passkey_add', 'step_up', 'sso'));
drop index staff_provider_subject_key;
alter table staff drop constraint staff_removed_has_no_subject;
alter table staff drop constraint staff_provider_subject_whole;
alter table staff drop column provider_subject;
alter table staff drop column provider_issuer;
drop table staff_provider;
`);
}
