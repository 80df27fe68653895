import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table payout_block validate constraint payout_block_reason_check;
alter table payout_account validate constraint payout_account_holder_type_check;
alter table payout_account validate constraint payout_account_name_match_check;
alter table member_profile validate constraint member_profile_business_name_check;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table member_profile drop constraint member_profile_business_name_check;
alter table member_profile add constraint member_profile_business_name_check check (length(business_name) <= 255) not valid;
alter table payout_account drop constraint payout_account_name_match_check;
alter table payout_account add constraint payout_account_name_match_check
  check (name_match in ('matched', 'mismatch', 'not_compared')) not valid;
alter table payout_account drop constraint payout_account_holder_type_check;
alter table payout_account add constraint payout_account_holder_type_check check (holder_type in ('individual', 'business')) not valid;
alter table payout_block drop constraint payout_block_reason_check;
alter table payout_block add constraint payout_block_reason_check
  check (reason in ('TEST_USER', 'HELD', 'BELOW_MINIMUM', 'NO_MINIMUM', 'NO_ACCOUNT', 'KYC_REQUIRED', 'NEGATIVE_BALANCE',
                    'ACCOUNT_COOLDOWN', 'NAME_MISMATCH', 'AMOUNT_NOT_PAYABLE', 'INACTIVE')) not valid;
`);
}
