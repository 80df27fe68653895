import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table journal_entry validate constraint journal_entry_cause_type_check');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
do $$
declare
  definition text;
begin
  select pg_get_constraintdef(oid) into strict definition from pg_constraint
    where conrelid = 'journal_entry'::regclass and conname = 'journal_entry_cause_type_check';
  execute format('alter table journal_entry drop constraint journal_entry_cause_type_check, '
    'add constraint journal_entry_cause_type_check %s not valid', definition);
end $$;
`);
}
