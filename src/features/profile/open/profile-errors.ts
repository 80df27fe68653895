/** The error codes of this feature. */
import { defineErrors } from '../../../errors.ts';

export const profileErrors = defineErrors({
  MONEY_OWED: {
    status: 409,
    meaning: 'The member is owed money; details.owed has the sums by currency and status. acknowledgeOwed erases all the same.',
  },
});
