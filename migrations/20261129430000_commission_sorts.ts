import type { Knex } from 'knex';

/** Lists of commissions by when they were made and by amount, and those of a span of time. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create index commission_line_created_idx on commission_line (tenant_id, environment, created_at, id);
create index commission_line_amount_idx on commission_line (tenant_id, environment, amount_minor, id);
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index commission_line_amount_idx;
drop index commission_line_created_idx;
`);
}
