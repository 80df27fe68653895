/** API keys in SQL. No statement reads a hash: the one lookup by it is in `db/cross-tenant-lookups.ts`. */
import type { Knex } from 'knex';
import type { NamedActor } from '../../actor.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { namedActor } from '../audit/open/named-actor.ts';
import { LOCK_ROLE, type LockedRole } from '../staff/open/staff-standing.ts';

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
  /** From where it may be used, as ranges of addresses; null: from anywhere. */
  allowedIps: string[] | null;
  /** Null of a key of before. */
  createdBy: NamedActor | null;
  /** The first of the keys that it comes from, or the person; of a first one the key itself. */
  root: NamedActor;
  /** Who disabled it, as an `actorRef`; null of a key that is not disabled, or was before this was kept. */
  disabledBy: string | null;
  status: KeyStatus;
}

/** Of `api_key k`; whether it has expired is told as of a time. */
const columnsAsOf = (now: string): string =>
  `k.id, k.name, k.last_four as "lastFour", k.scopes, k.rate_limit as "rateLimit", k.created_at as "createdAt",
  k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt", k.disabled_at as "disabledAt",
  k.replaces_key_id as "replacesKeyId", coalesce(k.family_id, k.id) as "familyId", k.allowed_ips as "allowedIps",
  ${namedActor('k.created_by')} as "createdBy", ${namedActor('k.root')} as root, k.disabled_by as "disabledBy",
  case when k.revoked_at is not null then 'revoked' when k.disabled_at is not null then 'disabled'
       when k.expires_at <= ${now} then 'expired' else 'active' end as status`;

const columns = columnsAsOf('now()');

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
  allowedIps: readonly string[] | null;
  /** An `actorRef`. */
  createdBy: string;
}

const apiKey = tenantTable('api_key');

const insert = statement<ApiKey, NewApiKey>(
  'api_keys_insert',
  ({ hash, lastFour, name, scopes, rateLimit, expiresAt, replacesKeyId, familyId, allowedIps, createdBy }) =>
    raw(
      `insert into api_key as k (tenant_id, environment, hash, last_four, name, scopes, rate_limit, expires_at, replaces_key_id, family_id,
                                 allowed_ips, created_by)
       select :tenantId, :environment, :hash, :lastFour, :name, :scopes, :rateLimit, :expiresAt, :replacesKeyId, :familyId,
              :allowedIps::text[], :createdBy
       where :expiresAt::timestamptz is null or :expiresAt::timestamptz > now()
       returning ${columns}`,
      { hash, lastFour, name, scopes, rateLimit, expiresAt, replacesKeyId, familyId, allowedIps, createdBy },
    ),
);

/** Undefined when it would have expired already. Its root follows from who makes it: docs/specification/two-hands.md#roots. */
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

/** By the clock, not as of the transaction: who waited for a roll must see that the key has expired meanwhile. */
const lock = statement<ApiKey, { keyIds: readonly string[] }>('api_keys_lock', ({ keyIds }) =>
  apiKey('k')
    .whereIn('k.id', raw(':keyIds::uuid[]', { keyIds }))
    .orderBy('k.id')
    .select(raw(columnsAsOf('clock_timestamp()')))
    .forUpdate(),
);

/** Locks keys in the order of their ids, so that no two changes wait for each other. */
export function lockApiKeys(db: Db, scope: Scope, keyIds: readonly string[]): Promise<ApiKey[]> {
  return db.rows(lock(scope, { keyIds }));
}

/** The role of a person who is active; it stays so until the end of the transaction. */
export const lockRole = statement<LockedRole, { staffId: string }>('api_keys_lock_role', ({ staffId }) =>
  raw(LOCK_ROLE, { staffId }),
);

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

const revoke = statement<ApiKey, { keyId: string }>('api_keys_revoke', ({ keyId }) =>
  one(keyId)
    .whereNull('k.revoked_at')
    .update({ revoked_at: raw('now()') })
    .returning(raw(columns)),
);

/** Makes a key unusable for good. Undefined when there is none, or it was done before. */
export function revokeApiKey(db: Db, scope: Scope, keyId: string): Promise<ApiKey | undefined> {
  return db.row(revoke(scope, { keyId }));
}

/** A key that the tenant has disabled is the operator's from then on; who disabled one of before is not known, and was one. */
const disable = statement<ApiKey, { keyId: string; by: string }>('api_keys_disable', ({ keyId, by }) =>
  one(keyId)
    .where(raw('(k.disabled_at is null or k.disabled_by <> :by)', { by }))
    .update({ disabled_at: raw('coalesce(k.disabled_at, now())'), disabled_by: by })
    .returning(raw(columns)),
);

/** Disables a key on the operator's part. Undefined when there is none, or it was done before. */
export function disableApiKey(db: Db, scope: Scope, keyId: string, by: string): Promise<ApiKey | undefined> {
  return db.row(disable(scope, { keyId, by }));
}

const enable = statement<ApiKey, { keyId: string }>('api_keys_enable', ({ keyId }) =>
  one(keyId).whereNotNull('k.disabled_at').update({ disabled_at: null, disabled_by: null }).returning(raw(columns)),
);

/** Undefined when it was not disabled. */
export function enableApiKey(db: Db, scope: Scope, keyId: string): Promise<ApiKey | undefined> {
  return db.row(enable(scope, { keyId }));
}

export interface KeyChange {
  name: string | null;
  scopes: readonly string[];
  allowedIps: readonly string[] | null;
  disabled: boolean;
  /** Who, as an `actorRef`, should the key become disabled. */
  by: string;
}

const update = statement<ApiKey, KeyChange & { keyId: string }>(
  'api_keys_update',
  ({ keyId, name, scopes, allowedIps, disabled, by }) =>
    one(keyId)
      .update({
        name,
        scopes: raw(':scopes::text[]', { scopes }),
        allowed_ips: raw(':allowedIps::text[]', { allowedIps }),
        disabled_at: raw('case when :disabled then coalesce(k.disabled_at, now()) end', { disabled }),
        disabled_by: raw('case when not :disabled then null when k.disabled_at is null then :by else k.disabled_by end', {
          disabled,
          by,
        }),
      })
      .returning(raw(columns)),
);

export async function updateApiKey(db: Db, scope: Scope, keyId: string, change: KeyChange): Promise<ApiKey> {
  const row = await db.row(update(scope, { keyId, ...change }));
  if (!row) throw new Error('a locked API key is gone');
  return row;
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
