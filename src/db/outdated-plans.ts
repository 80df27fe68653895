/**
 * Prepared statements whose result a migration has changed while they were prepared: one that ends in all columns of a
 * table, when the table got another. PostgreSQL refuses such a statement on its connection for good, so the connections
 * of before are given up, and what was refused is run again on a new one. Nothing of it was done.
 * Source: docs/specification/reliability.md#outdated-plans.
 */
import type { EventEmitter } from 'node:events';
import type pg from 'pg';
import { spoil } from './lost-statements.ts';

/** The code alone is that of many things; the place in the server's source is told whatever its language. */
export function isOutdatedPlan(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '0A000' &&
    'routine' in error &&
    error.routine === 'RevalidateCachedQuery'
  );
}

/** Gives up all connections that the pool has when one of them is refused so: their statements are as old. */
export function watchForOutdatedPlans(pool: pg.Pool): void {
  const clients = new Set<pg.ClientBase>();
  pool.on('remove', (client) => clients.delete(client));
  pool.on('connect', (client) => {
    clients.add(client);
    const { connection } = client as unknown as { connection: EventEmitter };
    connection.on('errorMessage', (error: unknown) => {
      if (!isOutdatedPlan(error)) return;
      for (const known of clients) spoil(known);
      clients.clear();
    });
  });
}

/** Runs `fn`, and once more when an outdated plan refused it. `fn` must have no effect beside the database. */
export async function onFreshPlans<T>(fn: () => Promise<T>): Promise<T> {
  try {
    return await fn();
  } catch (error) {
    if (isOutdatedPlan(error)) return await fn();
    throw error;
  }
}
