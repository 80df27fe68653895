/** External auth providers in SQL. */
import type { Db, Environment, Scope } from '../../db/frame.ts';
import { prepared, type Statement } from '../../db/statement.ts';

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
}

const insert = prepared<ProviderRow, [string, string, string, string, string, readonly string[], boolean, boolean]>(
  'auth_insert_provider',
  `insert into auth_provider (tenant_id, environment, provider_id, issuer_url, jwks_uri, allowed_audiences,
                              auto_create_users, trust_email)
   values ($1, $2, $3, $4, $5, $6, $7, $8) returning *`,
);

export async function insertProvider(
  db: Db,
  scope: Scope,
  providerId: string,
  settings: ProviderSettings,
): Promise<AuthProvider> {
  const { issuerUrl, jwksUri, allowedAudiences, autoCreateUsers, trustEmail } = settings;
  const row = await db.row(
    insert(scope.tenantId, scope.environment, providerId, issuerUrl, jwksUri, allowedAudiences, autoCreateUsers, trustEmail),
  );
  if (!row) throw new Error('the insert of an auth provider returned no row');
  return toProvider(row);
}

const find = prepared<ProviderRow, [string, string, string]>(
  'auth_find_provider',
  'select * from auth_provider where tenant_id = $1 and environment = $2 and id = $3',
);

export function findProviderStatement(scope: Scope, id: string): Statement<ProviderRow> {
  return find(scope.tenantId, scope.environment, id);
}

const list = prepared<ProviderRow, [string, string, string | null, number]>(
  'auth_list_providers',
  `select * from auth_provider where tenant_id = $1 and environment = $2 and ($3::uuid is null or id > $3)
   order by id limit $4`,
);

/** In order of their ids, which is the order they were added in. */
export function listProvidersStatement(scope: Scope, afterId: string | undefined, count: number): Statement<ProviderRow> {
  return list(scope.tenantId, scope.environment, afterId ?? null, count);
}

const lock = prepared<ProviderRow, [string, string, string]>(
  'auth_lock_provider',
  'select * from auth_provider where tenant_id = $1 and environment = $2 and id = $3 for update',
);

/** Holds up whoever would add an identity of the provider, or hold it, until the frame ends. */
export async function lockProvider(db: Db, scope: Scope, id: string): Promise<AuthProvider | undefined> {
  const row = await db.row(lock(scope.tenantId, scope.environment, id));
  return row && toProvider(row);
}

const hold = prepared<{ id: string }, [string, string, string]>(
  'auth_hold_provider',
  'select id from auth_provider where tenant_id = $1 and environment = $2 and id = $3 for key share',
);

/** Whether the provider is still there; if so it stays until the frame ends. */
export async function holdProvider(db: Db, scope: Scope, id: string): Promise<boolean> {
  return (await db.row(hold(scope.tenantId, scope.environment, id))) !== undefined;
}

const hasIdentities = prepared<{ found: boolean }, [string, string, string]>(
  'auth_provider_has_identities',
  `select exists (select from member_identity where tenant_id = $1 and environment = $2 and auth_provider_id = $3) as found`,
);

export async function providerHasIdentities(db: Db, scope: Scope, id: string): Promise<boolean> {
  return (await db.row(hasIdentities(scope.tenantId, scope.environment, id)))?.found === true;
}

const update = prepared<ProviderRow, [string, string, string, string, string, readonly string[], boolean, boolean]>(
  'auth_update_provider',
  `update auth_provider set issuer_url = $4, jwks_uri = $5, allowed_audiences = $6, auto_create_users = $7,
                            trust_email = $8, updated_at = greatest(now(), updated_at + interval '1 millisecond')
   where tenant_id = $1 and environment = $2 and id = $3 returning *`,
);

/** Undefined when it is gone. `updatedAt` differs from every one before, so that it can name the version. */
export async function updateProvider(
  db: Db,
  scope: Scope,
  id: string,
  settings: ProviderSettings,
): Promise<AuthProvider | undefined> {
  const { issuerUrl, jwksUri, allowedAudiences, autoCreateUsers, trustEmail } = settings;
  const row = await db.row(
    update(scope.tenantId, scope.environment, id, issuerUrl, jwksUri, allowedAudiences, autoCreateUsers, trustEmail),
  );
  return row && toProvider(row);
}

const deleteIdentities = prepared<unknown, [string, string, string]>(
  'auth_delete_provider_identities',
  'delete from member_identity where tenant_id = $1 and environment = $2 and auth_provider_id = $3',
);

const revokeFamilies = prepared<unknown, [string, string, string]>(
  'auth_revoke_provider_families',
  `update token_family set revoked_at = now(), revoke_reason = 'provider_deleted'
   where tenant_id = $1 and environment = $2 and auth_provider_id = $3 and revoked_at is null`,
);

const remove = prepared<unknown, [string, string, string]>(
  'auth_delete_provider',
  'delete from auth_provider where tenant_id = $1 and environment = $2 and id = $3',
);

/** With what hangs on it: links to members go, token families are revoked. The row must be locked. */
export async function deleteProvider(db: Db, scope: Scope, id: string): Promise<void> {
  const of = [scope.tenantId, scope.environment, id] as const;
  await Promise.all([db.rows(deleteIdentities(...of)), db.rows(revokeFamilies(...of)), db.rows(remove(...of))]);
}
