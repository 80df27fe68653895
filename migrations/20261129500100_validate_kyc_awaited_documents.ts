import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table kyc_record validate constraint kyc_record_awaited_check');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table kyc_record drop constraint kyc_record_awaited_check;
alter table kyc_record add constraint kyc_record_awaited_check
  check (awaited_documents <@ array['government_id_front', 'government_id_back', 'selfie', 'proof_of_address']) not valid;
`);
}
