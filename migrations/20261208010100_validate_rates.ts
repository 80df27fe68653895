import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table commission_line validate constraint commission_line_pay_source_check');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table commission_line drop constraint commission_line_pay_source_check;
alter table commission_line add constraint commission_line_pay_source_check
  check (pay_source in ('final_rule', 'link', 'code', 'member', 'rule', 'ladder', 'level', 'mixed')) not valid;
`);
}
