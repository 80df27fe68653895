import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table payout_block validate constraint payout_block_reason_check');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table payout_block drop constraint payout_block_reason_check;
alter table payout_block add constraint payout_block_reason_check
  check (reason in ('TEST_USER', 'HELD', 'BELOW_MINIMUM', 'NO_MINIMUM', 'NO_ACCOUNT', 'KYC_REQUIRED', 'NEGATIVE_BALANCE',
                    'ACCOUNT_COOLDOWN', 'AMOUNT_NOT_PAYABLE', 'INACTIVE')) not valid;
`);
}
