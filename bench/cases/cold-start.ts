/**
 * From spawning the service on a migrated database until /readyz is answered, against an Express that answers one path. Both
 * find what Node has made of their sources, which the first start, ahead of the rounds, has kept.
 */
import path from 'node:path';
import { type Timed, type TimedCase, type TimedPlan, timesOf } from '../answer-times.ts';
import type { Stage } from '../stage.ts';

/** One start a round. */
const PLAN: TimedPlan = { rounds: 7, seconds: 0, warmUpSeconds: 0 };
const QUICK_PLAN: TimedPlan = { ...PLAN, rounds: 1 };
const BARE = path.join(import.meta.dirname, '../cold-server.ts');

export async function coldStartCase(stage: Stage, quick: boolean): Promise<TimedCase<'ours' | 'bare Express'>> {
  const own = await stage.openDatabase('svc_bench_cold');
  const startOf = (main?: string): Timed => ({
    async run() {
      const begun = performance.now();
      const url = await own.startService(main === undefined ? {} : { main });
      const ms = performance.now() - begun;
      const ready = await fetch(`${url}/readyz`);
      await own.stopService(url);
      if (ready.status !== 200) throw new Error(`cold-start: ${ready.status} ${await ready.text()}`);
      return timesOf([ms]);
    },
  });
  return {
    name: 'cold start',
    plan: quick ? QUICK_PLAN : PLAN,
    timed: { ours: startOf(), 'bare Express': startOf(BARE) },
    figures: [
      { name: 'over a bare Express', unit: 'ms', limit: 1_500, of: (round) => round.ours.p50 - round['bare Express'].p50 },
    ],
  };
}
