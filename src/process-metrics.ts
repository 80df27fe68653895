/** What a process does to be seen: the port of its metrics, and what it reads and examines for them in the background. */
import type { Composition } from './compose.ts';
import type { LocalDatabase } from './db/local-database.ts';
import { house, payouts } from './features.ts';
import { auditsOf } from './house/house.ts';
import { startExamining } from './metrics/examine-regularly.ts';
import { startGathering } from './metrics/gather.ts';
import { startMetricsServer } from './metrics/metrics-server.ts';

interface Parts {
  composition: Composition;
  local: LocalDatabase | undefined;
  /** Calls `close` when the process ends, before what was opened earlier is closed. */
  onEnd(close: () => Promise<unknown>, name: string): void;
}

/** Before anything else and until the end: to be read while the process starts and drains. */
export async function serveMetrics({ metrics, config, logger }: Composition, onEnd: Parts['onEnd']): Promise<void> {
  if (!metrics || config.METRICS_PORT === undefined) return;
  const server = await startMetricsServer({ port: config.METRICS_PORT, host: config.METRICS_HOST, metrics, logger });
  onEnd(() => server.close(), 'the port of the metrics');
}

/** What only a process of background jobs tells: the queues, and the invariants where it may examine them. */
export function watchBooks({ composition: { metrics, background, config, logger, offer }, local, onEnd }: Parts): void {
  if (metrics) {
    const gathering = startGathering(metrics, {
      frames: background.frames,
      dataDir: config.OBJECT_STORAGE === 'disk' ? config.DATA_DIR : undefined,
      isFrozen: async () => (await offer(payouts).freeze.read()) !== undefined,
      logger,
    });
    onEnd(() => gathering.stop(), 'reading the queues');
  }
  const { DOCTOR_INTERVAL_MINUTES, DATABASE_ADMIN_URL: adminUrl = local?.adminUrl } = config;
  if (DOCTOR_INTERVAL_MINUTES === undefined || adminUrl === undefined) return;
  const everyMs = DOCTOR_INTERVAL_MINUTES * 60_000;
  const examining = startExamining({ adminUrl, audits: auditsOf(house), everyMs, logger, instruments: metrics?.instruments });
  onEnd(async () => void examining.stop(), 'the doctor'); // an examination may take long and writes nothing: it is not waited for
}
