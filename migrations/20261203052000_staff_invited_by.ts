import type { Knex } from 'knex';

/**
 * Whose hands have invited somebody: whoever asked and whoever confirmed, of every invitation. A link names only who made
 * it last, who may be neither.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table staff add column invited_by text[] not null default '{}';
grant update (invited_by) on staff to svc_app;

-- Of those who wait, whom the links are from is known.
alter table staff no force row level security;
alter table staff_invite no force row level security;
update staff p set invited_by = array(
    select distinct one.hand
    from (select p.created_by as hand
          union all
          select i.created_by from staff_invite i
          where i.tenant_id = p.tenant_id and i.environment = p.environment and i.staff_id = p.id) one
    where one.hand like 'staff:%' order by one.hand)
where p.state = 'invited';
alter table staff_invite force row level security;
alter table staff force row level security;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table staff drop column invited_by');
}
