/** External auth providers in SQL. */
import type { Knex } from 'knex';
import { type Places, raw, statement } from '../../db/query.ts';
import type { Db, Environment, Scope } from '../../db/scope.ts';
import type { Statement } from '../../db/statement.ts';
import { tenantTable } from '../../db/tenant-table.ts';

export interface AuthProvider extends Scope {
  id: string;
  /** What the tenant calls it; unique in the tenant. */
  providerId: string;
  /** As the provider's own documents and tokens have it, to the character. */
  issuerUrl: string;
  jwksUri: string;
  allowedAudiences: string[];
  autoCreateUsers: boolean;
  trustEmail: boolean;
  acceptUnverifiedEmail: boolean;
  createdAt: Date;
  updatedAt: Date;
}

interface ProviderRow {
  tenant_id: string;
  environment: Environment;
  id: string;
  provider_id: string;
  issuer_url: string;
  jwks_uri: string;
  allowed_audiences: string[];
  auto_create_users: boolean;
  trust_email: boolean;
  accept_unverified_email: boolean;
  created_at: Date;
  updated_at: Date;
}

export function toProvider(row: ProviderRow): AuthProvider {
  return {
    tenantId: row.tenant_id,
    environment: row.environment,
    id: row.id,
    providerId: row.provider_id,
    issuerUrl: row.issuer_url,
    jwksUri: row.jwks_uri,
    allowedAudiences: row.allowed_audiences,
    autoCreateUsers: row.auto_create_users,
    trustEmail: row.trust_email,
    acceptUnverifiedEmail: row.accept_unverified_email,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** What can be changed of a provider. */
export interface ProviderSettings {
  issuerUrl: string;
  jwksUri: string;
  allowedAudiences: readonly string[];
  autoCreateUsers: boolean;
  trustEmail: boolean;
  acceptUnverifiedEmail: boolean;
}

const authProvider = tenantTable('auth_provider');
const memberIdentity = tenantTable('member_identity');
const tokenFamily = tenantTable('token_family');

/** The columns of what can be changed. */
const settingsOf = (places: Places<ProviderSettings>) => ({
  issuer_url: places.issuerUrl,
  jwks_uri: places.jwksUri,
  allowed_audiences: places.allowedAudiences,
  auto_create_users: places.autoCreateUsers,
  trust_email: places.trustEmail,
  accept_unverified_email: places.acceptUnverifiedEmail,
});

const insert = statement<ProviderRow, ProviderSettings & { providerId: string }>('auth_insert_provider', (places) =>
  authProvider()
    .insert({ provider_id: places.providerId, ...settingsOf(places) })
    .returning('*'),
);

export async function insertProvider(
  db: Db,
  scope: Scope,
  providerId: string,
  settings: ProviderSettings,
): Promise<AuthProvider> {
  const row = await db.row(insert(scope, { ...settings, providerId }));
  if (!row) throw new Error('the insert of an auth provider returned no row');
  return toProvider(row);
}

const one = (id: Knex.Raw) => authProvider().where({ id });

const find = statement<ProviderRow, { id: string }>('auth_find_provider', ({ id }) => one(id).select('*'));

export function findProviderStatement(scope: Scope, id: string): Statement<ProviderRow> {
  return find(scope, { id });
}

const list = statement<ProviderRow, { afterId: string | null; count: number }>('auth_list_providers', ({ afterId, count }) =>
  authProvider().whereRaw('(:afterId::uuid is null or id > :afterId)', { afterId }).orderBy('id').limit(count).select('*'),
);

/** In order of their ids, which is the order they were added in. */
export function listProvidersStatement(scope: Scope, afterId: string | undefined, count: number): Statement<ProviderRow> {
  return list(scope, { afterId: afterId ?? null, count });
}

const lock = statement<ProviderRow, { id: string }>('auth_lock_provider', ({ id }) => one(id).select('*').forUpdate());

/** Holds up whoever would add an identity of the provider, or hold it, until the frame ends. */
export async function lockProvider(db: Db, scope: Scope, id: string): Promise<AuthProvider | undefined> {
  const row = await db.row(lock(scope, { id }));
  return row && toProvider(row);
}

const hold = statement<{ id: string }, { id: string }>('auth_hold_provider', ({ id }) => one(id).select('id').forKeyShare());

/** Whether the provider is still there; if so it stays until the frame ends. */
export async function holdProvider(db: Db, scope: Scope, id: string): Promise<boolean> {
  return (await db.row(hold(scope, { id }))) !== undefined;
}

const hasIdentities = statement<{ found: boolean }, { id: string }>('auth_provider_has_identities', ({ id }) =>
  memberIdentity().where({ auth_provider_id: id }).limit(1).select(raw('true as found')),
);

export async function providerHasIdentities(db: Db, scope: Scope, id: string): Promise<boolean> {
  return (await db.row(hasIdentities(scope, { id })))?.found === true;
}

const update = statement<ProviderRow, ProviderSettings & { id: string }>('auth_update_provider', (places) =>
  authProvider()
    .where({ id: places.id })
    .update({ ...settingsOf(places), updated_at: raw("greatest(now(), updated_at + interval '1 millisecond')") })
    .returning('*'),
);

/** Undefined when it is gone. `updatedAt` differs from every one before, so that it can name the version. */
export async function updateProvider(
  db: Db,
  scope: Scope,
  id: string,
  settings: ProviderSettings,
): Promise<AuthProvider | undefined> {
  const row = await db.row(update(scope, { ...settings, id }));
  return row && toProvider(row);
}

const deleteIdentities = statement<unknown, { id: string }>('auth_delete_provider_identities', ({ id }) =>
  memberIdentity().where({ auth_provider_id: id }).delete(),
);

const revokeFamilies = statement<unknown, { id: string }>('auth_revoke_provider_families', ({ id }) =>
  tokenFamily()
    .where({ auth_provider_id: id, revoked_at: null })
    .update({ revoked_at: raw('now()'), revoke_reason: 'provider_deleted' }),
);

const remove = statement<unknown, { id: string }>('auth_delete_provider', ({ id }) => authProvider().where({ id }).delete());

/** With what hangs on it: links to members go, token families are revoked. The row must be locked. */
export async function deleteProvider(db: Db, scope: Scope, id: string): Promise<void> {
  await Promise.all([deleteIdentities, revokeFamilies, remove].map((part) => db.rows(part(scope, { id }))));
}
