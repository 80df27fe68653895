/** The states of payouts, runs and accounts as answers and filters name them: docs/specification/payouts.md#payout-states. */
import { z } from 'zod';
import { ACCOUNT_STATUSES, BLOCK_REASONS, PAYOUT_STATUSES, RUN_STATUSES } from './payout-states.ts';

export const payoutStatus = z.enum(PAYOUT_STATUSES).meta({
  id: 'PayoutStatus',
  description:
    '`queued`: not sent yet; `processing`: on its way; `paid`; `failed`: not paid, and can be tried again; `returned`: paid and came back; `cancelled`: never sent',
});

export const runStatus = z.enum(RUN_STATUSES).meta({
  id: 'PayoutRunStatus',
  description:
    '`draft`; `approved`: may be executed; `executing`: payouts are on their way; `completed`: none failed; `partially_failed`: ended, with failed ones; `cancelled`',
});

export const accountStatus = z.enum(ACCOUNT_STATUSES).meta({
  id: 'PayoutAccountStatus',
  description:
    '`provisioning`: being set up at the vendor; `active`: is paid to; `action_required`: the vendor wants to know more; `rejected`: by the vendor, for good; `deactivated`: by a request',
});

export const blockReason = z.enum(BLOCK_REASONS).meta({
  id: 'BlockReason',
  description:
    'The first that applies, in this order. `TEST_USER`: a member for trying out. `HELD`: a hold is on it. `BELOW_MINIMUM`: too little is due. `NO_MINIMUM`: the currency has none. `NO_ACCOUNT`: no active one in the currency. `KYC_REQUIRED`: it is not verified. `NEGATIVE_BALANCE`: it owes more than it earned. `ACCOUNT_COOLDOWN`: the account is too new. `NAME_MISMATCH`: the account is held under another name. `AMOUNT_NOT_PAYABLE`: the payment vendor pays out the currency in whole units only, such as HUF; the commissions stay cleared, and a manual commission of the difference makes the amount whole. `INACTIVE`: of runs drafted before holds',
});
