import type { Knex } from 'knex';

/** How much may be credited or charged by hand, and what waits for another pair of hands. Without a row: the defaults. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table commission_settings (
  tenant_id uuid not null,
  environment text not null check (environment in ('LIVE', 'SANDBOX')),
  manual_limit_minor jsonb not null check (jsonb_typeof(manual_limit_minor) = 'object'),
  manual_second_pair_minor jsonb not null check (jsonb_typeof(manual_second_pair_minor) = 'object'),
  plan_publish_second_pair boolean not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, environment)
);
call raise_tenant_wall('commission_settings');
grant select, insert, update on commission_settings to svc_app;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table commission_settings');
}
