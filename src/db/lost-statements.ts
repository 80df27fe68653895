/**
 * Prepared statements that a session of ours has lost, or has and should not: a pooler behind which sessions are shared
 * gives it to others. Such a connection is of no more use, and the operator must hear of it.
 */
import type { EventEmitter } from 'node:events';
import type pg from 'pg';
import type { Logger } from 'pino';

/** What the server answers: the statement exists already, or does not. */
const CODES = new Set(['42P05', '26000']);

export const WHAT_TO_DO =
  'connect directly, or through PgBouncer 1.21 or later with max_prepared_statements=200 (docs/upgrades.md#pgbouncer)';

export function isLostStatement(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CODES.has(String(error.code));
}

const LOG_EVERY_MS = 60_000;
const spoiled = new WeakSet<pg.ClientBase>();

/** Whether the connection must not be used again once what runs on it has ended. */
export function isSpoiled(client: pg.ClientBase): boolean {
  return spoiled.has(client);
}

/** Lets the connection be closed in place of being used again. */
export function spoil(client: pg.ClientBase): void {
  spoiled.add(client);
}

/** Notes it of each connection of the pool, with a line a minute at most. */
export function watchForLostStatements(pool: pg.Pool, logger: Logger): void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  pool.on('connect', (client) => {
    const { connection } = client as unknown as { connection: EventEmitter };
    connection.on('errorMessage', ({ code, message }: { code: string; message: string }) => {
      if (!CODES.has(code)) return;
      spoiled.add(client);
      if (performance.now() - loggedAt < LOG_EVERY_MS) return;
      loggedAt = performance.now();
      logger.error({ code, reason: message }, `a pooler in front of the database loses prepared statements: ${WHAT_TO_DO}`);
    });
  });
}
