import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table rollup_state validate constraint rollup_state_rollup_check;');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table rollup_state drop constraint rollup_state_rollup_check;
alter table rollup_state add constraint rollup_state_rollup_check check (rollup in ('downline', 'commissions', 'sales')) not valid;
`);
}
