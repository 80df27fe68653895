/** The member that codes and links are of, in SQL: whoever makes or moves one holds a lock on it. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

export interface Owner {
  id: string;
  erasedAt: Date | null;
}

const lock = prepared<Owner, [string, string, memberId: string]>(
  'referrals_lock_owner',
  `select m.id, m.erased_at as "erasedAt" from member m
   where m.tenant_id = $1 and m.environment = $2 and m.id = $3 for no key update`,
);

/** Against an erasure, and against others who change its codes; undefined when there is no such member. */
export function lockOwner(db: Db, { tenantId, environment }: Scope, memberId: string): Promise<Owner | undefined> {
  return db.row(lock(tenantId, environment, memberId));
}

const lockOfCode = prepared<Owner, [string, string, codeId: string]>(
  'referrals_lock_owner_of_code',
  `select m.id, m.erased_at as "erasedAt" from member m
   where m.tenant_id = $1 and m.environment = $2
     and m.id = (select c.member_id from referral_code c where c.tenant_id = $1 and c.environment = $2 and c.id = $3)
   for no key update`,
);

/** The same of the member that has the code, which never changes. */
export async function lockOwnerOfCode(db: Db, { tenantId, environment }: Scope, codeId: string): Promise<void> {
  await db.rows(lockOfCode(tenantId, environment, codeId));
}
