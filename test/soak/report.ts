/** What the samples of a soak come to: a trend for each figure, and which of them grow that must not. */
import { configSchema } from '../../src/config.ts';
import type { ProcessSample } from './probe.ts';
import { grows, judge, type Trend, trendOf } from './trend.ts';

export interface Sample {
  hours: number;
  processes: Record<string, ProcessSample & { fds: number }>;
  database: {
    connections: number;
    locks: number;
    idleInTransaction: number;
    jobsWaiting: number;
    jobBytes: number;
    queueBytes: number;
    databaseBytes: number;
  };
}

/** Part of the time that is warm-up: caches fill, code is compiled, pools open. */
const WARM_UP = 0.2;
/** Of the heap behind a collection, in megabytes an hour. */
const HEAP_LIMIT = 1;
/** Counts jump about by a few: connections that open and close, a sweep that runs. */
const SLACK = 4;
/** Pools grow and shrink with the load; a process has no more connections than its pools, and one that asks about mute ones. */
const { DATABASE_POOL_SIZE, WORKER_POOL_SIZE } = configSchema.shape;
const API_POOL = DATABASE_POOL_SIZE.parse(undefined);
const CONNECTIONS = { api: API_POOL + 1, worker: API_POOL + WORKER_POOL_SIZE.parse(undefined) + 1 };

/** Less than this, behind the warm-up, is too short to tell growth from what is still warming up. */
const JUDGED_HOURS = 8 / 60;

interface Line {
  what: string;
  unit: string;
  trend: Trend;
  verdict: string;
}

export interface Report {
  lines: Line[];
  failures: string[];
  figures: string[];
}

export function weigh(all: readonly Sample[]): Report {
  const end = all.at(-1)?.hours ?? 0;
  const samples = all.filter(({ hours }) => hours >= end * WARM_UP);
  const isJudged = end * (1 - WARM_UP) >= JUDGED_HOURS * 0.99;
  const report: Report = { lines: [], failures: [], figures: [] };
  const line = (what: string, unit: string, of: (sample: Sample) => number): { trend: Trend; values: number[] } => {
    const trend = trendOf(samples.map((sample) => [sample.hours, of(sample)] as const));
    report.lines.push({ what, unit, trend, verdict: 'told only' });
    return { trend, values: samples.map(of) };
  };
  const heap = (what: string, of: (sample: Sample) => number): Trend => {
    const { trend } = line(what, 'MB', (sample) => of(sample) / 2 ** 20);
    const verdict = isJudged ? judge(trend, HEAP_LIMIT) : 'too short to judge';
    if (verdict === 'rises') report.failures.push(`${what} rises by ${told(trend.slope)} ± ${told(trend.error)} MB an hour`);
    conclude(verdict);
    return trend;
  };
  const count = (what: string, of: (sample: Sample) => number): void => {
    const { trend, values } = line(what, '', of);
    const isGrowing = isJudged && grows(values, SLACK);
    if (isGrowing) report.failures.push(`${what} grew from ${told(trend.first)} to ${told(trend.last)}`);
    conclude(isGrowing ? 'grows' : isJudged ? 'does not grow' : 'too short to judge');
  };
  const atMost = (what: string, of: (sample: Sample) => number, most: number): void => {
    const highest = Math.max(...line(what, '', of).values);
    if (highest > most) report.failures.push(`${what}: ${highest}, which are more than ${most}`);
    conclude(highest > most ? `more than ${most}` : `at most ${most}`);
  };
  const conclude = (verdict: string): void => {
    const last = report.lines.at(-1);
    if (last) last.verdict = verdict;
  };

  for (const name of Object.keys(all[0]?.processes ?? {})) {
    const of =
      (read: (process: Sample['processes'][string]) => number) =>
      ({ processes }: Sample): number => {
        const process = processes[name];
        return process ? read(process) : Number.NaN;
      };
    const trend = heap(
      `${name}: heap behind a collection, without code`,
      of(({ data }) => data),
    );
    line(
      `${name}: compiled code`,
      'MB',
      of(({ code }) => code / 2 ** 20),
    );
    report.figures.push(`${name}_heap_mb_h=${told(trend.slope)}±${told(trend.error)}`);
    line(
      `${name}: outside the heap`,
      'MB',
      of(({ external }) => external / 2 ** 20),
    );
    line(
      `${name}: resident`,
      'MB',
      of(({ rss }) => rss / 2 ** 20),
    );
    count(
      `${name}: file descriptors`,
      of(({ fds, clients }) => fds - clients),
    );
    count(
      `${name}: timers`,
      of(({ resources }) => resources['Timeout'] ?? 0),
    );
    count(
      `${name}: other resources`,
      of(
        ({ resources, clients }) =>
          Object.entries(resources).reduce((sum, [kind, all]) => (kind === 'Timeout' ? sum : sum + all), 0) - clients,
      ),
    );
    atMost(
      `${name}: connections to the database`,
      of(({ clients }) => clients),
      name === 'worker' ? CONNECTIONS.worker : CONNECTIONS.api,
    );
    line(
      `${name}: prepared statements`,
      '',
      of(({ prepared }) => prepared),
    );
  }
  atMost('database: connections', ({ database }) => database.connections, 2 * CONNECTIONS.api + CONNECTIONS.worker);
  count('database: locks, advisory or held for 5 s', ({ database }) => database.locks);
  count('database: idle in a transaction for 5 s', ({ database }) => database.idleInTransaction);
  count('database: jobs waiting', ({ database }) => database.jobsWaiting);
  line('database: tables of the queues', 'MB', ({ database }) => database.queueBytes / 2 ** 20);
  line('database: tables of pg-boss', 'MB', ({ database }) => database.jobBytes / 2 ** 20);
  line('database: all of it', 'MB', ({ database }) => database.databaseBytes / 2 ** 20);
  report.figures.push(`samples=${samples.length}`);
  return report;
}

const told = (value: number): string => (Number.isFinite(value) ? value.toFixed(2) : '?');

export function draw({ lines }: Report): string {
  const rows = lines.map(({ what, unit, trend, verdict }) => [
    what,
    `${told(trend.first)} ${unit}`.trim(),
    `${told(trend.last)} ${unit}`.trim(),
    `${told(trend.slope)} ± ${told(trend.error)}`,
    verdict,
  ]);
  const head = ['what', 'after warm-up', 'at the end', 'an hour (± standard error)', 'verdict'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
