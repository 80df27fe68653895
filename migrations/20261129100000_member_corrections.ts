import type { Knex } from 'knex';

/** Members corrected by their tenant: the emails that they had, and what lists of members are found by. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- What was stored under a former email is the member's still: its erasure reaches it, and takes these rows away.
create table member_former_email (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  id uuid not null default uuidv7(),
  member_id uuid not null,
  email text not null check (length(email) <= 254),
  email_norm text collate "C" not null check (length(email_norm) <= 254),
  replaced_at timestamptz not null,
  primary key (tenant_id, environment, id),
  constraint member_former_email_key unique (tenant_id, environment, member_id, email),
  constraint member_former_email_member_fkey foreign key (tenant_id, environment, member_id) references member
);
call raise_tenant_wall('member_former_email');
grant select, insert, delete on member_former_email to svc_app;
call open_sandbox_to_eraser('member_former_email');

grant update (pay_currency, is_test_user) on member to svc_app;

-- Few members are of tests; those who look for the others find them soon.
create index member_test_idx on member (tenant_id, environment, id) where is_test_user;
-- They stand behind all names, and those with a name are in member_name_idx.
create index member_unnamed_idx on member (tenant_id, environment, id) where name_norm is null;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index member_unnamed_idx;
drop index member_test_idx;
revoke update (pay_currency, is_test_user) on member from svc_app;
drop table member_former_email;
`);
}
