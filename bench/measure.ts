/** Alternating rounds of two contenders, and what is said of them. */

/** One round of one contender. Times are milliseconds from sending to the whole answer. */
export interface Round {
  perSecond: number;
  p50: number;
  p99: number;
}

export interface Contender {
  run(seconds: number): Promise<Round>;
  /** Instead of a run ahead of the rounds, where a run takes as long as it takes. */
  warmUp?(): Promise<void>;
}

export interface Target {
  /** Least ratio of ours to the floor, in things done per second; without one the ratio is only told. */
  ratio?: number;
  /** Least number of ours per second, where one is set. */
  perSecond?: number;
  /** Greatest ratio of our p99 to the floor's, where one is set. */
  p99?: number;
  /** Greatest p99 of ours in milliseconds, where one is set. */
  p99Ms?: number;
}

/** Another program that does the same: it takes its turns among the two, and ours to it is a row of its own. */
export interface Peer {
  name: string;
  contender: Contender;
  target: Target;
}

export interface Case {
  name: string;
  /** What is counted: "requests", "events". */
  unit: string;
  ours: Contender;
  floor: Contender;
  target: Target;
  peers?: readonly Peer[];
  /** Where it needs other rounds than the rest; a quick run takes none of it. */
  plan?: Partial<Plan>;
  /** Looks at what the rounds left in the database; throws when either side did other work than it should. */
  check?(): Promise<void>;
  /** Lets go of what it has opened. */
  close?(): Promise<void>;
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

/** Warms all up, then runs them by turns; every other round in reverse, so that drift favours none. A row for the floor and each peer. */
export async function measure(bench: Case, plan: Plan, say: (line: string) => void): Promise<Measured[]> {
  const { name, unit, target, floor, peers = [] } = bench;
  const others = [{ name, contender: floor, target }, ...peers];
  const contenders = [floor, bench.ours, ...peers.map(({ contender }) => contender)];
  const rows = others.map((other) => ({ name: other.name, unit, target: other.target, rounds: [] as Measured['rounds'] }));
  try {
    for (const contender of contenders) {
      if (contender.warmUp) await contender.warmUp();
      else await contender.run(plan.warmUpSeconds);
    }
    for (let index = 0; index < plan.rounds; index++) {
      const round = new Map<Contender, Round>();
      for (const contender of index % 2 === 0 ? contenders : contenders.toReversed())
        round.set(contender, await contender.run(plan.seconds));
      const ours = roundOf(round, bench.ours);
      for (const [at, { contender }] of others.entries()) {
        const row = rows[at];
        const against = roundOf(round, contender);
        row?.rounds.push({ ours, floor: against });
        const ratio = (ours.perSecond / against.perSecond).toFixed(2);
        say(
          `${row?.name} ${index + 1}/${plan.rounds}: ours ${describeRound(ours)}, floor ${describeRound(against)}, ratio ${ratio}`,
        );
      }
    }
    await bench.check?.();
  } finally {
    await bench.close?.();
  }
  return rows;
}

function roundOf(round: ReadonlyMap<Contender, Round>, contender: Contender): Round {
  const found = round.get(contender);
  if (!found) throw new Error('a contender did not run');
  return found;
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
  const oursP99 = median(rounds.map(({ ours }) => ours.p99));
  return {
    oursPerSecond,
    floorPerSecond: median(rounds.map(({ floor }) => floor.perSecond)),
    ratio,
    ratioLeast: Math.min(...ratios),
    ratioMost: Math.max(...ratios),
    oursP99,
    floorP99: median(rounds.map(({ floor }) => floor.p99)),
    p99Ratio,
    met:
      ratio >= (target.ratio ?? 0) &&
      oursPerSecond >= (target.perSecond ?? 0) &&
      p99Ratio <= (target.p99 ?? Number.POSITIVE_INFINITY) &&
      oursP99 <= (target.p99Ms ?? Number.POSITIVE_INFINITY),
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
