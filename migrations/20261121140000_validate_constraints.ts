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

/** A validated constraint is dropped with its table change. */
export async function down(): Promise<void> {}
