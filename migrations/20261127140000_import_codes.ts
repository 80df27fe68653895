import type { Knex } from 'knex';

/** Rows of members may bring a referral code of their own, and name a sponsor by the one that its row brings. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table import_row add column own_code text, add column sponsor_code text;
alter table import_row add constraint import_row_codes_check check (length(own_code) <= 32 and length(sponsor_code) <= 32) not valid;
create index import_row_own_code_idx on import_row (tenant_id, environment, import_id, own_code, row_number)
  where own_code is not null;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
drop index import_row_own_code_idx;
alter table import_row drop constraint import_row_codes_check;
alter table import_row drop column own_code, drop column sponsor_code;
`);
}
