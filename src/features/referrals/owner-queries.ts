/** The member that codes and links are of, in SQL: whoever makes or moves one holds a lock on it. */
import { statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';

const member = tenantTable('member');
const code = tenantTable('referral_code');

export interface Owner {
  id: string;
  erasedAt: Date | null;
}

const columns = { id: 'm.id', erasedAt: 'm.erased_at' };

const lock = statement<Owner, { memberId: string }>('referrals_lock_owner', ({ memberId }) =>
  member('m').where('m.id', memberId).select(columns).forNoKeyUpdate(),
);

/** Against an erasure, and against others who change its codes; undefined when there is no such member. */
export function lockOwner(db: Db, { tenantId, environment }: Scope, memberId: string): Promise<Owner | undefined> {
  return db.row(lock({ tenantId, environment }, { memberId }));
}

const lockOfCode = statement<Owner, { codeId: string }>('referrals_lock_owner_of_code', ({ codeId }) =>
  member('m').where('m.id', code('c').where('c.id', codeId).select('c.member_id')).select(columns).forNoKeyUpdate(),
);

/** The same of the member that has the code, which never changes. */
export async function lockOwnerOfCode(db: Db, { tenantId, environment }: Scope, codeId: string): Promise<void> {
  await db.rows(lockOfCode({ tenantId, environment }, { codeId }));
}
