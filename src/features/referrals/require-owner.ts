/** Whose codes and links a call may make and see. */
import type { Db } from '../../db/frame.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { Caller } from '../../http/operation.ts';
import { lockOwner } from './owner-queries.ts';

/** The member whose they are: the one that is named, with a bearer token its own. Whoever else is named, existing or not: FORBIDDEN. */
export function narrowToCaller({ member }: Caller, memberId: string | undefined): string | undefined {
  if (member && memberId !== undefined && memberId !== member.memberId) {
    throw new AppError('FORBIDDEN', 'The bearer token is of another member');
  }
  return member?.memberId ?? memberId;
}

/** Locks the member that `user_id` of a body names. FORBIDDEN, VALIDATION_ERROR; STATE_CONFLICT when it is erased. */
export async function requireOwner(db: Db, scope: Caller, memberId: string): Promise<void> {
  narrowToCaller(scope, memberId);
  const owner = await lockOwner(db, scope, memberId);
  if (!owner) throw invalidField('user_id', 'is not a member of this tenant and environment');
  if (owner.erasedAt) throw new AppError('STATE_CONFLICT', 'The member was erased');
}
