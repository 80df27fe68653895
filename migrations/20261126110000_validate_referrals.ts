import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table commission_line validate constraint commission_line_hold_cause_check;
alter table customer validate constraint customer_first_referrer_fkey;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table commission_line drop constraint commission_line_hold_cause_check;
alter table commission_line add constraint commission_line_hold_cause_check
  check (hold_cause in ('manual', 'dispute', 'self_purchase')) not valid;
alter table customer drop constraint customer_first_referrer_fkey;
alter table customer
  add constraint customer_first_referrer_fkey foreign key (tenant_id, environment, first_referrer_id) references member not valid;
`);
}
