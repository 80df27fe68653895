import type { Knex } from 'knex';

/** A member may be moved under another sponsor. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
grant update (parent_id) on member to svc_app, svc_worker;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
revoke update (parent_id) on member from svc_app, svc_worker;
`);
}
