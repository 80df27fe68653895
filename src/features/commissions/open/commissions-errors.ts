/** The error codes of this feature. */
import { defineErrors } from '../../../errors.ts';

export const commissionsErrors = defineErrors({
  PLAN_CHANGED: {
    status: 409,
    meaning: 'The plan is not any more as the request expects it; nothing was changed. Read it again.',
  },
  PLAN_INVALID: { status: 422, meaning: 'The plan cannot be published; details.reasons names each rule it breaks.' },
});
