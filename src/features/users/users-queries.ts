/** Members in SQL. Rows never leave this file unmapped. */

import type { NamedActor } from '../../actor.ts';
import { shareLock, takeLock } from '../../db/lock-classes.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant, sameTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { memberStep } from '../../db/upline-step-sql.ts';
import type { MembershipTier } from '../../http/schemas.ts';
import { namedActor } from '../audit/open/named-actor.ts';
import { insertPendingCounts } from '../genealogy/open/downline-sql.ts';
import { LOCK_HISTORY_FOR_CHANGE } from './open/history-lock.ts';
import type { Member, MemberStanding } from './open/member.ts';

const member = tenantTable('member');

export interface MemberRow {
  id: string;
  tenant_id: string;
  email: string;
  name: string | null;
  external_id: string | null;
  membership_tier: MembershipTier;
  parent_id: string | null;
  is_active: boolean;
  can_recruit: boolean;
  is_test_user: boolean;
  group_key: string;
  standing: MemberStanding;
  joined_at: Date | null;
  pay_currency: string;
  referral_code: string;
  creator: NamedActor | null;
  created_at: Date;
  updated_at: Date;
  erased_at: Date | null;
  erasure_reason: string | null;
}

export function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    email: row.email,
    name: row.name,
    externalId: row.external_id,
    membershipTier: row.membership_tier,
    parentId: row.parent_id,
    isActive: row.is_active,
    canRecruit: row.can_recruit,
    isTestUser: row.is_test_user,
    group: row.group_key,
    standing: row.standing,
    joinedAt: row.joined_at ?? row.created_at,
    payCurrency: row.pay_currency,
    referralCode: row.referral_code,
    createdBy: row.creator,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    erasedAt: row.erased_at,
    erasureReason: row.erasure_reason,
  };
}

/**
 * Shared by inserts, so that they do not queue on each other. A sponsor move takes the lock
 * exclusively and so cannot slip between a new member and the ancestors counted for it
 * (docs/specification/hierarchy.md#tree-lock); so does a change of can_recruit, which thus holds until the
 * child is committed (docs/specification/reliability.md#c-10). A row lock on the sponsor would do that too,
 * but every child of one sponsor would then write that one row.
 */
export const lockTreeForInsert = statement<unknown>('users_lock_tree_shared', () => raw(`select ${shareLock('members')}`));

export const lockTreeForChange = statement<unknown>('users_lock_tree', () => raw(`select ${takeLock('members')}`));

/** Taken by every change of tier, activity and sponsor. */
export const lockHistoryForChange = statement<unknown>('users_lock_history', () => raw(`select ${LOCK_HISTORY_FOR_CHANGE}`));

/**
 * A change of activity as its upline counts it, behind the tree's lock so that the upline stays. Nothing
 * when the member is as active as before.
 */
const noteActivity = statement<unknown, { memberId: string; formerlyActive: boolean }>(
  'users_note_activity',
  ({ memberId, formerlyActive }) =>
    raw(
      `with recursive up as (
     select m.parent_id as id, m.is_active, 1 as depth from member m
     where ${ofTenant('m')} and m.id = :memberId and m.is_active <> :formerlyActive
     union all
     select m.parent_id, up.is_active, up.depth + 1 from up
     ${memberStep('up.id', ['parent_id'])})
   ${insertPendingCounts(`(
     select :memberId::uuid as member_id, array_agg(up.id order by up.depth) as ancestor_ids, 0 as delta,
            case when up.is_active then 1 else -1 end as active_delta, null::uuid as sponsor_id, 0 as sponsor_delta,
            null::timestamptz as joined_at
     from up where up.id is not null group by up.is_active)`)}`,
      { memberId, formerlyActive },
    ),
);

export async function insertActivityCount(db: Db, scope: Scope, memberId: string, formerlyActive: boolean): Promise<void> {
  await db.rows(noteActivity(scope, { memberId, formerlyActive }));
}

/** With their default codes, and by whom they were made. */
export const membersWithCode = () =>
  member('m')
    .join('referral_code as c', (on) => on.on('c.member_id', 'm.id').on(raw('c.is_default')))
    .select('m.*', { referral_code: 'c.code', creator: raw(namedActor('m.created_by')) });

const memberForUpdate = statement<MemberRow, { id: string }>('users_find_for_update', ({ id }) =>
  membersWithCode().where('m.id', id).forNoKeyUpdate('m'),
);

/** For `frames.readOnce`. */
export const memberStatement = statement<MemberRow, { id: string }>('users_find', ({ id }) =>
  membersWithCode().where('m.id', id),
);

/** The member with this email that has this code, for `frames.readOnce`. */
export const memberByCode = statement<MemberRow, { emailNorm: string; referralCode: string }>(
  'users_find_by_code',
  ({ emailNorm, referralCode }) => membersWithCode().where({ 'm.email_norm': emailNorm, 'c.code': referralCode }),
);

/** Locks the member against other changes; undefined when there is none. */
export async function lockMember(db: Db, scope: Scope, id: string): Promise<Member | undefined> {
  const row = await db.row(memberForUpdate(scope, { id }));
  return row && toMember(row);
}

export interface MemberStatus {
  userId: string;
  email: string;
  membershipTier: MembershipTier;
  isActive: boolean;
  canRecruit: boolean;
  currency: string;
  pendingMinor: bigint;
  clearedMinor: bigint;
  processingMinor: bigint;
  paidMinor: bigint;
}

interface MemberStatusRow {
  id: string;
  email: string;
  membership_tier: MembershipTier;
  is_active: boolean;
  can_recruit: boolean;
  currency: string;
  pending: bigint;
  cleared: bigint;
  processing: bigint;
  paid: bigint;
}

/** The balances are folds over the member's postings in the tenant's currency, answered from one index. */
export const memberStatusStatement = statement<MemberStatusRow, { memberId: string }>('users_status', ({ memberId }) =>
  raw(
    `select m.id, m.email, m.membership_tier, m.is_active, m.can_recruit, t.default_currency as currency,
          b.pending, b.cleared, b.processing, b.paid
   from member m
   join tenant t on t.id = m.tenant_id
   cross join lateral (
     select coalesce(sum(p.amount_minor) filter (where p.account = 'member:pending'), 0)::bigint as pending,
            coalesce(sum(p.amount_minor) filter (where p.account = 'member:cleared'), 0)::bigint as cleared,
            coalesce(sum(p.amount_minor) filter (where p.account = 'member:processing'), 0)::bigint as processing,
            coalesce(sum(p.amount_minor) filter (where p.account = 'member:paid_out'), 0)::bigint as paid
     from posting p
     where ${sameTenant('p', 'm')} and p.member_id = m.id
       and p.currency = t.default_currency) b
   where ${ofTenant('m')} and m.id = :memberId`,
    { memberId },
  ),
);

export function toMemberStatus(row: MemberStatusRow): MemberStatus {
  return {
    userId: row.id,
    email: row.email,
    membershipTier: row.membership_tier,
    isActive: row.is_active,
    canRecruit: row.can_recruit,
    currency: row.currency,
    pendingMinor: row.pending,
    clearedMinor: row.cleared,
    processingMinor: row.processing,
    paidMinor: row.paid,
  };
}
