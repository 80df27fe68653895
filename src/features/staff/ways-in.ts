/** Ways in that were open before a password changed or a person was disabled. Source: docs/specification/people.md#ways-in. */
import type { Db, Scope } from '../../db/scope.ts';
import { useUpChallenges } from './challenges-queries.ts';
import { revokeLinks } from './links-queries.ts';

/** Takes back links to a new password, and sign-ins that wait for their second step. */
export async function closeWaysIn(db: Db, scope: Scope, staffId: string): Promise<void> {
  await revokeLinks(db, scope, { staffId });
  await useUpChallenges(db, scope, { staffId, kinds: ['sign_in'] });
}

/** The same, and whatever else was asked of the person or mailed. */
export async function closeAllWays(db: Db, scope: Scope, staffId: string): Promise<void> {
  await revokeLinks(db, scope, { staffId });
  await useUpChallenges(db, scope, { staffId });
}
