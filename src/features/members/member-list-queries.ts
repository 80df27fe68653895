/** The list of members in SQL. */
import type { Knex } from 'knex';
import { sqlBuilder } from '../../db/connect.ts';
import type { Db, Scope } from '../../db/frame.ts';
import { built } from '../../db/statement.ts';
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
  tier: MembershipTier | undefined;
  isActive: boolean | undefined;
  sponsorId: string | undefined;
  joinedFrom: string | undefined;
  joinedTo: string | undefined;
}

/** Read for the rows of the page only, where a join would be planned for all that match. */
const REFERRAL_CODE = `(select c.code from referral_code c
  where c.tenant_id = m.tenant_id and c.environment = m.environment and c.member_id = m.id and c.is_default) as "referralCode"`;

const COLUMNS = [
  'm.id',
  'm.email',
  'm.name',
  'm.external_id as externalId',
  'm.membership_tier as membershipTier',
  'm.parent_id as sponsorId',
  'm.is_active as isActive',
  'm.can_recruit as canRecruit',
  'm.is_test_user as isTestUser',
  'm.pay_currency as payCurrency',
  sqlBuilder.raw(REFERRAL_CODE),
  'm.created_at as joinedAt',
  'm.updated_at as updatedAt',
];

const JOINED_AT = 'select a.created_at from member a where a.tenant_id = ? and a.environment = ? and a.id = ?';

/**
 * In order of their ids, which is the order they were created in; with a time of joining in order of
 * that time, which an index has: by id all who joined before would be read and left out. Neither
 * ever changes.
 */
export async function listMembers(
  db: Db,
  scope: Scope,
  filters: MemberFilters,
  afterId: string | undefined,
  count: number,
): Promise<ListedMember[]> {
  const mine = { 'm.tenant_id': scope.tenantId, 'm.environment': scope.environment };
  const query = sqlBuilder('member as m').where(mine).limit(count).select(COLUMNS);
  if (filters.emailNorm !== undefined) whereBeginsWith(query, 'm.email_norm', filters.emailNorm);
  if (filters.nameNorm !== undefined) whereBeginsWith(query, 'm.name_norm', filters.nameNorm);
  if (filters.tier !== undefined) query.where('m.membership_tier', filters.tier);
  if (filters.isActive !== undefined) query.where('m.is_active', filters.isActive);
  if (filters.sponsorId !== undefined) query.where('m.parent_id', filters.sponsorId);
  if (filters.joinedFrom !== undefined) query.where('m.created_at', '>=', filters.joinedFrom);
  if (filters.joinedTo !== undefined) query.where('m.created_at', '<', filters.joinedTo);
  if (filters.joinedFrom === undefined && filters.joinedTo === undefined) {
    query.orderBy('m.id');
    if (afterId !== undefined) query.where('m.id', '>', afterId);
  } else {
    query.orderBy(['m.created_at', 'm.id']);
    if (afterId !== undefined)
      query.whereRaw(`(m.created_at, m.id) > ((${JOINED_AT}), ?)`, [...Object.values(mine), afterId, afterId]);
  }
  return db.rows(built<ListedMember>(query));
}

/**
 * As a range of a column in byte order: row-level security lets an index be searched by comparisons,
 * which tell nothing of rows that are not shown, but not by LIKE.
 */
function whereBeginsWith(query: Knex.QueryBuilder, column: string, prefix: string): void {
  query.where(column, '>=', prefix).where(column, '<', `${prefix}\u{10FFFF}`);
}
