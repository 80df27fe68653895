/** A member's profile as other features may read it, within a transaction of theirs. */
import type { Db, Scope } from '../../db/frame.ts';
import { type Profile, profileStatement } from './profile-queries.ts';

export function findProfile(db: Db, scope: Scope, memberId: string): Promise<Profile | undefined> {
  return db.row(profileStatement(scope.tenantId, scope.environment, memberId));
}
