import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table payout validate constraint payout_settlement_check;
alter table payout_account validate constraint payout_account_kept_check;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table payout drop constraint payout_settlement_check;
alter table payout add constraint payout_settlement_check
  check (payout_run_id is not null and payout_account_id is not null
         or payout_run_id is null and payout_account_id is null and provider_type = 'manual'
            and status in ('processing', 'paid', 'returned')) not valid;
alter table payout_account drop constraint payout_account_kept_check;
alter table payout_account add constraint payout_account_kept_check
  check (kept_check_at is null or status = 'deactivated') not valid;
`);
}
