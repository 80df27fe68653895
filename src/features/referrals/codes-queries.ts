/** Referral codes in SQL. */
import { listStatement, raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { scopeNow } from '../../db/scope-clock.ts';
import type { Statement } from '../../db/statement.ts';
import { tenantTable } from '../../db/tenant-table.ts';

export type CodeStatus = 'active' | 'retired';

export interface ReferralCode {
  id: string;
  memberId: string;
  code: string;
  status: CodeStatus;
  isDefault: boolean;
  createdAt: Date;
  updatedAt: Date;
}

const referralCode = tenantTable('referral_code');

const columns = [
  'c.id',
  'c.member_id as memberId',
  'c.code',
  'c.status',
  'c.is_default as isDefault',
  'c.created_at as createdAt',
  'c.updated_at as updatedAt',
];

const find = statement<ReferralCode, { id: string; memberId: string | null }>('referrals_find_code', ({ id, memberId }) =>
  referralCode('c')
    .where('c.id', id)
    .whereRaw('(:memberId::uuid is null or c.member_id = :memberId)', { memberId })
    .select(columns),
);

/** Only when it is the member's, where one is given. */
export function codeStatement(
  { tenantId, environment }: Scope,
  id: string,
  memberId: string | undefined,
): Statement<ReferralCode> {
  return find({ tenantId, environment }, { id, memberId: memberId ?? null });
}

export interface CodeFilters {
  memberId: string | undefined;
  status: CodeStatus | undefined;
}

type Listing = CodeFilters & { afterId: string | undefined; count: number };

const list = listStatement<ReferralCode, Listing>('referrals_list_codes', ({ memberId, status, afterId, count }) => {
  const query = referralCode('c').orderBy('c.id').limit(count).select(columns);
  if (memberId) query.where('c.member_id', memberId);
  if (status) query.where('c.status', status);
  if (afterId) query.where('c.id', '>', afterId);
  return query;
});

/** In order of their ids, which is the order they were made in. */
export function listCodesStatement(
  scope: Scope,
  { memberId, status }: CodeFilters,
  afterId: string | undefined,
  count: number,
): Statement<ReferralCode> {
  return list(scope, { memberId, status, afterId, count });
}

const insert = statement<ReferralCode, { code: string; memberId: string; isDefault: boolean }>(
  'referrals_insert_code',
  ({ code, memberId, isDefault }) =>
    referralCode('c')
      .insert({ code, member_id: memberId, is_default: isDefault, created_at: scopeNow, updated_at: scopeNow })
      .onConflict('code')
      .ignore()
      .returning(columns),
);

/** Undefined when somebody has the code, or had it. */
export function insertCode(
  db: Db,
  { tenantId, environment }: Scope,
  { code, memberId, isDefault }: Pick<ReferralCode, 'code' | 'memberId' | 'isDefault'>,
): Promise<ReferralCode | undefined> {
  return db.row(insert({ tenantId, environment }, { code, memberId, isDefault }));
}

const demote = statement<unknown, { memberId: string }>('referrals_demote_code', ({ memberId }) =>
  referralCode().where({ member_id: memberId, is_default: true }).update({ is_default: false, updated_at: scopeNow }),
);

/** Whoever calls it gives the member another default code in the same transaction, behind the lock on it. */
export async function demoteDefault(db: Db, { tenantId, environment }: Scope, memberId: string): Promise<void> {
  await db.rows(demote({ tenantId, environment }, { memberId }));
}

const change = statement<ReferralCode, { id: string; status: CodeStatus; isDefault: boolean }>(
  'referrals_change_code',
  ({ id, status, isDefault }) =>
    referralCode('c').where('c.id', id).update({ status, is_default: isDefault, updated_at: scopeNow }).returning(columns),
);

export async function changeCode(
  db: Db,
  { tenantId, environment }: Scope,
  { id, status, isDefault }: Pick<ReferralCode, 'id' | 'status' | 'isDefault'>,
): Promise<ReferralCode> {
  const changed = await db.row(change({ tenantId, environment }, { id, status, isDefault }));
  if (!changed) throw new Error('a referral code vanished');
  return changed;
}

export interface ResolvedCode {
  code: string;
  codeId: string;
  memberId: string;
  name: string | null;
  isActive: boolean;
  canRecruit: boolean;
}

const resolve = statement<ResolvedCode, { code: string }>('referrals_resolve_code', ({ code }) =>
  referralCode('c')
    .join('member as m', 'm.id', 'c.member_id')
    .where('c.code', raw('upper(:code)', { code }))
    .where('c.status', 'active')
    .select({
      code: 'c.code',
      codeId: 'c.id',
      memberId: 'm.id',
      name: 'm.name',
      isActive: 'm.is_active',
      canRecruit: 'm.can_recruit',
    }),
);

/** An active code in any case, with the member whose it is. */
export function resolveCodeStatement({ tenantId, environment }: Scope, code: string): Statement<ResolvedCode> {
  return resolve({ tenantId, environment }, { code });
}
