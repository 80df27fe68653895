import type { Knex } from 'knex';

/** How members see each other. Without a row: the default, masked. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table member_settings (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  downline_visibility text not null check (downline_visibility in ('full', 'masked', 'counts')),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, environment)
);
call raise_tenant_wall('member_settings');
grant select, insert, update on member_settings to svc_app;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table member_settings');
}
