/** API keys in SQL. No statement reads a hash: the one lookup by it is in `db/cross-tenant-lookups.ts`. */
import type { Knex } from 'knex';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';

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
  /** The first of the keys that it was rolled from, or the key itself. */
  familyId: string;
  status: KeyStatus;
}

/** Of `api_key k`. */
const columns = `k.id, k.name, k.last_four as "lastFour", k.scopes, k.rate_limit as "rateLimit", k.created_at as "createdAt",
  k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt", k.disabled_at as "disabledAt",
  k.replaces_key_id as "replacesKeyId", coalesce(k.family_id, k.id) as "familyId",
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
  /** Null for the first of a family. */
  familyId: string | null;
}

const apiKey = tenantTable('api_key');

const insert = statement<ApiKey, NewApiKey>(
  'api_keys_insert',
  ({ hash, lastFour, name, scopes, rateLimit, expiresAt, replacesKeyId, familyId }) =>
    raw(
      `insert into api_key as k (tenant_id, environment, hash, last_four, name, scopes, rate_limit, expires_at, replaces_key_id, family_id)
       select :tenantId, :environment, :hash, :lastFour, :name, :scopes, :rateLimit, :expiresAt, :replacesKeyId, :familyId
       where :expiresAt::timestamptz is null or :expiresAt::timestamptz > now()
       returning ${columns}`,
      { hash, lastFour, name, scopes, rateLimit, expiresAt, replacesKeyId, familyId },
    ),
);

/** Undefined when it would have expired already. */
export function insertApiKey(db: Db, scope: Scope, key: NewApiKey): Promise<ApiKey | undefined> {
  return db.row(insert(scope, key));
}

const list = statement<ApiKey, { afterId: string | null; count: number }>('api_keys_list', ({ afterId, count }) =>
  apiKey('k')
    .whereRaw('(:afterId::uuid is null or k.id > :afterId)', { afterId })
    .orderBy('k.id')
    .limit(count)
    .select(raw(columns)),
);

/** Oldest first. */
export function listApiKeys(db: Db, scope: Scope, afterId: string | undefined, count: number): Promise<ApiKey[]> {
  return db.rows(list(scope, { afterId: afterId ?? null, count }));
}

const one = (keyId: Knex.Raw) => apiKey('k').where('k.id', keyId);

const find = statement<ApiKey, { keyId: string }>('api_keys_find', ({ keyId }) => one(keyId).select(raw(columns)));

export function findApiKey(db: Db, scope: Scope, keyId: string): Promise<ApiKey | undefined> {
  return db.row(find(scope, { keyId }));
}

const lock = statement<ApiKey, { keyId: string }>('api_keys_lock', ({ keyId }) => one(keyId).select(raw(columns)).forUpdate());

export function lockApiKey(db: Db, scope: Scope, keyId: string): Promise<ApiKey | undefined> {
  return db.row(lock(scope, { keyId }));
}

const expireWithin = statement<{ expiresAt: Date }, { keyId: string; seconds: number }>(
  'api_keys_expire_within',
  ({ keyId, seconds }) =>
    apiKey()
      .where({ id: keyId })
      .update({ expires_at: raw('least(expires_at, now() + make_interval(secs => :seconds))', { seconds }) })
      .returning('expires_at as expiresAt'),
);

/** Lets a key expire after so many seconds, or earlier if it would have anyway; returns when. */
export async function expireApiKeyWithin(db: Db, scope: Scope, keyId: string, seconds: number): Promise<Date> {
  const row = await db.row(expireWithin(scope, { keyId, seconds }));
  if (!row) throw new Error('a locked API key is gone');
  return row.expiresAt;
}

const stop = (keyId: Knex.Raw, column: 'revoked_at' | 'disabled_at') =>
  one(keyId)
    .whereNull(`k.${column}`)
    .update({ [column]: raw('now()') })
    .returning(raw(columns));

const revoke = statement<ApiKey, { keyId: string }>('api_keys_revoke', ({ keyId }) => stop(keyId, 'revoked_at'));

const disable = statement<ApiKey, { keyId: string }>('api_keys_disable', ({ keyId }) => stop(keyId, 'disabled_at'));

/** Makes a key unusable. Undefined when there is none, or it was done before. */
export function stopApiKey(db: Db, scope: Scope, keyId: string, how: 'revoke' | 'disable'): Promise<ApiKey | undefined> {
  const statement = how === 'revoke' ? revoke : disable;
  return db.row(statement(scope, { keyId }));
}

const recordUse = statement<unknown, { keyIds: readonly string[]; secondsAgo: readonly number[] }>(
  'api_keys_record_use',
  ({ keyIds, secondsAgo }) =>
    raw(
      `update api_key k set last_used_at = used.at
   from (select u.id, now() - make_interval(secs => u.seconds_ago) as at
         from unnest(:keyIds::uuid[], :secondsAgo::float8[]) as u (id, seconds_ago)) used
   where ${ofTenant('k')} and k.id = used.id and coalesce(k.last_used_at < used.at, true)`,
      { keyIds, secondsAgo },
    ),
);

/** By the seconds since each use, so that all instances go by the database's clock; never backward. */
export async function recordKeyUse(db: Db, scope: Scope, secondsAgo: ReadonlyMap<string, number>): Promise<void> {
  await db.rows(recordUse(scope, { keyIds: [...secondsAgo.keys()], secondsAgo: [...secondsAgo.values()] }));
}
