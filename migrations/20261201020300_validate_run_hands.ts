import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table payout_run validate constraint payout_run_dual_control_check');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table payout_run drop constraint payout_run_dual_control_check;
alter table payout_run add constraint payout_run_dual_control_check check (dual_control in ('none', 'keys', 'persons')) not valid;
`);
}
