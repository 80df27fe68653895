/** The error codes of second factors. */
import { defineErrors } from '../../../errors.ts';

export const factorsErrors = defineErrors({
  FACTOR_REFUSED: {
    status: 403,
    meaning: 'The passkey or code does not hold: it is wrong, too late, or was used before.',
  },
  LAST_FACTOR: {
    status: 409,
    meaning: 'The role requires a second factor, and this is the last one. Add another first.',
  },
});
