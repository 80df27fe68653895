import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table member validate constraint member_group_key_check;
alter table member validate constraint member_standing_check;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table member drop constraint member_standing_check;
alter table member drop constraint member_group_key_check;
alter table member add constraint member_group_key_check check (group_key ~ '^[a-z0-9-]{1,40}$') not valid;
alter table member add constraint member_standing_check
  check (standing in ('pending', 'approved', 'rejected', 'banned')) not valid;
`);
}
