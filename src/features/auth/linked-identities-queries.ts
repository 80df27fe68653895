/** The identities of a member that a tenant links and unlinks, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';

const memberIdentity = tenantTable('member_identity');
const authProvider = tenantTable('auth_provider');
const tokenFamily = tenantTable('token_family');
const member = tenantTable('member');

/** An identity with its provider, as a tenant sees it. */
export interface MemberIdentity {
  id: string;
  /** What the tenant calls the provider. */
  providerId: string;
  subject: string;
  createdAt: Date;
  memberId: string;
  authProviderId: string;
}

const shown = {
  id: 'i.id',
  providerId: 'a.provider_id',
  subject: 'i.subject',
  createdAt: 'i.created_at',
  memberId: 'i.member_id',
  authProviderId: 'i.auth_provider_id',
};

const identities = () => memberIdentity('i').join('auth_provider as a', 'a.id', 'i.auth_provider_id').select(shown);

const readIdentityStatement = statement<MemberIdentity, { providerId: string; subject: string }>(
  'auth_read_identity',
  ({ providerId, subject }) => identities().where({ 'i.auth_provider_id': providerId, 'i.subject': subject }),
);

export function readIdentity(db: Db, { tenantId, environment }: Scope, providerId: string, subject: string) {
  return db.row(readIdentityStatement({ tenantId, environment }, { providerId, subject }));
}

const findIdentityOfStatement = statement<MemberIdentity, { memberId: string; id: string }>(
  'auth_find_identity_of',
  ({ memberId, id }) => identities().where({ 'i.member_id': memberId, 'i.id': id }),
);

export function findIdentityOf(db: Db, { tenantId, environment }: Scope, memberId: string, id: string) {
  return db.row(findIdentityOfStatement({ tenantId, environment }, { memberId, id }));
}

const listIdentitiesStatement = statement<MemberIdentity, { memberId: string; afterId: string | null; count: number }>(
  'auth_list_identities',
  ({ memberId, afterId, count }) =>
    identities()
      .where('i.member_id', memberId)
      .whereRaw('(:afterId::uuid is null or i.id > :afterId)', { afterId })
      .orderBy('i.id')
      .limit(count),
);

/** In order of their ids, which is the order they were linked in. */
export function listIdentitiesOf(
  db: Db,
  { tenantId, environment }: Scope,
  memberId: string,
  afterId: string | undefined,
  count: number,
): Promise<MemberIdentity[]> {
  return db.rows(listIdentitiesStatement({ tenantId, environment }, { memberId, afterId: afterId ?? null, count }));
}

const deleteIdentityStatement = statement<{ id: string }, { id: string }>('auth_delete_identity', ({ id }) =>
  memberIdentity().where({ id }).delete().returning('id'),
);

export async function deleteIdentity(db: Db, { tenantId, environment }: Scope, id: string): Promise<boolean> {
  return (await db.row(deleteIdentityStatement({ tenantId, environment }, { id }))) !== undefined;
}

const revokeFamilies = statement<unknown, { memberId: string; providerId: string }>(
  'auth_revoke_member_families',
  ({ memberId, providerId }) =>
    tokenFamily()
      .where({ member_id: memberId, auth_provider_id: providerId, revoked_at: null })
      .update({ revoked_at: raw('now()'), revoke_reason: 'revoked' }),
);

/** The member's sessions that came through the provider. */
export async function revokeFamiliesBy(
  db: Db,
  { tenantId, environment }: Scope,
  memberId: string,
  providerId: string,
): Promise<void> {
  await db.rows(revokeFamilies({ tenantId, environment }, { memberId, providerId }));
}

const holdProviderStatement = statement<{ id: string }, { providerId: string }>('auth_hold_provider_called', ({ providerId }) =>
  authProvider().where({ provider_id: providerId }).select('id').forKeyShare(),
);

/** The provider's own id; it is there until the frame ends. */
export async function holdProviderCalled(
  db: Db,
  { tenantId, environment }: Scope,
  providerId: string,
): Promise<string | undefined> {
  return (await db.row(holdProviderStatement({ tenantId, environment }, { providerId })))?.id;
}

const memberExistsStatement = statement<{ id: string }, { memberId: string }>('auth_member_exists', ({ memberId }) =>
  member().where({ id: memberId }).select('id'),
);

export async function memberExists(db: Db, { tenantId, environment }: Scope, memberId: string): Promise<boolean> {
  return (await db.row(memberExistsStatement({ tenantId, environment }, { memberId }))) !== undefined;
}

const lockMemberStatement = statement<{ erased: boolean }, { memberId: string }>('auth_lock_member', ({ memberId }) =>
  member('m').where('m.id', memberId).select(raw('m.erased_at is not null as erased')).forNoKeyUpdate(),
);

/** Until the frame ends; undefined when there is no such member. */
export function lockMember(db: Db, { tenantId, environment }: Scope, memberId: string): Promise<{ erased: boolean } | undefined> {
  return db.row(lockMemberStatement({ tenantId, environment }, { memberId }));
}
