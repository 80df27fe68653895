/** Who a member is at its external providers, in SQL. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

export interface LinkedMember {
  memberId: string;
  /** Active and not erased. */
  alive: boolean;
}

type LinkedRow = { member_id: string; alive: boolean };

const findIdentityStatement = prepared<LinkedRow, [string, string, providerId: string, subject: string]>(
  'auth_find_identity',
  `select i.member_id, m.is_active and m.erased_at is null as alive
   from member_identity i
   join member m on m.tenant_id = i.tenant_id and m.environment = i.environment and m.id = i.member_id
   where i.tenant_id = $1 and i.environment = $2 and i.auth_provider_id = $3 and i.subject = $4`,
);

export async function findIdentity(db: Db, scope: Scope, providerId: string, subject: string): Promise<LinkedMember | undefined> {
  const row = await db.row(findIdentityStatement(scope.tenantId, scope.environment, providerId, subject));
  return row && { memberId: row.member_id, alive: row.alive };
}

const hasIdentityStatement = prepared<{ found: boolean }, [string, string, providerId: string, memberId: string]>(
  'auth_has_identity',
  `select exists (select from member_identity
     where tenant_id = $1 and environment = $2 and auth_provider_id = $3 and member_id = $4) as found`,
);

/** Whether the provider knows the member already, as whomever. */
export async function hasIdentity(db: Db, scope: Scope, providerId: string, memberId: string): Promise<boolean> {
  return (await db.row(hasIdentityStatement(scope.tenantId, scope.environment, providerId, memberId)))?.found === true;
}

const insertIdentityStatement = prepared<unknown, [string, string, providerId: string, subject: string, memberId: string]>(
  'auth_insert_identity',
  'insert into member_identity (tenant_id, environment, auth_provider_id, subject, member_id) values ($1, $2, $3, $4, $5)',
);

/** Throws the constraint's error when somebody else has linked the subject, or the member, meanwhile. */
export async function insertIdentity(
  db: Db,
  scope: Scope,
  identity: { providerId: string; subject: string; memberId: string },
): Promise<void> {
  const { providerId, subject, memberId } = identity;
  await db.rows(insertIdentityStatement(scope.tenantId, scope.environment, providerId, subject, memberId));
}
