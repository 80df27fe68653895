import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table member validate constraint member_erasure_reason_check');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table member drop constraint member_erasure_reason_check;
alter table member add constraint member_erasure_reason_check check (length(erasure_reason) between 1 and 500) not valid;
`);
}
