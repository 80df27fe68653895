import type { Knex } from 'knex';

/** Whether the second pair of hands is another root of keys, or a person. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table payment_settings add column dual_control_by text not null default 'keys';
alter table payment_settings add constraint payment_settings_dual_control_by_check
  check (dual_control_by in ('keys', 'persons')) not valid;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table payment_settings drop column dual_control_by;');
}
