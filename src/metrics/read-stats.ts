/** What the parts of a process count themselves, as metrics. Each is read at a scrape and asks nobody. */
import type { FrameStats } from '../db/frame-stats.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import type { TenantPlaces } from '../http/tenant-places.ts';
import type { Background, BackgroundStats } from '../jobs/background.ts';
import type { Instruments } from './instruments.ts';
import type { Metrics } from './metrics.ts';

const COUNTERS = ['memory', 'shared', 'not counted'] as const;

interface Counting {
  background: Pick<Background, 'stats'>;
  /** By the name of the pool. */
  pools: Readonly<Record<string, () => FrameStats>>;
  rateLimits: Pick<RateLimits, 'stats'>;
  places: Pick<TenantPlaces, 'stats'>;
}

/** To be called once, by whoever has all of them. */
export function readStats(metrics: Metrics, { pools, rateLimits, places, background }: Counting): void {
  for (const [pool, stats] of Object.entries(pools)) {
    metrics.readAtScrape(`the pool ${pool}`, ({ set, total }) => {
      const { size, inUse, waiting, refused, retried, destroyed, reachable } = stats();
      set('svc_db_connections', { pool }, size);
      set('svc_db_connections_in_use', { pool }, inUse);
      set('svc_db_waiting', { pool }, waiting);
      set('svc_db_reachable', { pool }, reachable ? 1 : 0);
      total('svc_db_refused_total', { pool }, refused);
      total('svc_db_retried_total', { pool }, retried);
      total('svc_db_connections_destroyed_total', { pool }, destroyed);
    });
  }
  metrics.readAtScrape('the rate limits', ({ set, total }) => {
    const { state, uncounted } = rateLimits.stats();
    for (const one of COUNTERS) set('svc_rate_limit_counters', { state: one }, one === state ? 1 : 0);
    total('svc_rate_limit_uncounted_total', {}, uncounted);
  });
  metrics.readAtScrape("the tenants' places", ({ set, total }) => {
    const { running, waiting, refused } = places.stats();
    set('svc_tenant_gate_running', {}, running);
    set('svc_tenant_gate_waiting', {}, waiting);
    total('svc_tenant_gate_refused_total', {}, refused);
  });
  metrics.readAtScrape('the background work', (instruments) => setBackground(instruments, background.stats()));
}

function setBackground({ set, total }: Instruments, { sweeps, secondsSincePass, places }: BackgroundStats): void {
  const passed = Object.entries(secondsSincePass).flatMap(([loop, seconds]) => (seconds === null ? [] : [{ loop, seconds }]));
  if (passed.length === 0) return; // a process that does none
  for (const { loop, seconds } of passed) set('svc_loop_last_pass_age_seconds', { loop }, seconds);
  for (const [lane, { size, inUse }] of Object.entries(places)) {
    set('svc_job_places', { lane }, size);
    set('svc_job_places_in_use', { lane }, inUse);
  }
  for (const [sweep, stats] of Object.entries(sweeps)) {
    set('svc_sweep_due_scopes', { sweep }, stats.dueScopes);
    set('svc_sweep_oldest_due_seconds', { sweep }, stats.oldestDueSeconds);
    set('svc_sweep_last_batch_seconds', { sweep }, stats.lastMs / 1000);
    set('svc_sweep_longest_batch_seconds', { sweep }, stats.longestMs / 1000);
    total('svc_sweep_batches_total', { sweep }, stats.batches);
    total('svc_sweep_rows_total', { sweep }, stats.rows);
    total('svc_sweep_failures_total', { sweep }, stats.failures);
  }
}
