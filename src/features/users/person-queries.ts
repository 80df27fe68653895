/** Whom a person from outside is, among the members, and the names it goes by there; in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { renameProfile } from '../profile/open/profile-sql.ts';
import { renameMember } from './open/member-sql.ts';

const member = tenantTable('member');

export interface EmailHolder {
  id: string;
  /** Active and not erased. */
  alive: boolean;
  /** Whether the address is known to be the member's: the tenant sent it, or a provider that said so. */
  emailVerified: boolean;
}

const memberByEmail = statement<EmailHolder, { emailNorm: string }>('users_find_by_email', ({ emailNorm }) =>
  member()
    .where({ email_norm: emailNorm })
    .select('id', { alive: raw('is_active and erased_at is null'), emailVerified: 'email_verified' }),
);

export async function findMemberByEmail(db: Db, scope: Scope, emailNorm: string): Promise<EmailHolder | undefined> {
  return db.row(memberByEmail(scope, { emailNorm }));
}

const verifyStatement = statement<unknown, { id: string; emailNorm: string }>('users_verify_email', ({ id, emailNorm }) =>
  member().where({ id, email_norm: emailNorm, email_verified: false }).update({ email_verified: true }),
);

/** The member's address counts as verified from now on, if it is this one. */
export async function verifyEmail(db: Db, scope: Scope, id: string, emailNorm: string): Promise<void> {
  await db.rows(verifyStatement(scope, { id, emailNorm }));
}

const memberByExternalId = statement<unknown, { externalId: string }>('users_external_id_taken', ({ externalId }) =>
  member().where({ external_id: externalId }).select('external_id'),
);

export async function hasExternalId(db: Db, scope: Scope, externalId: string): Promise<boolean> {
  return (await db.row(memberByExternalId(scope, { externalId }))) !== undefined;
}

/**
 * What a provider calls the person. Null leaves a name as it is, and one that was set in the profile or verified stays;
 * rows whose names are these already are not written. Source: docs/specification/identity.md#names-at-sign-in.
 */
const renameStatement = statement<
  { renamed: boolean },
  { id: string; name: string | null; nameNorm: string | null; givenName: string | null; surname: string | null }
>('users_rename', ({ id, name, nameNorm, givenName, surname }) =>
  raw(
    `with named as (
     ${renameMember(':id', { name: ':name', nameNorm: ':nameNorm' })} and :name::text is not null and name is distinct from :name
       and not name_fixed and kyc_approved_at is null
     returning id),
   profiled as (
     ${renameProfile(':id', { givenName: ':givenName', surname: ':surname' })})
   select exists (select from named) as renamed`,
    { id, name, nameNorm, givenName, surname },
  ),
);

export interface MemberNames {
  name: string | null;
  givenName: string | null;
  surname: string | null;
}

/** Whether the member has another name now. */
export async function updateNames(
  db: Db,
  scope: Scope,
  memberId: string,
  { name, nameNorm, givenName, surname }: MemberNames & { nameNorm: string | null },
): Promise<boolean> {
  return (await db.row(renameStatement(scope, { id: memberId, name, nameNorm, givenName, surname })))?.renamed === true;
}
