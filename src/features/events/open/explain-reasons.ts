/** Why a member is not paid and why a walk ended, for a person. */
import type { PassedOver } from '../../commissions/open/choose-plan.ts';
import type { RatePassed } from '../../commissions/open/choose-rate.ts';
import type { HoldCause } from '../../commissions/open/commission-line.ts';
import type { NotPaid } from '../../commissions/open/evaluate-plan.ts';
import type { WalkEnd } from '../../commissions/open/walk-upline.ts';

/** Reads on after the member: 'Ann was not active …', or for the event as a whole. */
export const WHY: Record<NotPaid, string> = {
  BUYER: 'is the buyer, who is paid for no level but the first',
  STANDING: 'was rejected or banned at the time of the sale',
  INACTIVE: 'was not active at the time of the sale',
  TIER_WITHOUT_RULE: 'has a tier the plan has no rule for',
  TIER_DEPTH: 'has a tier that is not paid this deep',
  KYC_NOT_APPROVED: 'was not verified at the time of the sale',
  PERSONAL_SALES: 'had too few personal sales in the month of the sale',
  ACTIVE_DIRECTS: 'had too few active direct recruits at the time of the sale',
  RATE_NOT_HIGHER: 'has no higher rate than is paid below',
  NO_BASE: 'the sale has no amount that commissions are calculated on',
  NO_AMOUNT_FOR_CURRENCY: 'the plan names no fixed amount in the currency of the sale',
  RATE_OF_ZERO: 'a rule of the plan pays nothing here',
  ROUNDED_TO_ZERO: 'the amount rounds to nothing',
  EVENT_CEILING: 'the ceiling of the event leaves nothing',
  MEMBER_CAP: "the member's cap for the month is used up",
  CUSTOMER_CAP: "the customer's cap is used up",
  NO_PLAN: 'no plan covers the purchase',
  UNATTRIBUTED: 'nobody is credited with the purchase',
  PERSONAL_PURCHASE: 'the plan pays nothing for a personal purchase',
  TEST_USER: 'a test member bought this or brought it in, which pays nobody',
  RECURRING_DISABLED: 'the plan does not pay renewals',
  RECURRING_MONTHS: "the months in which the customer's renewals are paid have passed",
  RECURRING_EVENTS: "the number of the customer's payments that are paid is used up",
};

/** Why a rule, what was agreed, or a level's own rate does not pay a share. */
export const RATE_WHY: Record<RatePassed, string> = {
  LEVEL_NOT_NAMED: 'is not for this level',
  FALSE: 'does not hold',
  NO_OVERRIDE: 'there is none at the time of the sale',
  PRODUCT_NOT_NAMED: 'names other products',
  SUM_NOT_ALLOWED: 'is a sum that the plan does not let count',
  CURRENCY_NOT_NAMED: 'names no sum in the currency of the sale',
  OUTRANKED: 'is asked behind the one that pays',
};

/** Of a plan that covers a sale and does not pay it. */
export const PASSED: Record<PassedOver, string> = {
  GROUP_NOT_NAMED: 'does not name the group of the credited member',
  PRIORITY: 'has a lower priority',
  OLDER: 'has the same priority and is the older one',
};

/** Of a line that is on hold now. */
export const HELD: Record<HoldCause, string> = {
  manual: 'put on hold by hand',
  dispute: 'a dispute of the purchase is open',
  self_purchase: 'the customer has the email of the member, and no buyer was named',
};

export const END: Record<WalkEnd, string> = {
  ALL_LEVELS_TAKEN: 'every level of the plan was taken; nobody further up was considered',
  TOP_RATE_TAKEN: 'the highest rate of the plan was taken; nobody further up was considered',
  END_OF_UPLINE: 'the upline ends here',
  MAX_ANCESTORS: 'nobody beyond 256 members is considered',
};
