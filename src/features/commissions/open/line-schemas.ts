/** What a commission line is and where it stands, as answers and filters name it: docs/specification/commissions.md#states. */
import { z } from 'zod';
import { HOLD_CAUSES, LINE_KINDS, LINE_STATUSES, PAY_SOURCES } from './commission-line.ts';

export const lineStatus = z.enum(LINE_STATUSES).meta({
  id: 'CommissionStatus',
  description:
    '`pending`: waits for the holding time; `held`: stopped; `cleared`: can be paid; `processing`: in a payout; `paid`: paid out; `reversed`: taken back before',
});

export const lineKind = z.enum(LINE_KINDS).meta({
  id: 'CommissionKind',
  description:
    '`commission`: of a sale; `reversal`: takes back before payout, `clawback` after it; `reinstatement`: gives back what was taken; `bonus`, `adjustment`, `correction`: granted by hand, an `adjustment` also for a sale of a period; `write_off`: what a member owed and the company bears',
});

export const paySource = z.enum(PAY_SOURCES).meta({
  id: 'PaySource',
  description:
    '`final_rule`, `rule`: a rule of the plan; `link`, `code`, `member`: what was agreed for it; `ladder`: the ladder of the level; `level`: its rate or sum; `mixed`: several of them, for parts of the sale',
});

export const holdCause = z.enum(HOLD_CAUSES).meta({
  id: 'HoldCause',
  description:
    '`manual`: by hand; `dispute`: of the purchase is open; `self_purchase`: the customer has the email of the member, and no buyer was named',
});
