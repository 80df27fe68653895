import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table audit_log validate constraint audit_log_actor_kind_check');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table audit_log drop constraint audit_log_actor_kind_check;
alter table audit_log add constraint audit_log_actor_kind_check
  check (actor_kind in ('api_key', 'staff', 'member', 'operator', 'vendor', 'system')) not valid;
`);
}
