/** API keys in the hands of the tenant: a key makes, lists, revokes and rolls those of its own environment. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { Environment } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { CallContext, RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { type createApiKeyOperation, DEFAULT_OVERLAP_SECONDS, type listApiKeys, type rollApiKey } from './api-keys-operations.ts';
import {
  type ApiKey,
  expireApiKeyWithin,
  findApiKey,
  insertApiKey,
  listApiKeys as listKeys,
  lockApiKey,
  stopApiKey,
} from './api-keys-queries.ts';
import { newApiKey } from './new-api-key.ts';

type Create = z.output<ReturnType<typeof createApiKeyOperation>['body'] & {}>;
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
  /** 400 on scopes or a rate limit beyond the caller's own, and on a time that has passed. */
  createKey(context: CallContext, input: Create): Promise<CreatedApiKey>;
  listKeys(context: RequestContext, query: List): Promise<Page<ApiKey>>;
  /** Revoking again changes nothing. NOT_FOUND; STATE_CONFLICT for the calling key itself. */
  revokeKey(context: CallContext, keyId: string): Promise<ApiKey>;
  /** NOT_FOUND; STATE_CONFLICT unless the key is active; FORBIDDEN when it has scopes that the caller lacks. */
  rollKey(context: CallContext, keyId: string, input: Roll): Promise<RolledApiKey>;
}

interface Deps {
  frames: Frames;
  cursors: Cursors;
  pepper: Buffer;
  /** Requests per window of keys without a limit of their own. */
  rateLimits: Record<Environment, number>;
}

export function createApiKeysService({ frames, cursors, pepper, rateLimits }: Deps): ApiKeysService {
  return {
    async createKey({ scope, guard, shape }, { name, scopes: wanted, expiresAt, rateLimit }) {
      const scopes = [...new Set<string>(wanted ?? scope.keyScopes)];
      const lacking = scopesLacking(scope.keyScopes, scopes);
      if (lacking.length > 0)
        throw invalidField('scopes', `must be scopes that the calling key has: it lacks ${lacking.join(', ')}`);
      const highest = scope.rateLimit ?? rateLimits[scope.environment];
      if (typeof rateLimit === 'number' && rateLimit > highest) {
        throw invalidField('rateLimit', `must be at most that of the calling key, ${highest}`);
      }
      const { apiKey, ...secret } = newApiKey(pepper, scope.environment);
      const fresh = { ...secret, name: name ?? null, scopes, rateLimit: rateLimit ?? scope.rateLimit ?? null };
      return frames.write(
        scope,
        async (db) => {
          const key = await insertApiKey(db, scope, {
            ...fresh,
            expiresAt: expiresAt ?? null,
            replacesKeyId: null,
            familyId: null,
          });
          if (!key) throw pastExpiry();
          await recordAudit(db, scope, {
            action: 'api_key.created',
            by: scope.provenance,
            objectKind: 'api_key',
            objectId: key.id,
            details: { scopes, rateLimit: key.rateLimit, expiresAt: key.expiresAt },
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

    async revokeKey({ scope, guard, shape }, keyId) {
      // Who revokes the key in hand has most often named the wrong one, and may have no other to mend it with.
      if (keyId === scope.keyId) throw new AppError('STATE_CONFLICT', 'A key cannot revoke itself; roll it with no overlap');
      return frames.write(
        scope,
        async (db) => {
          const revoked = await stopApiKey(db, scope, keyId, 'revoke');
          const key = revoked ?? (await findApiKey(db, scope, keyId));
          if (!key) throw unknownKey();
          if (revoked) {
            await recordAudit(db, scope, {
              action: 'api_key.revoked',
              by: scope.provenance,
              objectKind: 'api_key',
              objectId: keyId,
            });
          }
          return key;
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
          const old = await lockApiKey(db, scope, keyId);
          if (!old) throw unknownKey();
          if (old.status !== 'active') throw new AppError('STATE_CONFLICT', `The key is ${old.status}; create another`);
          // Else a key could lend itself the rights of any other.
          if (scopesLacking(scope.keyScopes, old.scopes).length > 0) {
            throw new AppError('FORBIDDEN', 'The key has scopes that the calling key lacks');
          }
          const { name, scopes, rateLimit, familyId } = old;
          const fresh = {
            ...secret,
            name,
            scopes,
            rateLimit,
            familyId,
            expiresAt: input?.expiresAt ?? null,
            replacesKeyId: keyId,
          };
          const key = await insertApiKey(db, scope, fresh);
          if (!key) throw pastExpiry();
          const replacedKeyExpiresAt = await expireApiKeyWithin(db, scope, keyId, overlapSeconds);
          await recordAudit(db, scope, {
            action: 'api_key.rolled',
            by: scope.provenance,
            objectKind: 'api_key',
            objectId: keyId,
            details: { newKeyId: key.id, overlapSeconds, replacedKeyExpiresAt },
          });
          return { ...key, apiKey, replacedKeyExpiresAt };
        },
        { guard, shape },
      );
    },
  };
}

function scopesLacking(own: readonly string[], wanted: readonly string[]): string[] {
  return own.includes('*') ? [] : wanted.filter((scope) => !own.includes(scope));
}

function unknownKey(): AppError {
  return new AppError('NOT_FOUND', 'No such API key');
}

function pastExpiry(): AppError {
  return invalidField('expiresAt', 'must be in the future');
}
