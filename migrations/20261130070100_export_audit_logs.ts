import type { Knex } from 'knex';

/** Exports of the audit log. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table export_run drop constraint export_run_kind_check;
alter table export_run add constraint export_run_kind_check
  check (kind in ('members', 'commissions', 'events', 'ledger', 'payouts', 'trialBalance', 'auditLogs')) not valid;
`);
}

/** Refused while there are exports of the audit log: they expire, or are taken out by hand. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table export_run drop constraint export_run_kind_check;
alter table export_run add constraint export_run_kind_check
  check (kind in ('members', 'commissions', 'events', 'ledger', 'payouts', 'trialBalance'));
`);
}
