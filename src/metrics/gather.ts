/**
 * The values that need a query: read in the background every 15 seconds by a process that does background jobs, so that
 * no scrape waits for the database. Source: docs/metrics.md#gathered.
 */
import { statfs } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Frames } from '../db/frame.ts';
import { DEAD_LETTERS } from '../jobs/declarations.ts';
import { type Loop, startLoop } from '../jobs/loop.ts';
import { countDeadLetters, countOpenJobs, limitStatements } from '../jobs/open-jobs-queries.ts';
import type { Metrics } from './metrics.ts';

const EVERY_MS = 15_000;
/** For each statement of a reading. */
const STATEMENT_MS = 2_000;
/** What is older is not told: an old number looks like a new one. */
const STALE_MS = 120_000;

interface GatherOptions {
  /** Those of svc_worker. */
  frames: Frames;
  /** Undefined where documents are in a bucket. */
  dataDir: string | undefined;
  /** Whether payouts are frozen. */
  isFrozen(): Promise<boolean>;
  logger: Logger;
}

/** Reads the queues, and what is left of the disk, until it is stopped. */
export function startGathering(metrics: Metrics, { frames, dataDir, isFrozen, logger }: GatherOptions): Loop {
  const { instruments } = metrics;
  let readAt = performance.now();

  metrics.readAtScrape('the age of what was gathered', () => {
    if (performance.now() - readAt <= STALE_MS) return;
    forgetJobs();
    instruments.forget('svc_payouts_frozen');
  });

  function forgetJobs(): void {
    instruments.forget('svc_jobs');
    instruments.forget('svc_jobs_oldest_age_seconds');
    instruments.forget('svc_dead_letters');
  }

  let asking = false;
  /** A disk that cannot be asked hides no queues, and one that hangs is not asked again meanwhile. */
  async function readDisk(): Promise<void> {
    if (dataDir === undefined || asking) return;
    asking = true;
    try {
      const { bavail, blocks, bsize } = await statfs(dataDir);
      instruments.set('svc_data_dir_free_bytes', {}, bavail * bsize);
      instruments.set('svc_data_dir_size_bytes', {}, blocks * bsize);
    } catch {
      instruments.forget('svc_data_dir_free_bytes');
      instruments.forget('svc_data_dir_size_bytes');
    } finally {
      asking = false;
    }
  }

  async function gather(): Promise<void> {
    const { open, dead } = await frames.claim(async (db) => {
      await db.rows(limitStatements({ milliseconds: String(STATEMENT_MS) }));
      return { open: await db.rows(countOpenJobs({ deadLetters: DEAD_LETTERS })), dead: await db.rows(countDeadLetters()) };
    });
    forgetJobs();
    for (const { queue, state, jobs, ageSeconds } of open) {
      instruments.set('svc_jobs', { queue, state }, jobs);
      if (ageSeconds !== null) instruments.set('svc_jobs_oldest_age_seconds', { queue, state }, ageSeconds);
    }
    for (const { queue, letters } of dead) instruments.set('svc_dead_letters', { queue }, letters);
    instruments.set('svc_payouts_frozen', {}, (await isFrozen()) ? 1 : 0);
    instruments.set('svc_gather_last_success_timestamp_seconds', {}, Date.now() / 1000);
    readAt = performance.now();
  }

  return startLoop({
    name: 'metrics',
    logger,
    pauseMs: EVERY_MS,
    async step() {
      try {
        void readDisk();
        await gather();
      } catch (error) {
        instruments.count('svc_gather_failures_total', {});
        throw error;
      }
      return false;
    },
  });
}
