/** What a sign-up brings along of who may sponsor it, and what is refused of that. Source: docs/specification/attribution.md#sign-up. */
import type { Scope } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import { clickReferenceOf, codeReferenceOf } from '../attribution/open/reference-text.ts';
import type { SponsorChoice } from '../attribution/open/sign-up-sql.ts';
import type { ClickIds } from '../referrals/open/click-ids.ts';
import type { RefusedSponsor } from './insert-member-queries.ts';
import type { NewMemberInput } from './open/new-member.ts';
import type { SignUp } from './open/sign-up.ts';
import { usersErrors } from './open/users-errors.ts';

/**
 * `asked`: a tenant names a sponsor, and is told when it cannot be. `signed_in`: a person comes for the first time with
 * what its browser has kept, which may keep nobody out. `converted`: the lead's referrer is the sponsor or there is no
 * member.
 */
const REFUSING: Record<SignUp['by'], string> = {
  asked: '{explicit_user,referral_code,click}',
  signed_in: '{}',
  converted: '{lead}',
};

type Named = Pick<NewMemberInput, 'parent_id' | 'referral_code' | 'click_id'>;

export function sponsorChoiceOf(clickIds: ClickIds, scope: Scope, named: Named, { by, emailVerified }: SignUp): SponsorChoice {
  const { parent_id: sponsorId, referral_code: sponsorCode = null, click_id: clickId = null } = named;
  const opened = clickId === null ? undefined : clickIds.open(scope, clickId);
  const clickState = opened && 'fault' in opened ? opened.fault : null;
  return {
    sponsorId: sponsorId ?? null,
    sponsorCode,
    codeReference: sponsorCode === null ? null : codeReferenceOf(sponsorCode),
    clickId: opened && 'id' in opened ? opened.id : null,
    clickState,
    clickReference: clickId === null ? null : opened && 'id' in opened ? opened.id : clickReferenceOf(clickId),
    asRoot: sponsorId === null,
    takesLead: emailVerified,
    refusing: REFUSING[by],
  };
}

const FIELDS: Record<string, [field: string, message: string]> = {
  explicit_user: ['parent_id', 'is not a member of this tenant and environment'],
  referral_code: ['referral_code', 'is not an active referral code'],
  click: ['click_id', 'names no click of this environment'],
};

export function refusalOf({ source, state }: RefusedSponsor): AppError {
  const [field, message] = FIELDS[source] ?? [];
  if (state === 'not_recruiting' || field === undefined || message === undefined) {
    return new AppError(usersErrors.RECRUITING_DISABLED, 'The sponsor may not recruit');
  }
  return invalidField(field, message);
}
