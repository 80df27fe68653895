/** API keys in SQL. No statement reads a hash: the one lookup by it is the resolver of `db/resolvers.ts`. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

export type KeyStatus = 'active' | 'expired' | 'disabled' | 'revoked';

export interface ApiKey {
  id: string;
  name: string | null;
  lastFour: string;
  scopes: string[];
  /** Requests per window; null for the deployment's limit. */
  rateLimit: number | null;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  disabledAt: Date | null;
  /** The key that this one was rolled from. */
  replacesKeyId: string | null;
  status: KeyStatus;
}

/** Of `api_key k`. */
const columns = `k.id, k.name, k.last_four as "lastFour", k.scopes, k.rate_limit as "rateLimit", k.created_at as "createdAt",
  k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt", k.disabled_at as "disabledAt",
  k.replaces_key_id as "replacesKeyId",
  case when k.revoked_at is not null then 'revoked' when k.disabled_at is not null then 'disabled'
       when k.expires_at <= now() then 'expired' else 'active' end as status`;

export interface NewApiKey {
  hash: Buffer;
  lastFour: string;
  name: string | null;
  scopes: readonly string[];
  rateLimit: number | null;
  expiresAt: string | null;
  replacesKeyId: string | null;
}

const insert = prepared<
  ApiKey,
  [
    tenantId: string,
    environment: string,
    hash: Buffer,
    lastFour: string,
    name: string | null,
    scopes: readonly string[],
    rateLimit: number | null,
    expiresAt: string | null,
    replacesKeyId: string | null,
  ]
>(
  'api_keys_insert',
  `insert into api_key as k (tenant_id, environment, hash, last_four, name, scopes, rate_limit, expires_at, replaces_key_id)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9 where $8::timestamptz is null or $8::timestamptz > now()
   returning ${columns}`,
);

/** Undefined when it would have expired already. */
export function insertApiKey(db: Db, scope: Scope, key: NewApiKey): Promise<ApiKey | undefined> {
  return db.row(
    insert(
      scope.tenantId,
      scope.environment,
      key.hash,
      key.lastFour,
      key.name,
      key.scopes,
      key.rateLimit,
      key.expiresAt,
      key.replacesKeyId,
    ),
  );
}

const list = prepared<ApiKey, [string, string, afterId: string | null, count: number]>(
  'api_keys_list',
  `select ${columns} from api_key k
   where k.tenant_id = $1 and k.environment = $2 and ($3::uuid is null or k.id > $3) order by k.id limit $4`,
);

/** Oldest first. */
export function listApiKeys(db: Db, scope: Scope, afterId: string | undefined, count: number): Promise<ApiKey[]> {
  return db.rows(list(scope.tenantId, scope.environment, afterId ?? null, count));
}

const find = prepared<ApiKey, [string, string, string]>(
  'api_keys_find',
  `select ${columns} from api_key k where k.tenant_id = $1 and k.environment = $2 and k.id = $3`,
);

export function findApiKey(db: Db, scope: Scope, keyId: string): Promise<ApiKey | undefined> {
  return db.row(find(scope.tenantId, scope.environment, keyId));
}

const lock = prepared<ApiKey, [string, string, string]>(
  'api_keys_lock',
  `select ${columns} from api_key k where k.tenant_id = $1 and k.environment = $2 and k.id = $3 for update`,
);

export function lockApiKey(db: Db, scope: Scope, keyId: string): Promise<ApiKey | undefined> {
  return db.row(lock(scope.tenantId, scope.environment, keyId));
}

const expireWithin = prepared<{ expiresAt: Date }, [string, string, string, seconds: number]>(
  'api_keys_expire_within',
  `update api_key set expires_at = least(expires_at, now() + make_interval(secs => $4))
   where tenant_id = $1 and environment = $2 and id = $3 returning expires_at as "expiresAt"`,
);

/** Lets a key expire after so many seconds, or earlier if it would have anyway; returns when. */
export async function expireApiKeyWithin(db: Db, scope: Scope, keyId: string, seconds: number): Promise<Date> {
  const row = await db.row(expireWithin(scope.tenantId, scope.environment, keyId, seconds));
  if (!row) throw new Error('a locked API key is gone');
  return row.expiresAt;
}

const revoke = prepared<ApiKey, [string, string, string]>(
  'api_keys_revoke',
  `update api_key k set revoked_at = now()
   where k.tenant_id = $1 and k.environment = $2 and k.id = $3 and k.revoked_at is null returning ${columns}`,
);

const disable = prepared<ApiKey, [string, string, string]>(
  'api_keys_disable',
  `update api_key k set disabled_at = now()
   where k.tenant_id = $1 and k.environment = $2 and k.id = $3 and k.disabled_at is null returning ${columns}`,
);

/** Makes a key unusable. Undefined when there is none, or it was done before. */
export function stopApiKey(db: Db, scope: Scope, keyId: string, how: 'revoke' | 'disable'): Promise<ApiKey | undefined> {
  const statement = how === 'revoke' ? revoke : disable;
  return db.row(statement(scope.tenantId, scope.environment, keyId));
}

const recordUse = prepared<unknown, [string, string, keyIds: readonly string[], secondsAgo: readonly number[]]>(
  'api_keys_record_use',
  `update api_key k set last_used_at = used.at
   from (select u.id, now() - make_interval(secs => u.seconds_ago) as at
         from unnest($3::uuid[], $4::float8[]) as u (id, seconds_ago)) used
   where k.tenant_id = $1 and k.environment = $2 and k.id = used.id and coalesce(k.last_used_at < used.at, true)`,
);

/** By the seconds since each use, so that all instances go by the database's clock; never backward. */
export async function recordKeyUse(db: Db, scope: Scope, secondsAgo: ReadonlyMap<string, number>): Promise<void> {
  await db.rows(recordUse(scope.tenantId, scope.environment, [...secondsAgo.keys()], [...secondsAgo.values()]));
}
