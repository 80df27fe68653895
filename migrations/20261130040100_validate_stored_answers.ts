import type { Knex } from 'knex';

/** Every stored answer, read without holding up the others. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table idempotency_key validate constraint idempotency_key_subject_check;');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table idempotency_key drop constraint idempotency_key_subject_check;
alter table idempotency_key
  add constraint idempotency_key_subject_check check (subject ~ '^(api_key|staff|member):[0-9a-f-]{36}$') not valid;
`);
}
