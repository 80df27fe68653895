/**
 * The keys of providers, kept for a while: fetched anew every ten minutes, and for a key that is not
 * among them at most every thirty seconds, so that tokens made up by strangers cost a provider little.
 */
import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';
import type { OutgoingClient } from '../../outgoing/outgoing-client.ts';
import { fetchKeys } from './check-provider.ts';
import type { TrustedIssuer } from './open/external-token.ts';

/** A key that was taken back is refused after this time at the latest. */
const MAX_AGE_MS = 10 * 60_000;
/** A new key is accepted, and a failed fetch tried again, after this time at the latest. */
const COOLDOWN_MS = 30_000;
const MAX_PROVIDERS = 500;

interface Entry {
  /** Of the provider's row: after a change of it everything is fetched anew. */
  version: number;
  keys?: { get: JWTVerifyGetKey; readAt: number };
  /** The last fetch: when it began, and what it came to. */
  last?: Fetch;
}

interface Fetch {
  triedAt: number;
  done: Promise<JWTVerifyGetKey>;
  settled: boolean;
}

export interface ProviderKeys {
  /** Keys at most ten minutes old. Throws as `fetchKeys` does, for thirty seconds without asking again. */
  current(provider: TrustedIssuer): Promise<JWTVerifyGetKey>;
  /** Newer ones than those tried, for a key that was not among them; undefined while it is too early to ask. */
  newer(provider: TrustedIssuer, tried: JWTVerifyGetKey): Promise<JWTVerifyGetKey | undefined>;
}

/** `now` is in milliseconds; only tests give another clock. */
export function createProviderKeys(outgoing: OutgoingClient, now: () => number = Date.now): ProviderKeys {
  /** The least recently used first. */
  const entries = new Map<string, Entry>();

  function entryOf(provider: TrustedIssuer): Entry {
    const { tenantId, environment, id } = provider;
    const name = `${tenantId} ${environment} ${id}`;
    const version = provider.updatedAt.getTime();
    const known = entries.get(name);
    const entry = known?.version === version ? known : { version };
    entries.delete(name);
    entries.set(name, entry);
    const [oldest] = entries.keys();
    if (entries.size > MAX_PROVIDERS && oldest !== undefined) entries.delete(oldest);
    return entry;
  }

  function fetchInto(entry: Entry, provider: TrustedIssuer): Promise<JWTVerifyGetKey> {
    const triedAt = now();
    const done = fetchKeys(outgoing, provider.jwksUri).then((keys) => {
      const get = createLocalJWKSet({ keys });
      entry.keys = { get, readAt: triedAt };
      return get;
    });
    const last: Fetch = { triedAt, done, settled: false };
    const settle = (): void => {
      last.settled = true;
    };
    done.then(settle, settle); // a failure is remembered, and thrown to everybody who asks
    entry.last = last;
    return done;
  }

  const isRecent = (at: number): boolean => now() - at < COOLDOWN_MS;

  return {
    async current(provider) {
      const entry = entryOf(provider);
      if (entry.keys && now() - entry.keys.readAt < MAX_AGE_MS) return entry.keys.get;
      return entry.last && isRecent(entry.last.triedAt) ? entry.last.done : fetchInto(entry, provider);
    },

    async newer(provider, tried) {
      const entry = entryOf(provider);
      if (entry.keys && entry.keys.get !== tried) return entry.keys.get; // read meanwhile, for another token
      if (!entry.last || !isRecent(entry.last.triedAt)) return fetchInto(entry, provider);
      return entry.last.settled ? undefined : entry.last.done;
    },
  };
}
