/** What a person may do now, for what must not go by what was remembered of a session. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Environment, Scope } from '../../../db/scope.ts';
import { type Role, rightsOf } from './roles.ts';

const lockRole = statement<{ role: Role }, { staffId: string }>('staff_lock_role', ({ staffId }) =>
  raw('select role from lock_staff_role(:staffId)', { staffId }),
);

/**
 * The scopes of a person's role in an environment, in a frame of either one: they stay so until the end of the
 * transaction. Undefined of somebody who is not active.
 */
export async function lockRightsOf(
  db: Db,
  scope: Scope,
  { staffId, environment, all }: { staffId: string; environment: Environment; all: readonly string[] },
): Promise<readonly string[] | undefined> {
  const row = await db.row(lockRole(scope, { staffId }));
  return row && rightsOf(row.role, environment, all);
}
