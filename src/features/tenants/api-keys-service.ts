/**
 * API keys in the hands of the tenant: a key makes, lists, changes, revokes and rolls those of its own environment, and
 * only those that can do no more than itself. Source: docs/specification/identity.md#keys-of-a-tenant.
 */
import type { z } from 'zod';
import { actorRef } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { CallContext, Caller, RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { rightsOfLocked } from '../staff/open/staff-standing.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import {
  type createApiKeyOperation,
  DEFAULT_OVERLAP_SECONDS,
  type listApiKeys,
  type rollApiKey,
  type updateApiKeyOperation,
} from './api-keys-operations.ts';
import {
  type ApiKey,
  expireApiKeyWithin,
  insertApiKey,
  listApiKeys as listKeys,
  lockApiKeys,
  lockRole,
  revokeApiKey,
  updateApiKey,
} from './api-keys-queries.ts';
import { changeOf } from './change-key.ts';
import { type Granting, grantOf, type Reach, reachOf, requireAddresses, requireScopes } from './key-grants.ts';
import { newApiKey } from './new-api-key.ts';

type Create = z.output<ReturnType<typeof createApiKeyOperation>['body'] & {}>;
type Update = z.output<ReturnType<typeof updateApiKeyOperation>['body'] & {}>;
type List = z.output<(typeof listApiKeys)['query'] & {}>;
type Roll = z.output<(typeof rollApiKey)['body'] & {}>;

export interface CreatedApiKey extends ApiKey {
  /** Shown once; only its keyed hash is stored. */
  apiKey: string;
}

export interface RolledApiKey extends CreatedApiKey {
  replacedKeyExpiresAt: Date;
}

export interface ApiKeysService {
  /** FORBIDDEN on scopes or addresses beyond the caller's own; 400 on a rate limit beyond it, and on a time that has passed. */
  createKey(context: CallContext, input: Create): Promise<CreatedApiKey>;
  listKeys(context: RequestContext, query: List): Promise<Page<ApiKey>>;
  /** NOT_FOUND; FORBIDDEN when it has scopes that the caller lacks, or would get some; STATE_CONFLICT. */
  updateKey(context: CallContext, keyId: string, input: Update): Promise<ApiKey>;
  /** Revoking again changes nothing. NOT_FOUND; FORBIDDEN as for a change; STATE_CONFLICT for the calling key itself. */
  revokeKey(context: CallContext, keyId: string): Promise<ApiKey>;
  /** NOT_FOUND; STATE_CONFLICT unless the key is active; FORBIDDEN when it has scopes or addresses that the caller lacks. */
  rollKey(context: CallContext, keyId: string, input: Roll): Promise<RolledApiKey>;
}

interface Deps {
  frames: Frames;
  cursors: Cursors;
  pepper: Buffer;
  granting: Granting;
}

export function createApiKeysService({ frames, cursors, pepper, granting }: Deps): ApiKeysService {
  return {
    async createKey({ scope, guard, shape }, { name, expiresAt, ...wish }) {
      grantOf(reachOf(scope), wish, scope.environment, granting);
      const { apiKey, ...secret } = newApiKey(pepper, scope.environment);
      return frames.write(
        scope,
        async (db) => {
          const caller = await lockCaller(db, scope, granting);
          const grant = grantOf(caller, wish, scope.environment, granting);
          const key = await insertApiKey(db, scope, {
            ...secret,
            ...grant,
            name: name ?? null,
            expiresAt: expiresAt ?? null,
            replacesKeyId: null,
            familyId: null,
            createdBy: actorRef(scope.provenance.actor),
          });
          if (!key) throw pastExpiry();
          tell(db, scope.provenance, 'api_key.created', key.id, { data: key });
          const { scopes, rateLimit, allowedIps } = key;
          await record(db, scope, 'created', key.id, {
            scopes,
            rateLimit,
            expiresAt: key.expiresAt,
            boundToAddresses: allowedIps !== null,
          });
          return { ...key, apiKey };
        },
        { guard, shape },
      );
    },

    async listKeys({ scope }, { limit, cursor }) {
      const identity = { scope, operationId: 'listApiKeys', filters: {} };
      const afterId = cursors.open(cursor, identity);
      const rows = await frames.read(scope, (db) => listKeys(db, scope, afterId, limit + 1));
      return cursors.page(rows, limit, identity, (key) => key.id);
    },

    async updateKey({ scope, guard, shape }, keyId, input) {
      return frames.write(
        scope,
        async (db) => {
          const { caller, target } = await lockKeys(db, scope, keyId, granting);
          const { fields, ...change } = changeOf(
            { caller, target, isOwn: scope.key?.id === keyId, address: scope.provenance.ip },
            input,
          );
          if (fields.length === 0) return target;
          const key = await updateApiKey(db, scope, keyId, { ...change, by: actorRef(scope.provenance.actor) });
          const scopes = fields.includes('scopes') ? { scopes: { before: target.scopes, after: key.scopes } } : {};
          await record(db, scope, 'updated', keyId, { fields, ...scopes });
          return key;
        },
        { guard, shape },
      );
    },

    async revokeKey({ scope, guard, shape }, keyId) {
      // Who revokes the key in hand has most often named the wrong one, and may have no other to mend it with.
      if (keyId === scope.key?.id) throw new AppError('STATE_CONFLICT', 'A key cannot revoke itself; roll it with no overlap');
      return frames.write(
        scope,
        async (db) => {
          const { target } = await lockKeys(db, scope, keyId, granting);
          const revoked = await revokeApiKey(db, scope, keyId);
          if (revoked) tell(db, scope.provenance, 'api_key.revoked', keyId, { data: revoked });
          if (revoked) await record(db, scope, 'revoked', keyId, { scopes: revoked.scopes });
          return revoked ?? target;
        },
        { guard, shape },
      );
    },

    async rollKey({ scope, guard, shape }, keyId, input) {
      const overlapSeconds = input?.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS;
      const { apiKey, ...secret } = newApiKey(pepper, scope.environment);
      return frames.write(
        scope,
        async (db) => {
          const { caller, target } = await lockKeys(db, scope, keyId, granting);
          const { name, scopes, rateLimit, allowedIps, familyId, status } = target;
          if (status !== 'active') throw new AppError('STATE_CONFLICT', `The key is ${status}; create another`);
          // The answer holds the secret, which would then work from where the caller's own does not.
          requireAddresses(caller, allowedIps);
          const key = await insertApiKey(db, scope, {
            ...secret,
            name,
            scopes,
            rateLimit,
            allowedIps,
            familyId,
            expiresAt: input?.expiresAt ?? null,
            replacesKeyId: keyId,
            createdBy: actorRef(scope.provenance.actor),
          });
          if (!key) throw pastExpiry();
          tell(db, scope.provenance, 'api_key.created', key.id, { data: key });
          const replacedKeyExpiresAt = await expireApiKeyWithin(db, scope, keyId, overlapSeconds);
          await record(db, scope, 'rolled', keyId, { newKeyId: key.id, scopes, overlapSeconds, replacedKeyExpiresAt });
          return { ...key, apiKey, replacedKeyExpiresAt };
        },
        { guard, shape },
      );
    },
  };
}

const lockCaller = async (db: Db, scope: Caller, granting: Granting): Promise<Reach> =>
  reachNow(db, scope, await lockApiKeys(db, scope, ownKey(scope)), granting);

const ownKey = ({ key }: Caller): string[] => (key ? [key.id] : []);

/**
 * What the caller may give now. What was remembered of a key or a session may be almost a second old: a key that was
 * revoked or narrowed meanwhile leaves no successor behind, and neither does a person whose role was changed.
 */
async function reachNow(db: Db, scope: Caller, keys: readonly ApiKey[], { allScopes }: Granting): Promise<Reach> {
  const own = keys.find(({ id }) => id === scope.key?.id);
  if (scope.key && own?.status !== 'active') throw new AppError('INVALID_API_KEY', 'The API key is not valid');
  const caller = own ?? { ...reachOf(scope), scopes: await rightsNow(db, scope, allScopes) };
  requireScopes(caller, ['admin:keys'], 'this needs');
  return caller;
}

async function rightsNow(db: Db, scope: Caller, all: readonly string[]): Promise<readonly string[]> {
  const { kind, id } = scope.provenance.actor;
  if (scope.key || kind !== 'staff' || id === null) return scope.rights;
  const rights = rightsOfLocked(await db.row(lockRole(scope, { staffId: id })), { environment: scope.environment, all });
  if (!rights) throw new AppError('UNAUTHORIZED', 'The session has ended; sign in again');
  return rights;
}

/** What the caller may give now, and the key that it acts on, whose scopes it must have. */
async function lockKeys(db: Db, scope: Caller, keyId: string, granting: Granting): Promise<{ caller: Reach; target: ApiKey }> {
  const keys = await lockApiKeys(db, scope, [...new Set([...ownKey(scope), keyId])]);
  const caller = await reachNow(db, scope, keys, granting);
  const target = keys.find(({ id }) => id === keyId);
  if (!target) throw new AppError('NOT_FOUND', 'No such API key');
  requireScopes(caller, target.scopes, 'the key has');
  return { caller, target };
}

type Act = 'created' | 'updated' | 'revoked' | 'rolled';

function record(db: Db, scope: Caller, act: Act, objectId: string, details: Record<string, unknown>): Promise<void> {
  return recordAudit(db, scope, {
    action: `api_key.${act}`,
    by: scope.provenance,
    objectKind: 'api_key',
    objectId,
    details,
  });
}

function pastExpiry(): AppError {
  return invalidField('expiresAt', 'must be in the future');
}
