/** What the watch says of a connection that it gives up: since when nothing was heard of it. */
import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { expect, test, vi } from 'vitest';
import type { Probe, Verdict } from '../../src/db/backend-probe.ts';
import { watchForMutes } from '../../src/db/mute-watch.ts';
import { createOutageLog } from '../../src/db/outage-log.ts';
import { createLogger } from '../../src/http/request-log.ts';

const FIGURES = { tickMs: 10, probeEveryMs: 40, probeTimeoutMs: 100, graceMs: 100, stuckMs: 10_000 };

/** A pool with one connection in use, which owes an answer and says nothing. */
function silentPool(): { pool: pg.Pool; destroyed: ReturnType<typeof vi.fn> } {
  const destroyed = vi.fn();
  const client = Object.assign(new EventEmitter(), {
    readyForQuery: false,
    processID: 7,
    connection: { stream: { bytesRead: 0, destroy: destroyed } },
  });
  const pool = Object.assign(new EventEmitter(), { options: { max: 5 } });
  queueMicrotask(() => pool.emit('acquire', client));
  return { pool: pool as unknown as pg.Pool, destroyed };
}

const probeThat = (ask: () => Promise<Verdict[]>): Probe => ({ ask, end: () => Promise.resolve() });

test.each([
  ['the server has nothing to answer', probeThat(() => Promise.resolve(['mute'])), 60_000],
  ['the server cannot be asked and the time is over', probeThat(() => Promise.reject(new Error('away'))), 50],
])('the outage log hears since when it was silent: %s', async (_name, probe, statementMs) => {
  const logger = createLogger('info', { write: () => undefined });
  const failed = vi.fn();
  const outage = { ...createOutageLog(logger, 'test'), failed };
  const began = performance.now();
  const { pool, destroyed } = silentPool();
  const watch = watchForMutes({ pool, statementMs, probe, outage, figures: FIGURES });
  await vi.waitFor(() => expect(destroyed).toHaveBeenCalledOnce(), { timeout: 60_000, interval: 5 });
  watch.stop();
  const [, heardAt] = failed.mock.calls[0] as [Error, number];
  // Ticks are counted, and come late rather than early.
  expect(heardAt).toBeGreaterThanOrEqual(began - 2 * FIGURES.tickMs);
  expect(heardAt).toBeLessThan(performance.now() - FIGURES.probeEveryMs / 2);
});
