import type { Knex } from 'knex';

/** Raises for the owner, too, the walls that two steps before were lowered to fill the totals of the ledger. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table ledger_total force row level security;
alter table ledger_block_entry force row level security;
alter table posting force row level security;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table posting no force row level security;
alter table ledger_block_entry no force row level security;
alter table ledger_total no force row level security;
`);
}
