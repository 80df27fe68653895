import type { Knex } from 'knex';

/** A bare question mark would be a parameter. */
const ACTOR = `'^(api_key|staff|member|operator|vendor|system)(:.+)\\?$'`;
const CHECKS = [
  ['member', 'created_by'],
  ['lead', 'created_by'],
  ['lead', 'updated_by'],
  ['referral_click', 'created_by'],
  ['refresh_token', 'created_by'],
  ['import_run', 'created_by'],
] as const;

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  for (const [table, column] of CHECKS) await knex.raw(`alter table ${table} validate constraint ${table}_${column}_check;`);
}

export async function down(knex: Knex): Promise<void> {
  for (const [table, column] of CHECKS) {
    await knex.raw(`alter table ${table} drop constraint ${table}_${column}_check;`);
    await knex.raw(`alter table ${table} add constraint ${table}_${column}_check check (${column} ~ ${ACTOR}) not valid;`);
  }
}
