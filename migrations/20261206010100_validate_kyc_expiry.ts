import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table kyc_settings validate constraint kyc_settings_valid_days_check;
alter table kyc_record validate constraint kyc_record_expires_check;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table kyc_settings drop constraint kyc_settings_valid_days_check;
alter table kyc_settings add constraint kyc_settings_valid_days_check
  check (approval_valid_days between 1 and 3650) not valid;
alter table kyc_record drop constraint kyc_record_expires_check;
alter table kyc_record add constraint kyc_record_expires_check check (expires_at is null or status = 'approved') not valid;
`);
}
