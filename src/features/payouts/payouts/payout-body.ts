import { shownTo } from '../../../actor.ts';
import type { Caller } from '../../../http/operation.ts';
import { minorSum } from '../../../money.ts';
import type { PayoutAnswer } from './payouts-operations.ts';
import type { Payout } from './payouts-queries.ts';

/** A payout as it is answered. */
export function payoutBody({ memberId, providerType, lineCount, amountMinor, ...payout }: Payout): PayoutAnswer {
  return {
    ...payout,
    userId: memberId,
    provider: providerType,
    commissionCount: lineCount,
    ...minorSum('amountMinor', amountMinor),
  };
}

/** A member is not told which key drafted it. */
export function payoutBodyFor(payout: Payout, { member }: Caller): PayoutAnswer {
  return { ...payoutBody(payout), createdBy: payout.createdBy && shownTo(member, payout.createdBy) };
}
