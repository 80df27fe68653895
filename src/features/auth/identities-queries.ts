/** Who a member is at its external providers, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';

export interface LinkedMember {
  memberId: string;
  /** Active and not erased. */
  alive: boolean;
  /** Whether the member's address was verified. */
  emailVerified: boolean;
}

type LinkedRow = { member_id: string; alive: boolean; email_verified: boolean };

const memberIdentity = tenantTable('member_identity');

const findIdentityStatement = statement<LinkedRow, { providerId: string; subject: string }>(
  'auth_find_identity',
  ({ providerId, subject }) =>
    memberIdentity('i')
      .join('member as m', 'm.id', 'i.member_id')
      .where({ 'i.auth_provider_id': providerId, 'i.subject': subject })
      .select('i.member_id', 'm.email_verified', raw('m.is_active and m.erased_at is null as alive')),
);

export async function findIdentity(db: Db, scope: Scope, providerId: string, subject: string): Promise<LinkedMember | undefined> {
  const row = await db.row(findIdentityStatement(scope, { providerId, subject }));
  return row && { memberId: row.member_id, alive: row.alive, emailVerified: row.email_verified };
}

const hasIdentityAtStatement = statement<{ found: boolean }, { providerId: string; memberId: string }>(
  'auth_has_identity_at',
  ({ providerId, memberId }) =>
    memberIdentity().where({ member_id: memberId, auth_provider_id: providerId }).limit(1).select(raw('true as found')),
);

/** Whether the member has an identity of the provider already. */
export async function hasIdentityAt(db: Db, scope: Scope, providerId: string, memberId: string): Promise<boolean> {
  return (await db.row(hasIdentityAtStatement(scope, { providerId, memberId })))?.found === true;
}

export interface NewIdentity {
  providerId: string;
  subject: string;
  memberId: string;
}

const insertIdentityStatement = statement<unknown, NewIdentity>('auth_insert_identity', ({ providerId, subject, memberId }) =>
  memberIdentity().insert({
    auth_provider_id: providerId,
    subject,
    member_id: memberId,
  }),
);

/** Throws the constraint's error when somebody else has linked the subject, or the member, meanwhile. */
export async function insertIdentity(db: Db, scope: Scope, identity: NewIdentity): Promise<void> {
  const { providerId, subject, memberId } = identity;
  await db.rows(insertIdentityStatement(scope, { providerId, subject, memberId }));
}
