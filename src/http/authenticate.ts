/** API key to caller. Source: docs/specification/identity.md#authentication, docs/specification/tenancy.md#stored-keys. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { resolveApiKey } from '../db/cross-tenant-lookups.ts';
import type { Frames } from '../db/frame.ts';
import type { Environment } from '../db/scope.ts';
import { AppError } from '../errors.ts';
import { isApiKeyForm } from './api-key-form.ts';
import { createRangeCheck } from './ip-ranges.ts';
import { describeInvalidKey, MISSING_KEY } from './misplaced-key.ts';
import type { Caller, CallersKey } from './operation.ts';

/** The caller of a key, before it is known what it asks for. */
export type KeyHolder = Omit<Caller, 'provenance' | 'member' | 'key'> & { key: CallersKey };

/** A revoked key stops working on every instance within this time (docs/specification/tenancy.md#key-cache). */
const CACHE_MS = 900;
const CACHE_MAX = 10_000;

/** How a key is looked up that may be anybody's guess. Throws where it is not to be looked up at all. */
export type Guess = <T>(lookUp: () => Promise<T | undefined>) => Promise<T | undefined>;

export interface Authenticator {
  /**
   * The caller of a key that is sent from an address. Throws UNAUTHORIZED without a key, INVALID_API_KEY for one that is
   * not usable, IP_NOT_ALLOWED for one that is not usable from there. Of one that is no key at all by its form the
   * database is not asked. A key that was usable when last looked up is no guess.
   */
  authenticate(key: string | undefined, address: string | undefined, guess: Guess): Promise<KeyHolder>;
}

interface FoundKey {
  holder: KeyHolder;
  mayCallFrom(address: string | undefined): boolean;
  noted: boolean;
}

/** The stored form of an API key: HMAC-SHA-256 under the pepper. */
export function hashApiKey(pepper: Buffer | KeyObject, key: string): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}

/** The environment a key claims by its prefix; for the header of answers that have no caller. */
export function environmentOfPrefix(key: string | undefined): Environment | undefined {
  if (key?.startsWith('svc_live_')) return 'LIVE';
  return key?.startsWith('svc_sandbox_') ? 'SANDBOX' : undefined;
}

/** `noteUse` is told of the callers it resolves: of a key in steady use about once a second, not with each request. */
export function createAuthenticator(frames: Frames, pepper: Buffer, noteUse: (holder: KeyHolder) => void): Authenticator {
  // Importing the key once spares most of the time of an HMAC.
  const secret = createSecretKey(pepper);
  /** Usable keys only, by hash; a lookup under way is shared. */
  const cache = new Map<string, { until: number; key: Promise<FoundKey | undefined> }>();
  /** Keys that were usable when they were last looked up, by hash; those in use are the last. */
  const known = new Set<string>();

  async function resolve(hash: Buffer): Promise<FoundKey | undefined> {
    const [row] = await frames.unscoped(resolveApiKey({ hash }));
    if (!row) return undefined;
    const holder: KeyHolder = {
      tenantId: row.tenant_id,
      environment: row.environment,
      key: {
        id: row.id,
        familyId: row.family_id,
        rateLimit: row.rate_limit ?? undefined,
        allowedIps: row.allowed_ips,
      },
      rights: row.scopes,
      root: row.root,
    };
    const mayCallFrom = row.allowed_ips === null ? () => true : createRangeCheck(row.allowed_ips);
    return { holder, mayCallFrom, noted: false };
  }

  function remember(id: string, usable: boolean): void {
    known.delete(id);
    if (usable) known.add(id);
    const [oldest] = known;
    if (known.size > CACHE_MAX && oldest !== undefined) known.delete(oldest);
  }

  function cached(hash: Buffer, guess: Guess): Promise<FoundKey | undefined> {
    const id = hash.toString('base64');
    const hit = cache.get(id);
    if (hit && hit.until > performance.now()) return hit.key;
    return known.has(id) ? lookUp(id, hash) : guess(() => lookUp(id, hash));
  }

  function lookUp(id: string, hash: Buffer): Promise<FoundKey | undefined> {
    const now = performance.now();
    const hit = cache.get(id);
    if (hit && hit.until > now) return hit.key;
    if (cache.size >= CACHE_MAX) cache.clear();
    const key = resolve(hash); // the time runs from before the lookup, so the answer is never older
    cache.set(id, { until: now + CACHE_MS, key });
    key.then(
      (found) => {
        remember(id, found !== undefined);
        if (!found && cache.get(id)?.key === key) cache.delete(id);
      },
      () => cache.delete(id),
    );
    return key;
  }

  return {
    async authenticate(key, address, guess) {
      if (key === undefined || key === '') {
        throw new AppError('UNAUTHORIZED', MISSING_KEY);
      }
      const found = isApiKeyForm(key) ? await cached(hashApiKey(secret, key), guess) : undefined;
      if (!found) throw new AppError('INVALID_API_KEY', describeInvalidKey(key));
      if (!found.mayCallFrom(address)) throw new AppError('IP_NOT_ALLOWED', 'The API key may not be used from this address');
      if (!found.noted) {
        found.noted = true;
        noteUse(found.holder);
      }
      return found.holder;
    },
  };
}
