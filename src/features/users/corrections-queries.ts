/** What a tenant corrects of its members, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { foldName, normaliseEmail } from '../../http/schemas.ts';
import type { Member } from './open/member.ts';
import { type MemberRow, membersWithCode, toMember } from './users-queries.ts';

const byExternalId = statement<MemberRow, { externalId: string }>('users_find_by_external_id', ({ externalId }) =>
  membersWithCode().where('m.external_id', externalId),
);

export async function findMemberByExternalId(db: Db, scope: Scope, externalId: string): Promise<Member | undefined> {
  const row = await db.row(byExternalId(scope, { externalId }));
  return row && toMember(row);
}

/** What is undefined stays. */
export interface Corrections {
  email?: string | undefined;
  name?: string | null | undefined;
  externalId?: string | null | undefined;
  payCurrency?: string | undefined;
  isTestUser?: boolean | undefined;
}

interface CorrectionValues {
  memberId: string;
  email: string | null;
  emailNorm: string | null;
  setsName: boolean;
  name: string | null;
  nameNorm: string | null;
  setsExternalId: boolean;
  externalId: string | null;
  payCurrency: string | null;
  isTestUser: boolean | null;
}

/** An email that is only written otherwise is not a former one. The tenant answers for the one that it sends. */
const correct = statement<unknown, CorrectionValues>('users_correct', (places) => {
  const { memberId, email, emailNorm, setsName, name, nameNorm, setsExternalId, externalId, payCurrency, isTestUser } = places;
  return raw(
    `with former as (
     insert into member_former_email (tenant_id, environment, member_id, email, email_norm, replaced_at)
     select m.tenant_id, m.environment, m.id, m.email, m.email_norm, scope_now(:tenantId, :environment)
     from member m where ${ofTenant('m')} and m.id = :memberId and m.email_norm <> :emailNorm::text
     on conflict on constraint member_former_email_key do nothing)
   update member m set
     email = coalesce(:email, m.email),
     email_norm = coalesce(:emailNorm, m.email_norm),
     email_verified = m.email_verified or :email::text is not null,
     name = case when :setsName then :name else m.name end,
     name_norm = case when :setsName then :nameNorm else m.name_norm end,
     external_id = case when :setsExternalId then :externalId else m.external_id end,
     pay_currency = coalesce(:payCurrency, m.pay_currency),
     is_test_user = coalesce(:isTestUser, m.is_test_user),
     updated_at = scope_now(:tenantId, :environment)
   where ${ofTenant('m')} and m.id = :memberId`,
    { memberId, email, emailNorm, setsName, name, nameNorm, setsExternalId, externalId, payCurrency, isTestUser },
  );
});

/** Of a member that is locked. Throws the constraint's error on a taken email or external id. */
export async function correctMember(db: Db, scope: Scope, memberId: string, given: Corrections): Promise<void> {
  const { email, name, externalId, payCurrency, isTestUser } = given;
  await db.rows(
    correct(scope, {
      memberId,
      email: email ?? null,
      emailNorm: email === undefined ? null : normaliseEmail(email),
      setsName: name !== undefined,
      name: name ?? null,
      nameNorm: name == null ? null : foldName(name),
      setsExternalId: externalId !== undefined,
      externalId: externalId ?? null,
      payCurrency: payCurrency ?? null,
      isTestUser: isTestUser ?? null,
    }),
  );
}

const formerEmails = statement<{ email: string; emailNorm: string }, { memberId: string }>(
  'users_former_emails',
  ({ memberId }) =>
    raw(
      `select f.email, f.email_norm as "emailNorm" from member_former_email f
     where ${ofTenant('f')} and f.member_id = :memberId
       and not exists (select from member o where ${ofTenant('o')} and o.email_norm = f.email_norm and o.id <> :memberId)
     order by f.id`,
      { memberId },
    ),
);

/** Emails that a member had and that are no other member's now. */
export function listFormerEmails(db: Db, scope: Scope, memberId: string): Promise<{ email: string; emailNorm: string }[]> {
  return db.rows(formerEmails(scope, { memberId }));
}

const formerEmail = tenantTable('member_former_email');

export const forgetFormerEmails = statement<unknown, { memberId: string }>('erasure_former_emails', ({ memberId }) =>
  formerEmail().where({ member_id: memberId }).delete(),
);
