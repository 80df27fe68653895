import type { Knex } from 'knex';

/** Every stored answer, read without holding up the others. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table idempotency_key validate constraint idempotency_key_subject_check;');
}

export async function down(): Promise<void> {
  // A constraint that holds stays valid.
}
