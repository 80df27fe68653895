/**
 * When API keys were last used. Uses are gathered in memory and written in the background, each key
 * at most once a minute by each instance: an update with every request would cost more than the
 * request. What an instance that is killed had gathered is lost; the key's next use is recorded.
 */
import type { Logger } from 'pino';
import type { Frames } from '../../db/frame.ts';
import type { Scope } from '../../db/scope.ts';
import type { KeyHolder } from '../../http/authenticate.ts';
import { type Loop, startLoop } from '../../jobs/loop.ts';
import { recordKeyUse } from './api-keys-queries.ts';

const FLUSH_EVERY_MS = 60_000;

export interface KeyUse {
  /** Remembers that the caller's key was used now. Does no more than that. */
  note(holder: KeyHolder): void;
  /** Begins to write what was noted. */
  start(): void;
  /** Writes what was noted, each scope in a transaction. What cannot be written waits for the next time. */
  flush(): Promise<void>;
  /** Stops, and writes what is left. */
  close(): Promise<void>;
}

interface ScopeUses {
  scope: Scope;
  /** By key, on the clock of `performance.now()`. */
  usedAt: Map<string, number>;
}

export function createKeyUse({ frames, logger }: { frames: Frames; logger: Logger }): KeyUse {
  const noted = new Map<string, ScopeUses>();
  let loop: Loop | undefined;

  function note(scope: Scope, keyId: string, at: number): void {
    const name = `${scope.tenantId} ${scope.environment}`;
    const uses = noted.get(name) ?? { scope: { tenantId: scope.tenantId, environment: scope.environment }, usedAt: new Map() };
    uses.usedAt.set(keyId, Math.max(at, uses.usedAt.get(keyId) ?? at));
    noted.set(name, uses);
  }

  /** After a failure the others wait too: the database is most likely away. */
  async function flush(): Promise<void> {
    const due = Array.from(noted); // the map itself would not end while requests go on
    for (const [name, { scope, usedAt }] of due) {
      noted.delete(name); // what is noted from here on is of the next time
      try {
        await frames.write(scope, (db) => recordKeyUse(db, scope, secondsSince(usedAt)), { repeatable: true });
      } catch (error) {
        for (const [keyId, at] of usedAt) note(scope, keyId, at);
        throw error;
      }
    }
  }

  return {
    note: (caller) => note(caller, caller.key.id, performance.now()),
    start() {
      loop = startLoop({
        name: 'key use',
        logger,
        pauseMs: FLUSH_EVERY_MS,
        async step() {
          await flush();
          return false;
        },
      });
    },
    flush,
    async close() {
      await loop?.stop();
      await flush().catch((error: unknown) => logger.warn({ err: error }, 'the last uses of API keys were not recorded'));
    },
  };
}

function secondsSince(usedAt: ReadonlyMap<string, number>): Map<string, number> {
  const now = performance.now();
  return new Map(Array.from(usedAt, ([keyId, at]) => [keyId, (now - at) / 1_000]));
}
