/** Batches one after another. */
import { takeLock } from '../../../db/lock-classes.ts';
import { raw, statement, unscopedStatement } from '../../../db/query.ts';
import { withSavepoint } from '../../../db/savepoint.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { fixNow } from '../../../db/scope-clock.ts';
import { fixSaleTime } from './purchase-facts-queries.ts';

const waitLonger = unscopedStatement<unknown, { timeout: string }>('events_batch_wait', ({ timeout }) =>
  raw("select set_config('lock_timeout', :timeout, true), set_config('statement_timeout', :timeout, true)", { timeout }),
);

const lockBatches = statement<unknown>('events_lock_batches', () => raw(`select ${takeLock('eventBatches')}`));

/** How long a batch waits for the one before it, and for whatever single events hold. */
const WAIT = '20s';

/**
 * Waits for the scope's batch that is being recorded. Two at once would wait for each other's
 * customers, purchases and caps, which each takes in its own order. Events that come alone do not wait.
 */
export async function awaitTurn(db: Db, scope: Scope): Promise<void> {
  await Promise.all([db.rows(waitLonger({ timeout: WAIT })), db.rows(lockBatches(scope))]);
  await fixTime(db, scope);
}

const keepTime = unscopedStatement<unknown, { at: string }>('events_batch_time', ({ at }) =>
  raw(`select ${fixNow(':at')}`, { at }),
);

/** Thrown to let go of a lock. */
class Fixed extends Error {
  readonly at: string;

  constructor(at: string) {
    super('fixed');
    this.at = at;
  }
}

/**
 * One time for all sales of a batch that have none. The lock is let go of at once, or a change would wait for the
 * batch and other sales for the change: what comes later is dated behind this time, so it does not count for the batch.
 */
async function fixTime(db: Db, scope: Scope): Promise<void> {
  const fixed: unknown = await withSavepoint(db, async () => {
    const row = await db.row(fixSaleTime(scope));
    throw row ? new Fixed(row.at) : new Error('the clock has no row');
  }).catch((error: unknown) => error);
  if (!(fixed instanceof Fixed)) throw fixed;
  await db.rows(keepTime({ at: fixed.at }));
}
