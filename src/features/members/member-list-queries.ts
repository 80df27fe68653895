/** The list of members in SQL. */
import { type GivenPlaces, listStatement, raw } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant, sameTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import type { MembershipTier } from '../../http/schemas.ts';

export interface ListedMember {
  id: string;
  email: string;
  name: string | null;
  externalId: string | null;
  membershipTier: MembershipTier;
  sponsorId: string | null;
  isActive: boolean;
  canRecruit: boolean;
  isTestUser: boolean;
  payCurrency: string;
  referralCode: string;
  joinedAt: Date;
  updatedAt: Date;
}

export interface MemberFilters {
  /** Beginnings, in the form the columns hold. */
  emailNorm: string | undefined;
  nameNorm: string | undefined;
  externalId: string | undefined;
  ids: readonly string[] | undefined;
  tier: MembershipTier | undefined;
  isActive: boolean | undefined;
  sponsorId: string | undefined;
  joinedFrom: string | undefined;
  joinedTo: string | undefined;
}

/** Read for the rows of the page only, where a join would be planned for all that match. */
const REFERRAL_CODE = `(select c.code from referral_code c
  where ${sameTenant('c', 'm')} and c.member_id = m.id and c.is_default)`;

export const MEMBER_COLUMNS = {
  id: 'm.id',
  email: 'm.email',
  name: 'm.name',
  externalId: 'm.external_id',
  membershipTier: 'm.membership_tier',
  sponsorId: 'm.parent_id',
  isActive: 'm.is_active',
  canRecruit: 'm.can_recruit',
  isTestUser: 'm.is_test_user',
  payCurrency: 'm.pay_currency',
  referralCode: raw(REFERRAL_CODE),
  joinedAt: 'm.created_at',
  updatedAt: 'm.updated_at',
};

/** When the last member of the page before joined. */
export const JOINED_AT = `(select a.created_at from member a where ${ofTenant('a')} and a.id = :afterId)`;

const member = tenantTable('member');

export type ListParameters = Omit<MemberFilters, 'emailNorm' | 'nameNorm'> & {
  emailFrom: string | undefined;
  emailTo: string | undefined;
  nameFrom: string | undefined;
  nameTo: string | undefined;
  afterId: string | undefined;
  count: number;
};

/**
 * In order of their ids, which is the order they were created in; with a time of joining in order of
 * that time, which an index has: by id all who joined before would be read and left out. Neither
 * ever changes.
 */
/** Where a member stands among the ids that were asked for. */
const PLACE = 'array_position(:ids::uuid[], m.id)';

/** Those of ids that were given, in their order. */
const listGiven = listStatement<ListedMember, ListParameters>('members_list_given', (p) => {
  const { ids, afterId } = p;
  if (!ids) throw new Error('a list of given members names them');
  const query = filteredMembers(p)
    .limit(p.count)
    .select(MEMBER_COLUMNS)
    .orderByRaw(raw(PLACE, { ids }) as unknown as string);
  return afterId ? query.where(raw(`${PLACE} > array_position(:ids::uuid[], :afterId)`, { ids, afterId })) : query;
});

const list = listStatement<ListedMember, ListParameters>('members_list', (p) => {
  const query = filteredMembers(p).limit(p.count).select(MEMBER_COLUMNS);
  const isByTime = p.joinedFrom || p.joinedTo;
  if (!isByTime && p.afterId) query.where('m.id', '>', p.afterId);
  if (isByTime && p.afterId) query.where(raw(`(m.created_at, m.id) > (${JOINED_AT}, :afterId)`, { afterId: p.afterId }));
  return query.orderBy(isByTime ? ['m.created_at', 'm.id'] : ['m.id']);
});

/** Those that the filters are true of. */
export function filteredMembers(p: GivenPlaces<Scope & Omit<ListParameters, 'afterId' | 'count'>>) {
  const query = member('m');
  if (p.externalId) query.where('m.external_id', p.externalId);
  if (p.ids) query.whereIn('m.id', p.ids);
  if (p.emailFrom && p.emailTo) query.where('m.email_norm', '>=', p.emailFrom).where('m.email_norm', '<', p.emailTo);
  if (p.nameFrom && p.nameTo) query.where('m.name_norm', '>=', p.nameFrom).where('m.name_norm', '<', p.nameTo);
  if (p.tier) query.where('m.membership_tier', p.tier);
  if (p.isActive) query.where('m.is_active', p.isActive);
  if (p.sponsorId) query.where('m.parent_id', p.sponsorId);
  if (p.joinedFrom) query.where('m.created_at', '>=', p.joinedFrom);
  if (p.joinedTo) query.where('m.created_at', '<', p.joinedTo);
  return query;
}

export async function listMembers(
  db: Db,
  scope: Scope,
  filters: MemberFilters,
  afterId: string | undefined,
  count: number,
): Promise<ListedMember[]> {
  const ordered = filters.ids === undefined ? list : listGiven;
  return db.rows(ordered(scope, { ...parametersOf(filters), afterId, count }));
}

export function parametersOf({ emailNorm, nameNorm, ...filters }: MemberFilters): Omit<ListParameters, 'afterId' | 'count'> {
  const [emailFrom, emailTo] = rangeOf(emailNorm);
  const [nameFrom, nameTo] = rangeOf(nameNorm);
  return { ...filters, emailFrom, emailTo, nameFrom, nameTo };
}

/**
 * What begins so, as a range of a column in byte order: row-level security lets an index be searched by comparisons,
 * which tell nothing of rows that are not shown, but not by LIKE.
 */
function rangeOf(prefix: string | undefined): [from: string | undefined, to: string | undefined] {
  return [prefix, prefix === undefined ? undefined : `${prefix}\u{10FFFF}`];
}
