/** What the parts of a process count themselves, as metrics. Each is read at a scrape and asks nobody. */
import type { FrameStats } from '../db/frame.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import type { TenantPlaces } from '../http/tenant-places.ts';
import type { Metrics } from './metrics.ts';

const COUNTERS = ['memory', 'shared', 'not counted'] as const;

interface Counting {
  /** By the name of the pool. */
  pools: Readonly<Record<string, () => FrameStats>>;
  rateLimits: Pick<RateLimits, 'stats'>;
  places: Pick<TenantPlaces, 'stats'>;
}

/** To be called once, by whoever has all of them. */
export function readStats(metrics: Metrics, { pools, rateLimits, places }: Counting): void {
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
}
