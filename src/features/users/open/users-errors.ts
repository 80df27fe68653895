/** The error codes of this feature. */
import { defineErrors } from '../../../errors.ts';

export const usersErrors = defineErrors({
  RECRUITING_DISABLED: { status: 403, meaning: 'The sponsor may not recruit (can_recruit is false).' },
  EMAIL_EXISTS: { status: 409, meaning: 'A member with this email exists in this tenant and environment.' },
  EXTERNAL_ID_EXISTS: { status: 409, meaning: 'A member with this external_id exists in this tenant and environment.' },
  CYCLE_DETECTED: { status: 409, meaning: 'A member cannot be under itself or under its own downline, at any time.' },
});
