/** Two pairs of hands: the rule of an environment, and whether two acts are by two. */
import { defineFeature } from '../../house/feature.ts';
import { twoHandsErrors } from './open/two-hands-errors.ts';
import { twoHandsAudits } from './two-hands-audits.ts';
import { createTwoHands, type TwoHands } from './two-hands-service.ts';

export type TwoHandsOffers = TwoHands;

export const twoHandsFeature = defineFeature({
  name: 'two-hands',
  errors: twoHandsErrors,
  audits: twoHandsAudits,
  tables: ['approval_tie'],
  open() {
    return { offers: createTwoHands() satisfies TwoHandsOffers };
  },
});
