/** The list of members, as the group with snake_case bodies has it, in SQL. */
import { listStatement, raw } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant, sameTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import type { MembershipTier } from '../../http/schemas.ts';
import { namedActor } from '../audit/open/named-actor.ts';
import type { Member, MemberStanding } from './open/member.ts';
import { type MemberRow, toMember } from './users-queries.ts';

export interface MemberFilters {
  emailNorm: string | undefined;
  externalId: string | undefined;
  ids: readonly string[] | undefined;
  tier: MembershipTier | undefined;
  group: string | undefined;
  standing: MemberStanding | undefined;
  isActive: boolean | undefined;
  isTestUser: boolean | undefined;
  parentId: string | undefined;
  createdFrom: string | undefined;
  createdTo: string | undefined;
}

/** When the last member of the page before was created. */
const CREATED_AT = `(select a.created_at from member a where ${ofTenant('a')} and a.id = :afterId)`;

const member = tenantTable('member');

/** Read for the rows of the page only: a join may be planned through the codes of all members that come before. */
const REFERRAL_CODE = `(select c.code from referral_code c
  where ${sameTenant('c', 'm')} and c.member_id = m.id and c.is_default)`;

/** With a time of creation in the order of that time, which an index has. Neither it nor the id ever changes. */
const list = listStatement<MemberRow, MemberFilters & { afterId: string | undefined; count: number }>('users_list', (p) => {
  const isByTime = p.createdFrom || p.createdTo;
  const query = member('m')
    .select('m.*', { referral_code: raw(REFERRAL_CODE), creator: raw(namedActor('m.created_by')) })
    .orderBy(isByTime ? ['m.created_at', 'm.id'] : ['m.id'])
    .limit(p.count);
  if (p.emailNorm) query.where('m.email_norm', p.emailNorm);
  if (p.externalId) query.where('m.external_id', p.externalId);
  if (p.ids) query.whereIn('m.id', p.ids);
  if (p.tier) query.where('m.membership_tier', p.tier);
  if (p.group) query.where('m.group_key', p.group);
  if (p.standing) query.where('m.standing', p.standing);
  if (p.isActive) query.where('m.is_active', p.isActive);
  if (p.isTestUser) query.where('m.is_test_user', p.isTestUser);
  if (p.parentId) query.where('m.parent_id', p.parentId);
  if (p.createdFrom) query.where('m.created_at', '>=', p.createdFrom);
  if (p.createdTo) query.where('m.created_at', '<', p.createdTo);
  if (p.afterId && !isByTime) query.where('m.id', '>', p.afterId);
  if (p.afterId && isByTime) query.where(raw(`(m.created_at, m.id) > (${CREATED_AT}, :afterId)`, { afterId: p.afterId }));
  return query;
});

/** Members in order of their ids, which is the order they were created in. */
export async function listMembers(
  db: Db,
  scope: Scope,
  filters: MemberFilters,
  afterId: string | undefined,
  count: number,
): Promise<Member[]> {
  return (await db.rows(list(scope, { ...filters, afterId, count }))).map(toMember);
}
