import type { Knex } from 'knex';

/** Whether members are mailed about payouts, and who of them wants no such mail. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table mail_settings (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  payouts boolean not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, environment)
);
create table mail_refusal (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  member_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, environment, member_id),
  constraint mail_refusal_member_fkey foreign key (tenant_id, environment, member_id) references member
);
call raise_tenant_wall('mail_settings');
call raise_tenant_wall('mail_refusal');
call open_sandbox_to_eraser('mail_refusal');
grant select, insert, update on mail_settings to svc_app;
grant select, insert, delete on mail_refusal to svc_app;
grant select on mail_settings, mail_refusal to svc_worker;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop table mail_refusal;
drop table mail_settings;
`);
}
