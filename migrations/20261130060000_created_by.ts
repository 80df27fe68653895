import type { Knex } from 'knex';

/** A bare question mark would be a parameter. */
const ACTOR = `'^(api_key|staff|member|operator|vendor|system)(:.+)\\?$'`;
/** The owner is behind the walls too, and would find no import. */
const beyondTheWall = (sql: string): string =>
  `alter table import_run no force row level security; ${sql}; alter table import_run force row level security;`;

const TABLES = ['member', 'lead', 'referral_click', 'refresh_token'] as const;

/**
 * Who made what comes in thousands: the row says it, for an entry of the audit log each would be as many again. Null of
 * rows from before, and of clicks on links, which nobody signs in for.
 */
export async function up(knex: Knex): Promise<void> {
  for (const table of TABLES) {
    await knex.raw(`alter table ${table} add column created_by text;`);
    await knex.raw(`alter table ${table} add constraint ${table}_created_by_check check (created_by ~ ${ACTOR}) not valid;`);
  }
  await knex.raw(`alter table lead add column updated_by text;`);
  await knex.raw(`alter table lead add constraint lead_updated_by_check check (updated_by ~ ${ACTOR}) not valid;`);
  // Until now only keys could send one, and their ids stood alone.
  await knex.raw(beyondTheWall(`update import_run set created_by = 'api_key:' || created_by`));
  await knex.raw(`alter table import_run add constraint import_run_created_by_check check (created_by ~ ${ACTOR}) not valid;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`alter table import_run drop constraint import_run_created_by_check;`);
  await knex.raw(
    beyondTheWall(
      `update import_run set created_by = substr(created_by, length('api_key:') + 1) where created_by like 'api_key:%'`,
    ),
  );
  await knex.raw(`alter table lead drop column updated_by;`);
  for (const table of TABLES) await knex.raw(`alter table ${table} drop column created_by;`);
}
