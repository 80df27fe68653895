import type { Knex } from 'knex';

/** Imports of agreed rates. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table import_run drop constraint import_run_kind_check;
alter table import_run add constraint import_run_kind_check
  check (kind in ('members', 'leads', 'purchases', 'rate_overrides')) not valid;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table import_run drop constraint import_run_kind_check;
alter table import_run add constraint import_run_kind_check check (kind in ('members', 'leads', 'purchases')) not valid;
alter table import_run validate constraint import_run_kind_check;
`);
}
