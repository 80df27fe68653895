import type { Knex } from 'knex';

/** One level of the tree, largest first and by name, whatever its width. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- The member's sponsor beside its counts: of 100,000 recruits the largest are found without reading them all.
alter table downline_count add column parent_id uuid;
alter table downline_count no force row level security;
alter table member no force row level security;
update downline_count c set parent_id = m.parent_id
from member m
where m.tenant_id = c.tenant_id and m.environment = c.environment and m.id = c.member_id and m.parent_id is not null;
alter table member force row level security;
alter table downline_count force row level security;
create index downline_count_child_idx on downline_count (tenant_id, environment, parent_id, total, member_id) where total > 0;
-- A level in the order of names, and what a name or an address is searched in, without the rows themselves.
create index member_child_name_idx on member (tenant_id, environment, parent_id, name_norm, id) include (email_norm);
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index member_child_name_idx;
drop index downline_count_child_idx;
alter table downline_count drop column parent_id;
`);
}
