import type { Knex } from 'knex';

/** Members are found by any of the words that their name is looked for by: its second one and on, and the last of several. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Row-level security lets an index be searched by comparisons of a column alone, so the parts are columns.
-- squawk-ignore adding-field-with-default
alter table member
  add column name_rest text collate "C" generated always as
    (case when strpos(name_norm, ' ') > 0 then substr(name_norm, strpos(name_norm, ' ') + 1) end) stored,
  add column name_last text collate "C" generated always as
    (case when split_part(name_norm, ' ', 3) <> '' then split_part(name_norm, ' ', -1) end) stored;
create index member_name_rest_idx on member (tenant_id, environment, name_rest, name_norm, id) where name_rest is not null;
create index member_name_last_idx on member (tenant_id, environment, name_last, name_norm, id) where name_last is not null;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index member_name_last_idx;
drop index member_name_rest_idx;
alter table member drop column name_last, drop column name_rest;
`);
}
