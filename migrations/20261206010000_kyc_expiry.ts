import type { Knex } from 'knex';

/** Approvals that end: for how long they are good, and when each of them ends by that. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Null: for good.
alter table kyc_settings add column approval_valid_days int;
alter table kyc_settings add constraint kyc_settings_valid_days_check
  check (approval_valid_days between 1 and 3650) not valid;
alter table kyc_record add column expires_at timestamptz;
alter table kyc_record add constraint kyc_record_expires_check check (expires_at is null or status = 'approved') not valid;
-- The first is of one scope; the second tells due_scopes() whose are due.
create index kyc_record_expires_idx on kyc_record (tenant_id, environment, expires_at) where expires_at is not null;
create index kyc_record_any_expires_idx on kyc_record ((expires_at at time zone 'UTC')) where expires_at is not null;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index kyc_record_any_expires_idx;
drop index kyc_record_expires_idx;
alter table kyc_record drop constraint kyc_record_expires_check;
alter table kyc_record drop column expires_at;
alter table kyc_settings drop constraint kyc_settings_valid_days_check;
alter table kyc_settings drop column approval_valid_days;
`);
}
