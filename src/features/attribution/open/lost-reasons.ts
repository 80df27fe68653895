/** Why a candidate was not credited, for a person. */
import type { LostBecause } from './decide-attribution.ts';

export const WHY_LOST: Record<LostBecause, string> = {
  UNKNOWN: 'Nothing of that name was known at the time.',
  INVALID: 'The click id is not one that this service gave out for this tenant.',
  OTHER_ENVIRONMENT: 'The click id is of the other environment.',
  RETIRED: 'The referral code had been retired.',
  DISABLED: 'The link was disabled.',
  EXPIRED: 'It had expired by then.',
  DISQUALIFIED: 'The lead had been disqualified.',
  UNATTRIBUTED: 'It leads to no member.',
  NOT_RECRUITING: 'The member may not recruit.',
  SET_ASIDE: 'The member was to have no sponsor: parent_id was null.',
  SELF: 'It leads to the person itself, and nobody is credited with themselves.',
  PERSONAL_PURCHASE: 'A member bought for itself, and then the plan alone says who is credited.',
  INACTIVE: 'The member was not active at the time.',
  OUTSIDE_WINDOW: 'The click was longer ago than the window allows.',
  AFTER: 'It happened after the time of the sale, capture or sign-up.',
  OUTRANKED: 'Another candidate comes first in the order of attribution.',
  LATER_CLICK: 'A later click counts.',
  EARLIER_CLICK: 'An earlier click counts.',
};
