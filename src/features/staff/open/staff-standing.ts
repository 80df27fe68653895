/** What a person may do now, for what must not go by what was remembered of a session. */
import type { Environment } from '../../../db/scope.ts';
import { type Role, rightsOf } from './roles.ts';

/** The role of whoever is active, in a frame of either environment: it stays so until the end of the transaction. */
export const LOCK_ROLE = 'select role from lock_staff_role(:staffId)';

export interface LockedRole {
  role: Role;
}

/** The scopes of the person whose role LOCK_ROLE has read; undefined of somebody who is not active. */
export function rightsOfLocked(
  locked: LockedRole | undefined,
  { environment, all }: { environment: Environment; all: readonly string[] },
): readonly string[] | undefined {
  return locked && rightsOf(locked.role, environment, all);
}
