/** The end of a member's part in the business, as other features may bring it about. */
import type { Scope, WriteDb } from '../../db/scope.ts';
import { applyMemberChanges, insertActivityChange } from './history-queries.ts';
import type { Member } from './open/member.ts';
import { insertActivityCount, lockHistoryForChange, lockMember, lockTreeForChange } from './users-queries.ts';

/**
 * Locks the member, and makes it inactive from now on and unable to recruit; its upline counts it so. Takes
 * the tree's lock, so it comes before whatever else locks rows of members. Returns the member as it was, or
 * undefined; one that is erased is left alone.
 */
export async function retireMember(db: WriteDb, scope: Scope, memberId: string, reason: string): Promise<Member | undefined> {
  const [, , member] = await Promise.all([
    db.rows(lockTreeForChange(scope)),
    db.rows(lockHistoryForChange(scope)),
    lockMember(db, scope, memberId),
  ]);
  if (!member || member.erasedAt) return member;
  const change = { memberId, effectiveAt: undefined, reason };
  await Promise.all([
    member.isActive && insertActivityChange(db, scope, member.isActive, false, change),
    applyMemberChanges(db, scope, memberId, false),
    insertActivityCount(db, scope, memberId, member.isActive),
  ]);
  return member;
}
