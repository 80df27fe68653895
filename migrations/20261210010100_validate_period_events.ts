import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table event validate constraint event_kind_check;
alter table event validate constraint event_period_check;
alter table commission_line validate constraint commission_line_about_fkey;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table commission_line drop constraint commission_line_about_fkey;
alter table commission_line add constraint commission_line_about_fkey
  foreign key (tenant_id, environment, about_event_id) references event not valid;
alter table event drop constraint event_period_check;
alter table event add constraint event_period_check
  check (kind <> 'period' or (attributed_member_id is not null and customer_id is null
                              and starts_with(external_event_id, 'svc:period:'))) not valid;
alter table event drop constraint event_kind_check;
alter table event add constraint event_kind_check
  check (kind in ('purchase', 'refund', 'chargeback', 'commission', 'period')) not valid;
`);
}
