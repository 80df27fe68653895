/**
 * The resident memory of one API under full load: purchases, reads and new members by 32 clients together. A few minutes tell
 * whether it stays where it is, not what it gains in a day: the slope is told, with how long it was looked at.
 */
import type { TimedCase, TimedPlan } from '../answer-times.ts';
import { anyOf, type DataSet } from '../data-set.ts';
import { httpContender } from '../drive.ts';
import type { Size } from '../rows.ts';
import type { MemorySample, Stage } from '../stage.ts';
import { purchaseBody } from './purchase.ts';

const PLANS: Record<Size, TimedPlan> = {
  quick: { rounds: 1, seconds: 6, warmUpSeconds: 2 },
  full: { rounds: 1, seconds: 60, warmUpSeconds: 10 },
  large: { rounds: 1, seconds: 600, warmUpSeconds: 10 },
};
const SAMPLE_MS = 500;
const CLIENTS = { purchases: 16, reads: 12, members: 4 };
const PATHS = 1_000;

let last = 0;

export async function memoryCase(stage: Stage, data: DataSet, size: Size): Promise<TimedCase<'a purchase at full load'>> {
  const url = await stage.startService();
  const headers = { 'x-tenant-api-key': data.apiKey };
  const load = [
    httpContender({
      url,
      headers,
      clients: CLIENTS.purchases,
      post: { path: '/api/v1/events/purchase', nextBody: () => purchaseBody(data), keyed: true },
    }),
    httpContender({
      url,
      headers,
      clients: CLIENTS.reads,
      requestsOfClient: () =>
        Array.from({ length: PATHS }, () => ({ method: 'GET', path: `/api/v1/users/status?user_id=${anyOf(data.memberIds)}` })),
    }),
    httpContender({
      url,
      headers,
      clients: CLIENTS.members,
      post: {
        path: '/api/v1/users',
        nextBody: () => JSON.stringify({ email: `memory-${++last}@bench.example`, parent_id: data.rootId }),
        keyed: true,
      },
    }),
  ];
  let samples: MemorySample[] = [];
  const plan = PLANS[size];
  return {
    name: 'memory',
    plan,
    timed: {
      'a purchase at full load': {
        async run(seconds) {
          const watched = await stage.watchMemory(url, SAMPLE_MS, () =>
            Promise.all(load.map((contender) => contender.run(seconds))),
          );
          samples = watched.samples;
          const [purchases] = watched.result;
          const { p50 = Number.NaN, p99 = Number.NaN } = purchases ?? {};
          return { p50, p95: p99, p99, most: p99 };
        },
      },
    },
    figures: [
      { name: 'resident, most', unit: 'MB', limit: 220, of: () => Math.max(...samples.map(({ mb }) => mb)) },
      { name: 'at the end', unit: 'MB', of: () => samples.at(-1)?.mb ?? Number.NaN },
      {
        name: `slope of the second half of ${plan.seconds} s`,
        unit: 'MB/h',
        of: () => slopeOf(samples.slice(samples.length >> 1)),
      },
    ],
    close: () => stage.stopService(url),
  };
}

/** Of the line of least squares, an hour. */
function slopeOf(samples: readonly MemorySample[]): number {
  const mean = (of: (sample: MemorySample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [at, mb] = [mean((sample) => sample.at), mean((sample) => sample.mb)];
  const along = samples.reduce((sum, sample) => sum + (sample.at - at) * (sample.mb - mb), 0);
  const across = samples.reduce((sum, sample) => sum + (sample.at - at) ** 2, 0);
  return (along / across) * 3_600_000;
}
