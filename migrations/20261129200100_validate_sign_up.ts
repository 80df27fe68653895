import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table attribution_receipt validate constraint attribution_receipt_placed_fkey;
alter table attribution_receipt validate constraint attribution_receipt_subject_check;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table attribution_receipt drop constraint attribution_receipt_placed_fkey;
alter table attribution_receipt add constraint attribution_receipt_placed_fkey
  foreign key (tenant_id, environment, placed_member_id) references member not valid;
alter table attribution_receipt drop constraint attribution_receipt_subject_check;
alter table attribution_receipt add constraint attribution_receipt_subject_check
  check (num_nonnulls(event_id, lead_id, placed_member_id) = 1) not valid;
`);
}
