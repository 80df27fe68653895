/** The error codes of this feature. */
import { defineErrors } from '../../../errors.ts';

export const staffErrors = defineErrors({
  STAFF_EXISTS: { status: 409, meaning: 'A person of the tenant has this email address already.' },
  LAST_OWNER: { status: 409, meaning: 'The tenant would have no active owner left. Make somebody else an owner first.' },
  WRONG_PASSWORD: { status: 403, meaning: 'The password that was asked for is not the right one.' },
});
