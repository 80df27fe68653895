import type { Knex } from 'knex';

/** Members listed by tier and by inactivity: the few among many are found without reading the many. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
create index member_tier_idx on member (tenant_id, environment, membership_tier, id);
-- Most members are active; those who look for them find them soon.
create index member_inactive_idx on member (tenant_id, environment, id) where not is_active;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index member_inactive_idx;
drop index member_tier_idx;
`);
}
