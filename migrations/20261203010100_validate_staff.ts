import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table tenant validate constraint tenant_slug_check');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table tenant drop constraint tenant_slug_check;
alter table tenant add constraint tenant_slug_check
  check (slug is not null and slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) between 3 and 50) not valid;
`);
}
