/** The error codes of this feature. */
import { defineErrors } from '../../../errors.ts';

export const payoutsErrors = defineErrors({
  METHOD_NOT_SUPPORTED: {
    status: 422,
    meaning: 'The payout method is not one that the tenant offers in the country of the member.',
  },
  AMOUNT_NOT_SETTLEABLE: {
    status: 422,
    meaning:
      'Whole cleared commissions do not come to the amount; details has clearedMinor, and the nearest amounts that they come to.',
  },
  PAYOUTS_FROZEN: {
    status: 503,
    meaning:
      'The database was restored or has failed over: nothing is paid until its operator has matched what was paid meanwhile.',
  },
  PROFILE_INCOMPLETE: { status: 422, meaning: 'The profile lacks what this needs; details.missing names each field.' },
});
