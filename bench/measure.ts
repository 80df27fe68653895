/** Alternating rounds of two contenders, and what is said of them. */

/** One round of one contender. Times are milliseconds from sending to the whole answer. */
export interface Round {
  perSecond: number;
  p50: number;
  p99: number;
}

export interface Contender {
  run(seconds: number): Promise<Round>;
}

export interface Target {
  /** Least ratio of ours to the floor, in things done per second. */
  ratio: number;
  /** Least number of ours per second, where one is set. */
  perSecond?: number;
  /** Greatest ratio of our p99 to the floor's, where one is set. */
  p99?: number;
}

export interface Case {
  name: string;
  /** What is counted: "requests", "events". */
  unit: string;
  ours: Contender;
  floor: Contender;
  target: Target;
  /** Looks at what the rounds left in the database; throws when either side did other work than it should. */
  check?(): Promise<void>;
}

export interface Measured {
  name: string;
  unit: string;
  target: Target;
  rounds: { ours: Round; floor: Round }[];
}

export interface Plan {
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
}

/** Warms both up, then runs them by turns; who goes first changes each round, so that drift favours neither. */
export async function measure(bench: Case, plan: Plan, say: (line: string) => void): Promise<Measured> {
  await bench.floor.run(plan.warmUpSeconds);
  await bench.ours.run(plan.warmUpSeconds);
  const rounds: Measured['rounds'] = [];
  for (let index = 0; index < plan.rounds; index++) {
    let ours: Round;
    let floor: Round;
    if (index % 2 === 0) {
      floor = await bench.floor.run(plan.seconds);
      ours = await bench.ours.run(plan.seconds);
    } else {
      ours = await bench.ours.run(plan.seconds);
      floor = await bench.floor.run(plan.seconds);
    }
    rounds.push({ ours, floor });
    const ratio = (ours.perSecond / floor.perSecond).toFixed(2);
    say(`${bench.name} ${index + 1}/${plan.rounds}: ours ${describeRound(ours)}, floor ${describeRound(floor)}, ratio ${ratio}`);
  }
  await bench.check?.();
  return { name: bench.name, unit: bench.unit, target: bench.target, rounds };
}

function describeRound(round: Round): string {
  return `${Math.round(round.perSecond)}/s p99 ${round.p99.toFixed(1)} ms`;
}

export interface Summary {
  oursPerSecond: number;
  floorPerSecond: number;
  ratio: number;
  ratioLeast: number;
  ratioMost: number;
  oursP99: number;
  floorP99: number;
  p99Ratio: number;
  met: boolean;
}

/** Medians; ratios are taken round by round, before the median. */
export function summarise({ rounds, target }: Measured): Summary {
  const ratios = rounds.map(({ ours, floor }) => ours.perSecond / floor.perSecond);
  const ratio = median(ratios);
  const oursPerSecond = median(rounds.map(({ ours }) => ours.perSecond));
  const p99Ratio = median(rounds.map(({ ours, floor }) => ours.p99 / floor.p99));
  return {
    oursPerSecond,
    floorPerSecond: median(rounds.map(({ floor }) => floor.perSecond)),
    ratio,
    ratioLeast: Math.min(...ratios),
    ratioMost: Math.max(...ratios),
    oursP99: median(rounds.map(({ ours }) => ours.p99)),
    floorP99: median(rounds.map(({ floor }) => floor.p99)),
    p99Ratio,
    met:
      ratio >= target.ratio && oursPerSecond >= (target.perSecond ?? 0) && p99Ratio <= (target.p99 ?? Number.POSITIVE_INFINITY),
  };
}

/** The value at `share` (0..1) of the sorted times, by the nearest rank. */
export function quantile(times: Float64Array, share: number): number {
  const sorted = times.toSorted();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
