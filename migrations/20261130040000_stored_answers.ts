import type { Knex } from 'knex';

/**
 * Whose a stored answer is, and whom it names (docs/specification/conventions.md#stored-answers). Answers of before
 * have neither: they are nobody's, and gone within the time that they are kept for.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table idempotency_key add column subject text, add column named bigint[];
alter table idempotency_key
  add constraint idempotency_key_subject_check check (subject ~ '^(api_key|staff|member):[0-9a-f-]{36}$') not valid;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table idempotency_key drop column subject, drop column named;');
}
