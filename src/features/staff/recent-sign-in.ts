/** What a session alone does not carry, for its cookie may be stolen. Source: docs/specification/people.md#recent-sign-in. */
import type { Db, Scope } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import { findBegun } from './sessions-queries.ts';

/** UNAUTHORIZED unless the sign-in was within the last ten minutes; `what` is the beginning of a sentence. */
export async function requireRecentSignIn(
  db: Db,
  scope: Scope,
  of: { staffId: string; sessionId: string },
  what: string,
): Promise<void> {
  if ((await findBegun(db, scope, of))?.isRecent) return;
  throw new AppError('UNAUTHORIZED', `${what} takes a sign-in of the last 10 minutes: sign out, sign in again, and come back`);
}
