import type { Knex } from 'knex';

/** Payouts that a reconciliation after a restore has cancelled or ended: few among all that were ever paid. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create index payout_restored_idx on payout (tenant_id, environment, id) where failure_code = 'RESTORED';
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index payout_restored_idx;');
}
