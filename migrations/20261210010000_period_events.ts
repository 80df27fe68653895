import type { Knex } from 'knex';

/** Events that the service makes itself for a member's period, with lines about purchases. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table event drop constraint event_kind_check;
alter table event add constraint event_kind_check
  check (kind in ('purchase', 'refund', 'chargeback', 'commission', 'period')) not valid;
-- Of one member, and of nobody's purchase; the name that it is exactly once by can come from the service alone.
alter table event add constraint event_period_check
  check (kind <> 'period' or (attributed_member_id is not null and customer_id is null
                              and starts_with(external_event_id, 'svc:period:'))) not valid;

-- Of a top-up the purchase that it tops up.
alter table commission_line add column about_event_id uuid;
alter table commission_line add constraint commission_line_about_fkey
  foreign key (tenant_id, environment, about_event_id) references event not valid;
create index commission_line_about_idx on commission_line (tenant_id, environment, about_event_id) where about_event_id is not null;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index commission_line_about_idx;
alter table commission_line drop constraint commission_line_about_fkey;
alter table commission_line drop column about_event_id;
alter table event drop constraint event_period_check;
alter table event drop constraint event_kind_check;
alter table event add constraint event_kind_check check (kind in ('purchase', 'refund', 'chargeback', 'commission')) not valid;
alter table event validate constraint event_kind_check;
`);
}
