import type { Knex } from 'knex';

/**
 * Plans for the counts that wait expect many tenants. Where one of few has most of the rows, the one plan for all looks so
 * dear that PostgreSQL plans the large statements of every other tenant anew each time, which takes longer than to run them.
 * Statistics take it from the next analyze on. Source: https://www.postgresql.org/docs/18/sql-altertable.html (n_distinct).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table downline_pending alter column tenant_id set (n_distinct = 10000);
analyze downline_pending;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table downline_pending alter column tenant_id reset (n_distinct);');
}
