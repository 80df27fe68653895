import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table payment_settings validate constraint payment_settings_dual_control_by_check;');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table payment_settings drop constraint payment_settings_dual_control_by_check;
alter table payment_settings add constraint payment_settings_dual_control_by_check
  check (dual_control_by in ('keys', 'persons')) not valid;
`);
}
