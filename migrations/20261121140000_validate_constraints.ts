import type { Knex } from 'knex';

/** Checks the rows that were there before the constraints, in a transaction that blocks nobody. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table commission_plan_version validate constraint commission_plan_version_period_check;
alter table event validate constraint event_kind_check;
alter table event validate constraint event_type_check;
alter table event validate constraint event_status_check;
alter table event validate constraint event_purchase_check;
alter table event validate constraint event_dispute_check;
alter table event validate constraint event_customer_check;
alter table event validate constraint event_reversed_purchase_fkey;
alter table commission_line validate constraint commission_line_kind_check;
alter table commission_line validate constraint commission_line_source_check;
alter table commission_line validate constraint commission_line_level_check;
alter table commission_line validate constraint commission_line_paid_level_check;
alter table commission_line validate constraint commission_line_hold_check;
alter table commission_line validate constraint commission_line_conversion_check;
alter table commission_line validate constraint commission_line_reverses_fkey;
alter table commission_line validate constraint commission_line_action_fkey;
alter table journal_entry validate constraint journal_entry_cause_type_check;
`);
}

/** A constraint cannot be made unchecked again: it is taken away and put back. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
do $$
declare
  checked record;
  definition text;
begin
  for checked in select * from (values
    ('commission_plan_version', 'commission_plan_version_period_check'),
    ('event', 'event_kind_check'),
    ('event', 'event_type_check'),
    ('event', 'event_status_check'),
    ('event', 'event_purchase_check'),
    ('event', 'event_dispute_check'),
    ('event', 'event_customer_check'),
    ('event', 'event_reversed_purchase_fkey'),
    ('commission_line', 'commission_line_kind_check'),
    ('commission_line', 'commission_line_source_check'),
    ('commission_line', 'commission_line_level_check'),
    ('commission_line', 'commission_line_paid_level_check'),
    ('commission_line', 'commission_line_hold_check'),
    ('commission_line', 'commission_line_conversion_check'),
    ('commission_line', 'commission_line_reverses_fkey'),
    ('commission_line', 'commission_line_action_fkey'),
    ('journal_entry', 'journal_entry_cause_type_check')) as c(on_table, name)
  loop
    select pg_get_constraintdef(oid) into strict definition from pg_constraint
      where conrelid = checked.on_table::regclass and conname = checked.name;
    execute format('alter table %I drop constraint %I, add constraint %I %s not valid', checked.on_table, checked.name, checked.name, definition);
  end loop;
end $$;
`);
}
