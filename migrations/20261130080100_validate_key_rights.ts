import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table api_key validate constraint api_key_allowed_ips_check;
alter table api_key validate constraint api_key_created_by_check;
alter table api_key validate constraint api_key_disabled_by_check;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table api_key drop constraint api_key_allowed_ips_check, drop constraint api_key_created_by_check,
  drop constraint api_key_disabled_by_check;
alter table api_key add constraint api_key_allowed_ips_check check (cardinality(allowed_ips) between 1 and 50) not valid;
alter table api_key add constraint api_key_created_by_check
  check (created_by ~ '^(api_key|staff|member|operator|vendor|system)(:.+|)$') not valid;
alter table api_key add constraint api_key_disabled_by_check
  check (disabled_by ~ '^(api_key|staff|member|operator|vendor|system)(:.+|)$') not valid;
`);
}
