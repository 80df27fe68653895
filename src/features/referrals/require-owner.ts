/** Whose codes and links a call may make. */
import type { Db } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { Caller } from '../../http/operation.ts';
import { lockOwner } from './owner-queries.ts';

/** Locks the member that `user_id` of a body names. FORBIDDEN, VALIDATION_ERROR; STATE_CONFLICT when it is erased. */
export async function requireOwner(db: Db, scope: Caller, memberId: string): Promise<void> {
  // Existing or not.
  if (scope.member && memberId !== scope.member.memberId) {
    throw new AppError('FORBIDDEN', 'The bearer token is of another member');
  }
  const owner = await lockOwner(db, scope, memberId);
  if (!owner) throw invalidField('user_id', 'is not a member of this tenant and environment');
  if (owner.erasedAt) throw new AppError('STATE_CONFLICT', 'The member was erased');
}
