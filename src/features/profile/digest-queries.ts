/** ID numbers from before their digests were kept, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';

export const UNDIGESTED = 'id_number_sealed is not null and id_number_digest is null';

export interface Undigested {
  memberId: string;
  countryCode: string | null;
  idNumberSealed: Buffer;
}

const profile = tenantTable('member_profile');

const lock = statement<Undigested, { limit: number }>('profile_lock_undigested', ({ limit }) =>
  profile('p')
    .whereRaw('p.id_number_sealed is not null and p.id_number_digest is null')
    .orderBy('p.member_id')
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
    .select({ memberId: 'p.member_id', countryCode: 'p.country_code', idNumberSealed: 'p.id_number_sealed' }),
);

/** Locked, so that what is set meanwhile is not written over. */
export function lockUndigested(db: Db, scope: Scope, limit: number): Promise<Undigested[]> {
  return db.rows(lock(scope, { limit }));
}

const store = statement<unknown, { ids: string[]; digests: Buffer[] }>('profile_store_digests', ({ ids, digests }) =>
  raw(
    `update member_profile p set id_number_digest = x.digest from unnest(:ids::uuid[], :digests::bytea[]) x(id, digest)
     where ${ofTenant('p')} and p.member_id = x.id`,
    { ids, digests },
  ),
);

/** Of rows that the transaction has locked. */
export async function storeDigests(db: Db, scope: Scope, ids: string[], digests: Buffer[]): Promise<void> {
  await db.rows(store(scope, { ids, digests }));
}
