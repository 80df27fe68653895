/** The error codes of this feature. */
import { defineErrors } from '../../../errors.ts';

export const pendingChangesErrors = defineErrors({
  CHANGE_PENDING: {
    status: 409,
    meaning:
      'Another change that weakens the same safeguard waits to be confirmed; details.pendingChangeId names it. Nothing was changed.',
  },
});
