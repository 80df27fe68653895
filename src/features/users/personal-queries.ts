/** A member's own row, as it is erased and exported, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { jsonListOf, jsonOf, utc } from '../../house/personal.ts';

/** What is answered of an erasure. */
export interface Erased {
  email: string;
  erasedAt: Date;
  reason: string | null;
}

const erase = statement<Erased, { memberId: string; reason: string | null }>('erasure_member', ({ memberId, reason }) =>
  raw(
    `update member m set email = e.email, email_norm = e.email, name = null, name_norm = null, external_id = null, erasure_reason = :reason,
          erased_at = scope_now(:tenantId, :environment), updated_at = scope_now(:tenantId, :environment)
   from (select case when exists (
             select from member x
             where ${ofTenant('x')} and x.email_norm = 'erased-' || :memberId::uuid || '@erased.invalid')
           then 'erased-' || :memberId::uuid || '-' || gen_random_uuid() || '@erased.invalid'
           else 'erased-' || :memberId::uuid || '@erased.invalid' end as email) e
   where ${ofTenant('m')} and m.id = :memberId
   returning m.email, m.erased_at as "erasedAt", m.erasure_reason as reason`,
    { memberId, reason },
  ),
);

/**
 * Of a member that is locked. Nobody can hold an erasure up by having taken the address that is to stand in the place of
 * the member's.
 */
export async function eraseMember(db: Db, scope: Scope, memberId: string, reason: string | null): Promise<Erased> {
  const row = await db.row(erase(scope, { memberId, reason }));
  if (!row) throw new Error('a locked member vanished');
  return row;
}

const HISTORIES = [
  'member_tier_history',
  'member_activity_history',
  'member_sponsor_history',
  'member_group_history',
  'member_standing_history',
] as const;

const eraseReasons = (history: (typeof HISTORIES)[number]) =>
  statement<unknown, { memberId: string }>(`erasure_reasons_${history}`, ({ memberId }) =>
    tenantTable(history)().where({ member_id: memberId }).whereNotNull('reason').update({ reason: null }),
  );

/** Of the dated changes of the member: what was changed, and when, stays. */
export const eraseHistoryReasons = HISTORIES.map(eraseReasons);

export const memberJson: string = jsonOf({
  id: 'm.id',
  email: 'm.email',
  name: 'm.name',
  externalId: 'm.external_id',
  membershipTier: 'm.membership_tier',
  parentId: 'm.parent_id',
  isActive: 'm.is_active',
  canRecruit: 'm.can_recruit',
  isTestUser: 'm.is_test_user',
  group: 'm.group_key',
  standing: 'm.standing',
  joinedAt: utc('coalesce(m.joined_at, m.created_at)'),
  payCurrency: 'm.pay_currency',
  createdBy: "split_part(m.created_by, ':', 1)",
  createdAt: utc('m.created_at'),
  updatedAt: utc('m.updated_at'),
  erasedAt: utc('m.erased_at'),
  erasureReason: 'm.erasure_reason',
});

export const formerEmailsJson: string = jsonListOf(
  { email: 'f.email', replacedAt: utc('f.replaced_at') },
  `member_former_email f where ${ofTenant('f')} and f.member_id = m.id`,
  'f.id',
);
