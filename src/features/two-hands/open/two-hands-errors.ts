/** The error codes of this feature. */
import { defineErrors } from '../../../errors.ts';

export const twoHandsErrors = defineErrors({
  SECOND_PERSON_REQUIRED: {
    status: 403,
    meaning: 'Under dual control this takes a second pair of hands: a key of another root, or another person.',
  },
});
