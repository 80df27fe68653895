import type { Knex } from 'knex';

/** Members are found by any of the words that their name is looked for by: its second one and on, and the last of several. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Row-level security lets an index be searched by comparisons of a column alone, so the parts are columns. Generated
-- ones would have the table written anew behind a lock that stops every request.
alter table member add column name_rest text collate "C", add column name_last text collate "C";

create function set_member_name_parts() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.name_rest := case when strpos(new.name_norm, ' ') > 0 then ltrim(substr(new.name_norm, strpos(new.name_norm, ' ') + 1)) end;
  new.name_last := case when split_part(new.name_norm, ' ', 3) <> '' then split_part(new.name_norm, ' ', -1) end;
  return new;
end $$;
create trigger member_name_parts before insert or update of name_norm on member
  for each row execute function set_member_name_parts();

alter table member no force row level security;
update member set name_norm = name_norm where strpos(name_norm, ' ') > 0;
alter table member force row level security;

create index member_name_rest_idx on member (tenant_id, environment, name_rest, name_norm, id) where name_rest is not null;
create index member_name_last_idx on member (tenant_id, environment, name_last, name_norm, id) where name_last is not null;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index member_name_last_idx;
drop index member_name_rest_idx;
drop trigger member_name_parts on member;
drop function set_member_name_parts();
alter table member drop column name_last, drop column name_rest;
`);
}
