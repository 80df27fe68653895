/** A member's own row, as it is erased and exported, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { jsonListOf, jsonOf, utc } from '../../house/personal.ts';

const erase = statement<{ email: string; erasedAt: Date }, { memberId: string }>('erasure_member', ({ memberId }) =>
  raw(
    `update member m set email = e.email, email_norm = e.email, name = null, name_norm = null, external_id = null,
          erased_at = scope_now(:tenantId, :environment), updated_at = scope_now(:tenantId, :environment)
   from (select case when exists (
             select from member x
             where ${ofTenant('x')} and x.email_norm = 'erased-' || :memberId::uuid || '@erased.invalid')
           then 'erased-' || :memberId::uuid || '-' || gen_random_uuid() || '@erased.invalid'
           else 'erased-' || :memberId::uuid || '@erased.invalid' end as email) e
   where ${ofTenant('m')} and m.id = :memberId
   returning m.email, m.erased_at as "erasedAt"`,
    { memberId },
  ),
);

/**
 * Of a member that is locked. Nobody can hold an erasure up by having taken the address that is to stand in the place of
 * the member's.
 */
export async function eraseMember(db: Db, scope: Scope, memberId: string): Promise<{ email: string; erasedAt: Date }> {
  const row = await db.row(erase(scope, { memberId }));
  if (!row) throw new Error('a locked member vanished');
  return row;
}

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
  payCurrency: 'm.pay_currency',
  createdAt: utc('m.created_at'),
  updatedAt: utc('m.updated_at'),
  erasedAt: utc('m.erased_at'),
});

export const formerEmailsJson: string = jsonListOf(
  { email: 'f.email', replacedAt: utc('f.replaced_at') },
  `member_former_email f where ${ofTenant('f')} and f.member_id = m.id`,
  'f.id',
);
