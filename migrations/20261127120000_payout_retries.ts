import type { Knex } from 'knex';

/** What a payout that does not go through has to be known by: why it is not drafted, and what was asked for in vain. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
-- Of the transfer's reversal, for certain: the provider repeats its answer to a key, so each is asked for by another.
alter table payout_attempt add column reversal_refusals integer not null default 0;
-- Of the payout, for good: nothing but the transfer's reversal is asked for behind it.
alter table payout_attempt add column refused_code text check (length(refused_code) <= 100);

-- Since then a request of which nobody knows what came of it may have made an account, under a key that is not asked by any more.
alter table provider_account add column unsettled_since timestamptz;
alter table provider_account no force row level security;
-- What is stored is settled. A simulated account may stand where a request to the vendor is under way.
update provider_account set requested_at = null
  where provider_account_id is not null and status <> 'gone' and environment = 'LIVE';
update provider_account set unsettled_since = case environment when 'LIVE' then created_at else requested_at end
  where provider_account_id is null and requested_at is not null;
alter table provider_account force row level security;

alter table payout_block drop constraint payout_block_reason_check;
alter table payout_block add constraint payout_block_reason_check
  check (reason in ('BELOW_MINIMUM', 'NO_ACCOUNT', 'KYC_REQUIRED', 'NEGATIVE_BALANCE', 'ACCOUNT_COOLDOWN', 'INACTIVE',
                    'AMOUNT_NOT_PAYABLE')) not valid;
`);
}

/** The older code has no word for those whose amount could not be paid: the nearest that it has. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table provider_account drop column unsettled_since;
alter table payout_attempt drop column refused_code;
alter table payout_attempt drop column reversal_refusals;
alter table payout_block drop constraint payout_block_reason_check;
alter table payout_block no force row level security;
update payout_block set reason = 'BELOW_MINIMUM' where reason = 'AMOUNT_NOT_PAYABLE';
alter table payout_block force row level security;
alter table payout_block add constraint payout_block_reason_check
  check (reason in ('BELOW_MINIMUM', 'NO_ACCOUNT', 'KYC_REQUIRED', 'NEGATIVE_BALANCE', 'ACCOUNT_COOLDOWN', 'INACTIVE')) not valid;
alter table payout_block validate constraint payout_block_reason_check;
`);
}
