/** Whom a person from outside is, among the members, and the names it goes by there; in SQL. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

const memberByEmail = prepared<{ id: string; alive: boolean }, [string, string, emailNorm: string]>(
  'users_find_by_email',
  `select id, is_active and erased_at is null as alive from member
   where tenant_id = $1 and environment = $2 and email_norm = $3`,
);

/** `alive`: active and not erased. */
export async function findMemberByEmail(
  db: Db,
  scope: Scope,
  emailNorm: string,
): Promise<{ id: string; alive: boolean } | undefined> {
  return db.row(memberByEmail(scope.tenantId, scope.environment, emailNorm));
}

const externalIdTaken = prepared<{ taken: boolean }, [string, string, externalId: string]>(
  'users_external_id_taken',
  'select exists (select from member where tenant_id = $1 and environment = $2 and external_id = $3) as taken',
);

export async function hasExternalId(db: Db, scope: Scope, externalId: string): Promise<boolean> {
  return (await db.row(externalIdTaken(scope.tenantId, scope.environment, externalId)))?.taken === true;
}

/** Null leaves a name as it is; rows whose names are these already are not written. */
const renameStatement = prepared<
  unknown,
  [string, string, id: string, name: string | null, nameNorm: string | null, givenName: string | null, surname: string | null]
>(
  'users_rename',
  `with named as (
     update member set name = $4, name_norm = $5, updated_at = scope_now($1, $2)
     where tenant_id = $1 and environment = $2 and id = $3 and $4::text is not null and name is distinct from $4)
   update member_profile set given_name = coalesce($6, given_name), surname = coalesce($7, surname), updated_at = scope_now($1, $2)
   where tenant_id = $1 and environment = $2 and member_id = $3
     and (coalesce($6, given_name) is distinct from given_name or coalesce($7, surname) is distinct from surname)`,
);

export interface MemberNames {
  name: string | null;
  givenName: string | null;
  surname: string | null;
}

export async function updateNames(
  db: Db,
  scope: Scope,
  memberId: string,
  { name, nameNorm, givenName, surname }: MemberNames & { nameNorm: string | null },
): Promise<void> {
  await db.rows(renameStatement(scope.tenantId, scope.environment, memberId, name, nameNorm, givenName, surname));
}
