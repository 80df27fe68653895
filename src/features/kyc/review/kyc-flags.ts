/** What a reviewer must know before a decision. Source: docs/specification/verification.md#flags. */
import type { FlagRow } from './flags-queries.ts';
import { MOST_NAMED } from './flags-queries.ts';
import type { KycReviewAnswer } from './kyc-queue-operations.ts';

type Flag = KycReviewAnswer['flags'][number];

/** At most one of a kind. The other name of a mismatch is shown to nobody by `admin:kyc`, so it is not told here. */
export function flagsOf({ sameIdNumber, sameAccount, sharedAccountId, mismatchedAccountId }: FlagRow): Flag[] {
  return [
    ...(sameIdNumber.length === 0 ? [] : [flag('ID_NUMBER_SHARED', sameIdNumber, null)]),
    ...(sameAccount.length === 0 ? [] : [flag('ACCOUNT_SHARED', sameAccount, sharedAccountId)]),
    ...(mismatchedAccountId === null ? [] : [flag('NAME_MISMATCH', [], mismatchedAccountId)]),
  ];
}

function flag(kind: Flag['kind'], members: readonly string[], accountId: string | null): Flag {
  return { kind, userIds: members.slice(0, MOST_NAMED), more: members.length > MOST_NAMED, accountId, found: null };
}
