import type { Knex } from 'knex';

/** Which documents staff has asked for anew and the member has not sent in yet. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table kyc_record add column awaited_documents text[] not null default '{}';
alter table kyc_record add constraint kyc_record_awaited_check
  check (awaited_documents <@ array['government_id_front', 'government_id_back', 'selfie', 'proof_of_address']) not valid;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table kyc_record drop constraint kyc_record_awaited_check;
alter table kyc_record drop column awaited_documents;
`);
}
