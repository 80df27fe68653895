/** Batches one after another. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

const waitLonger = prepared<unknown, [timeout: string]>(
  'events_batch_wait',
  "select set_config('lock_timeout', $1, true), set_config('statement_timeout', $1, true)",
);

const lockBatches = prepared<unknown, [string, string]>(
  'events_lock_batches',
  "select pg_advisory_xact_lock(hashtextextended($1 || ':' || $2, 6))",
);

/** How long a batch waits for the one before it, and for whatever single events hold. */
const WAIT = '20s';

/**
 * Waits for the scope's batch that is being recorded. Two at once would wait for each other's
 * customers, purchases and caps, which each takes in its own order. Events that come alone do not wait.
 */
export async function awaitTurn(db: Db, scope: Scope): Promise<void> {
  await Promise.all([db.rows(waitLonger(WAIT)), db.rows(lockBatches(scope.tenantId, scope.environment))]);
}
