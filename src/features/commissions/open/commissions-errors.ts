/** The error codes of this feature. */
import { defineErrors } from '../../../errors.ts';

export const commissionsErrors = defineErrors({
  PLAN_INVALID: { status: 422, meaning: 'The plan cannot be published; details.reasons names each rule it breaks.' },
});
