import type { Knex } from 'knex';

const ACTOR = "'^(api_key|staff|member|operator|vendor|system)(:.+|)$'";

/** Who looks at a verification now, and by what equal ID numbers are found. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- By the real time, in SANDBOX too: these are minutes of people.
alter table kyc_record add column taken_by text, add column taken_until timestamptz;
alter table kyc_record add constraint kyc_record_taken_by_check check (taken_by ~ ${ACTOR}) not valid;
alter table kyc_record add constraint kyc_record_taken_check check ((taken_by is null) = (taken_until is null)) not valid;

-- Keyed, of number and country, equal for equal numbers of one scope. Null: no number, or one that a sweep has not come to.
alter table member_profile add column id_number_digest bytea;
alter table member_profile add constraint member_profile_id_digest_check check (length(id_number_digest) = 32) not valid;
create index member_profile_id_digest_idx on member_profile (tenant_id, environment, id_number_digest, member_id)
  where id_number_digest is not null;
create index member_profile_undigested_idx on member_profile (tenant_id, environment, member_id)
  where id_number_sealed is not null and id_number_digest is null;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index member_profile_undigested_idx;
drop index member_profile_id_digest_idx;
alter table member_profile drop constraint member_profile_id_digest_check;
alter table member_profile drop column id_number_digest;
alter table kyc_record drop constraint kyc_record_taken_check, drop constraint kyc_record_taken_by_check;
alter table kyc_record drop column taken_until, drop column taken_by;
`);
}
