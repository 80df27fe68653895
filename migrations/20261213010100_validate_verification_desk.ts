import type { Knex } from 'knex';

const ACTOR = "'^(api_key|staff|member|operator|vendor|system)(:.+|)$'";

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table kyc_record validate constraint kyc_record_taken_by_check;
alter table kyc_record validate constraint kyc_record_taken_check;
alter table member_profile validate constraint member_profile_id_digest_check;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table member_profile drop constraint member_profile_id_digest_check;
alter table member_profile add constraint member_profile_id_digest_check check (length(id_number_digest) = 32) not valid;
alter table kyc_record drop constraint kyc_record_taken_check, drop constraint kyc_record_taken_by_check;
alter table kyc_record add constraint kyc_record_taken_by_check check (taken_by ~ ${ACTOR}) not valid;
alter table kyc_record add constraint kyc_record_taken_check check ((taken_by is null) = (taken_until is null)) not valid;
`);
}
