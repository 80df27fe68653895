/** The error codes of this feature. */
import { defineErrors } from '../../../errors.ts';

export const referralsErrors = defineErrors({
  CODE_TAKEN: {
    status: 409,
    meaning: 'A member has this referral code in this tenant and environment, or had it; or a link has this slug, or had it.',
  },
});
