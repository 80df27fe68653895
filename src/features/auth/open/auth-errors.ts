/** The error codes of this feature. */
import { defineErrors } from '../../../errors.ts';

export const authErrors = defineErrors({
  USER_NOT_PROVISIONED: {
    status: 403,
    meaning:
      'The provider knows the person, this service does not, and does not create it. `details.reason` `EMAIL_UNVERIFIED`: for its email is not verified.',
  },
  ACCOUNT_LINK_REQUIRED: {
    status: 409,
    meaning:
      'A member with this email exists and is not linked to this identity; it is never attached silently. The tenant links them: POST /members/{userId}/identities.',
  },
});
