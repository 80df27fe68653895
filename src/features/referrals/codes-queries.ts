/** Referral codes in SQL. */
import { sqlBuilder } from '../../db/connect.ts';
import type { Db, Scope } from '../../db/frame.ts';
import { built, prepared, type Statement } from '../../db/statement.ts';

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

const columns = {
  id: 'c.id',
  memberId: 'c.member_id',
  code: 'c.code',
  status: 'c.status',
  isDefault: 'c.is_default',
  createdAt: 'c.created_at',
  updatedAt: 'c.updated_at',
} as const satisfies Record<keyof ReferralCode, string>;

const shown = Object.entries(columns)
  .map(([name, column]) => `${column} as "${name}"`)
  .join(', ');

const find = prepared<ReferralCode, [string, string, id: string, memberId: string | null]>(
  'referrals_find_code',
  `select ${shown} from referral_code c
   where c.tenant_id = $1 and c.environment = $2 and c.id = $3 and ($4::uuid is null or c.member_id = $4)`,
);

/** Only when it is the member's, where one is given. */
export function codeStatement(
  { tenantId, environment }: Scope,
  id: string,
  memberId: string | undefined,
): Statement<ReferralCode> {
  return find(tenantId, environment, id, memberId ?? null);
}

export interface CodeFilters {
  memberId: string | undefined;
  status: CodeStatus | undefined;
}

/** In order of their ids, which is the order they were made in. */
export function listCodesStatement(
  scope: Scope,
  { memberId, status }: CodeFilters,
  afterId: string | undefined,
  count: number,
): Statement<ReferralCode> {
  const query = sqlBuilder('referral_code as c')
    .where({ 'c.tenant_id': scope.tenantId, 'c.environment': scope.environment })
    .orderBy('c.id')
    .limit(count)
    .select(columns);
  if (memberId !== undefined) query.where('c.member_id', memberId);
  if (status !== undefined) query.where('c.status', status);
  if (afterId !== undefined) query.where('c.id', '>', afterId);
  return built(query);
}

const insert = prepared<ReferralCode, [string, string, code: string, memberId: string, isDefault: boolean]>(
  'referrals_insert_code',
  `insert into referral_code as c (tenant_id, environment, code, member_id, is_default, created_at, updated_at)
   select $1, $2, $3, $4, $5, n.now, n.now from (select scope_now($1, $2) as now) n
   on conflict (tenant_id, environment, code) do nothing
   returning ${shown}`,
);

/** Undefined when somebody has the code, or had it. */
export function insertCode(
  db: Db,
  { tenantId, environment }: Scope,
  { code, memberId, isDefault }: Pick<ReferralCode, 'code' | 'memberId' | 'isDefault'>,
): Promise<ReferralCode | undefined> {
  return db.row(insert(tenantId, environment, code, memberId, isDefault));
}

const demote = prepared<unknown, [string, string, memberId: string]>(
  'referrals_demote_code',
  `update referral_code c set is_default = false, updated_at = scope_now($1, $2)
   where c.tenant_id = $1 and c.environment = $2 and c.member_id = $3 and c.is_default`,
);

/** Whoever calls it gives the member another default code in the same transaction, behind the lock on it. */
export async function demoteDefault(db: Db, { tenantId, environment }: Scope, memberId: string): Promise<void> {
  await db.rows(demote(tenantId, environment, memberId));
}

const change = prepared<ReferralCode, [string, string, id: string, CodeStatus, isDefault: boolean]>(
  'referrals_change_code',
  `update referral_code c set status = $4, is_default = $5, updated_at = scope_now($1, $2)
   where c.tenant_id = $1 and c.environment = $2 and c.id = $3
   returning ${shown}`,
);

export async function changeCode(
  db: Db,
  { tenantId, environment }: Scope,
  { id, status, isDefault }: Pick<ReferralCode, 'id' | 'status' | 'isDefault'>,
): Promise<ReferralCode> {
  const changed = await db.row(change(tenantId, environment, id, status, isDefault));
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

const resolve = prepared<ResolvedCode, [string, string, code: string]>(
  'referrals_resolve_code',
  `select c.code, c.id as "codeId", m.id as "memberId", m.name, m.is_active as "isActive", m.can_recruit as "canRecruit"
   from referral_code c
   join member m on m.tenant_id = $1 and m.environment = $2 and m.id = c.member_id
   where c.tenant_id = $1 and c.environment = $2 and c.code = upper($3) and c.status = 'active'`,
);

/** An active code in any case, with the member whose it is. */
export function resolveCodeStatement({ tenantId, environment }: Scope, code: string): Statement<ResolvedCode> {
  return resolve(tenantId, environment, code);
}
