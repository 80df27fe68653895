/** The error codes of this feature. */
import { defineErrors } from '../../../errors.ts';

export const payoutsErrors = defineErrors({
  METHOD_NOT_SUPPORTED: {
    status: 422,
    meaning: 'The payout method is not one that the tenant offers in the country of the member.',
  },
  PROFILE_INCOMPLETE: { status: 422, meaning: 'The profile lacks what this needs; details.missing names each field.' },
});
