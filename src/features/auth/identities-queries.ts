/** Who a member is at its external providers, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';

export interface LinkedMember {
  memberId: string;
  /** Active and not erased. */
  alive: boolean;
}

type LinkedRow = { member_id: string; alive: boolean };

const memberIdentity = tenantTable('member_identity');

const findIdentityStatement = statement<LinkedRow, { providerId: string; subject: string }>(
  'auth_find_identity',
  ({ providerId, subject }) =>
    memberIdentity('i')
      .join('member as m', 'm.id', 'i.member_id')
      .where({ 'i.auth_provider_id': providerId, 'i.subject': subject })
      .select('i.member_id', raw('m.is_active and m.erased_at is null as alive')),
);

export async function findIdentity(db: Db, scope: Scope, providerId: string, subject: string): Promise<LinkedMember | undefined> {
  const row = await db.row(findIdentityStatement(scope, { providerId, subject }));
  return row && { memberId: row.member_id, alive: row.alive };
}

const barsStatement = statement<{ bars: boolean }, { providerId: string; memberId: string }>(
  'auth_bars_identity',
  ({ providerId, memberId }) =>
    memberIdentity()
      .where({ member_id: memberId })
      .whereRaw('(auth_provider_id = :providerId or unverified_email)', { providerId })
      .limit(1)
      .select(raw('true as bars')),
);

/**
 * Whether the identities that a member has keep another one of the provider from being joined to it by its email: one of
 * that provider, or one that made the member with an address that nobody had verified.
 */
export async function bars(db: Db, scope: Scope, providerId: string, memberId: string): Promise<boolean> {
  return (await db.row(barsStatement(scope, { providerId, memberId })))?.bars === true;
}

export interface NewIdentity {
  providerId: string;
  subject: string;
  memberId: string;
  /** The member has its address from this identity, and nobody had verified it. */
  unverifiedEmail: boolean;
}

const insertIdentityStatement = statement<unknown, NewIdentity>(
  'auth_insert_identity',
  ({ providerId, subject, memberId, unverifiedEmail }) =>
    memberIdentity().insert({
      auth_provider_id: providerId,
      subject,
      member_id: memberId,
      unverified_email: unverifiedEmail,
    }),
);

/** Throws the constraint's error when somebody else has linked the subject, or the member, meanwhile. */
export async function insertIdentity(db: Db, scope: Scope, identity: NewIdentity): Promise<void> {
  const { providerId, subject, memberId, unverifiedEmail } = identity;
  await db.rows(insertIdentityStatement(scope, { providerId, subject, memberId, unverifiedEmail }));
}
