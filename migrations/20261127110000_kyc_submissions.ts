import type { Knex } from 'knex';

/** What a verification was submitted with, so that documents which come during its review are told from those. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- The last document when it was submitted last; not a foreign key: it marks a place in their order, also when it is
-- gone. Null: not submitted by documents yet, or before this was noted.
alter table kyc_record add column submitted_through uuid;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table kyc_record drop column submitted_through');
}
