/** Cases of answer times: contenders that take turns, and figures made of their times round by round. */
import { median, quantile } from './measure.ts';

/** Of one contender in one round: milliseconds from sending to the whole answer. */
export interface Times {
  p50: number;
  p95: number;
  p99: number;
  most: number;
}

export interface Timed {
  run(seconds: number): Promise<Times>;
}

/** One number a round. */
export interface Figure<Name extends string = string> {
  name: string;
  unit: '×' | 'ms' | 'kB' | 'MB' | 'MB/h' | 'bytes';
  /** The greatest that meets the target; a figure without one is only told. */
  limit?: number;
  of(round: Record<Name, Times>): number;
}

export interface TimedCase<Name extends string = string> {
  name: string;
  timed: Record<Name, Timed>;
  figures: readonly Figure<Name>[];
  /** Of its own, where it needs other rounds than the rest. */
  plan?: TimedPlan;
  /** Looks at the answers themselves; throws when they are not what was to be measured. */
  check?(): Promise<void>;
  /** Lets go of what it has opened. */
  close?(): Promise<void>;
}

export interface MeasuredTimes {
  name: string;
  figures: readonly Figure[];
  rounds: Record<string, Times>[];
}

export interface TimedPlan {
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
}

/** Warms all up, then runs them by turns; every other round in reverse, so that drift favours none. */
export async function measureTimes(bench: TimedCase, usual: TimedPlan, say: (line: string) => void): Promise<MeasuredTimes> {
  const plan = bench.plan ?? usual;
  const contenders = Object.entries(bench.timed);
  const rounds: MeasuredTimes['rounds'] = [];
  try {
    for (const [, timed] of contenders) await timed.run(plan.warmUpSeconds);
    await bench.check?.();
    for (let index = 0; index < plan.rounds; index++) {
      const round: Record<string, Times> = {};
      for (const [name, timed] of index % 2 === 0 ? contenders : contenders.toReversed())
        round[name] = await timed.run(plan.seconds);
      rounds.push(round);
      const told = contenders.map(([name]) => `${name} ${(round[name]?.p50 ?? Number.NaN).toFixed(2)} ms`);
      say(`${bench.name} ${index + 1}/${plan.rounds}: ${told.join(', ')}`);
    }
  } finally {
    await bench.close?.();
  }
  return { name: bench.name, figures: bench.figures, rounds };
}

/** The times of what was done again and again until the seconds are over; once at least. */
export function oneAfterAnother(once: (index: number) => Promise<void>): Timed {
  return {
    async run(seconds) {
      const times: number[] = [];
      const end = performance.now() + seconds * 1000;
      for (let begun = performance.now(); times.length === 0 || begun < end; begun = performance.now()) {
        await once(times.length);
        times.push(performance.now() - begun);
      }
      return timesOf(times);
    },
  };
}

export function timesOf(times: readonly number[]): Times {
  const sample = Float64Array.from(times);
  return { p50: quantile(sample, 0.5), p95: quantile(sample, 0.95), p99: quantile(sample, 0.99), most: quantile(sample, 1) };
}

export interface FigureSummary {
  name: string;
  unit: Figure['unit'];
  limit: number | undefined;
  median: number;
  least: number;
  greatest: number;
  met: boolean;
}

/** Medians over the rounds; a figure is taken round by round, before its median. */
export function summariseTimes({ rounds, figures }: MeasuredTimes): {
  p50s: [string, number][];
  figures: FigureSummary[];
  met: boolean;
} {
  const summaries = figures.map(({ name, unit, limit, ...figure }) => {
    const values = rounds.map((round) => figure.of(round));
    const middle = median(values);
    const met = limit === undefined || middle <= limit;
    return { name, unit, limit, median: middle, least: Math.min(...values), greatest: Math.max(...values), met };
  });
  const names = Object.keys(rounds[0] ?? {}).toSorted();
  return {
    p50s: names.map((name) => [name, median(rounds.map((round) => round[name]?.p50 ?? Number.NaN))]),
    figures: summaries,
    met: summaries.every((figure) => figure.met),
  };
}
