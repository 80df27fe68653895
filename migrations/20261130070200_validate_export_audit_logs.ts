import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table export_run validate constraint export_run_kind_check');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table export_run drop constraint export_run_kind_check;
alter table export_run add constraint export_run_kind_check
  check (kind in ('members', 'commissions', 'events', 'ledger', 'payouts', 'trialBalance', 'auditLogs')) not valid;
`);
}
