/** The error codes of this feature. */
import { defineErrors } from '../../errors.ts';

export const groupsErrors = defineErrors({
  GROUP_EXISTS: { status: 409, meaning: 'A group with this key exists in this tenant and environment, or is archived.' },
});
