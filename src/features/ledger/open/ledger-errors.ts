/** The error codes of this feature. */
import { defineErrors } from '../../../errors.ts';

export const ledgerErrors = defineErrors({
  BALANCE_LIMIT: {
    status: 422,
    meaning:
      "A member's balance would pass 999,999,999,999,999 minor units, or the amount is more than is credited or charged by hand at once; nothing was recorded.",
  },
});
