import type { Knex } from 'knex';

/**
 * The migrations without which no code may run on this schema: code that does not know one of them is refused. A
 * migration that the release before cannot live with adds its own name, and takes it away again when it is undone.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create table schema_need (
  migration text primary key
);
grant select on schema_need to svc_app, svc_worker, svc_admin;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table schema_need');
}
