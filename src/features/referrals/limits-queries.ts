/** How many codes and links a member has, in SQL. Of a member that is locked (`lockOwner`). */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';

interface Limited {
  memberId: string;
  limit: number;
}

const codes = statement<{ full: boolean }, Limited>('referrals_count_codes', ({ memberId, limit }) =>
  raw(
    `select count(*) >= :limit as "full" from (
     select from referral_code c where ${ofTenant('c')} and c.member_id = :memberId limit :limit) counted`,
    { memberId, limit },
  ),
);

/** Whether the member has so many codes; one that is retired stays taken and counts. */
export async function hasAllCodes(db: Db, { tenantId, environment }: Scope, limited: Limited): Promise<boolean> {
  return (await db.row(codes({ tenantId, environment }, limited)))?.full === true;
}

const links = statement<{ full: boolean }, Limited>('referrals_count_links', ({ memberId, limit }) =>
  raw(
    `select count(*) >= :limit as "full" from (
     select from referral_link l
     where ${ofTenant('l')} and l.member_id = :memberId and l.status <> 'deleted' limit :limit) counted`,
    { memberId, limit },
  ),
);

/** Whether the member has so many links that are not deleted. */
export async function hasAllLinks(db: Db, { tenantId, environment }: Scope, limited: Limited): Promise<boolean> {
  return (await db.row(links({ tenantId, environment }, limited)))?.full === true;
}
