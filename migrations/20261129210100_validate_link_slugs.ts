import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table referral_link validate constraint referral_link_slug_check');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table referral_link drop constraint referral_link_slug_check;
alter table referral_link add constraint referral_link_slug_check check (slug ~ '^[0-9a-z-]{3,40}$') not valid;
`);
}
