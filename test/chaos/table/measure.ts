/**
 * One row of the chaos table: a fault under load, and what it did: writes lost and doubled, invariants broken, for how long
 * answers were bad, and how long it took until all was well again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { examineTrial } from '../../support/trial/books.ts';
import type { Attempt } from '../../support/trial/caller.ts';
import type { Load, Shop } from '../../support/trial/shop.ts';
import type { Trial } from '../../support/trial/trial.ts';

/** How far behind sealing may be while all is well: a sweep a second, its work, and a machine that is busy with the load. */
const SEALING_MS = 5_000;
/** Blocks are sealed so often anyway: the first behind a fault is not waited for because of it. */
const USUAL_SEALING_MS = 1_000;
const POLL_MS = 200;
/** All has been well for so long: the fault is over. */
const WELL_MS = 3_000;
const WAIT_MS = 45_000;
const STEADY_MS = 1_500;

export interface Fault {
  name: string;
  /**
   * Brings the fault about and takes it away again. Recovery counts from its end; of a fault that lasts (it is taken
   * away long after, or never) from where it calls `from`. Returns figures worth telling.
   */
  run(ground: Ground): Promise<string | undefined>;
  /** So many acknowledged writes may be lost: of an asynchronous failover the count is told, not judged. */
  mayLose?: boolean;
  /** No answer may be bad. */
  noBadAnswers?: boolean;
  /** Payouts must be frozen behind it, of which the doctor tells by P-6. That is a promise kept, and no broken invariant. */
  mustFreeze?: boolean;
}

export interface Ground {
  trial: Trial;
  /** From here recovery is counted. The last call counts; without one, from the end of `run`. */
  from(): void;
}

export interface Row {
  fault: string;
  acknowledged: number;
  lost: number;
  doubled: number;
  broken: number;
  /** From the first bad answer to the last, and how many. */
  badMs: number;
  bad: number;
  /** Of good answers during the row, in milliseconds. */
  slowestMs: number;
  recoveryMs: number;
  note: string;
  /** What breaks a promise, in words. Empty: the row is good. */
  faults: string[];
}

export const RECOVERY_MS = 10_000;

export async function measure(trial: Trial, load: Load, shops: readonly Shop[], fault: Fault): Promise<Row> {
  const watch = watchSealing(trial);
  trial.caller.take();
  load.resume();
  await sleep(STEADY_MS);
  let from: number | undefined;
  const ground: Ground = { trial, from: () => (from = performance.now()) };
  let failure: string | undefined;
  const told = await fault.run(ground).catch((error: Error) => {
    failure = error.message;
    return undefined;
  });
  if (failure !== undefined) await repair(trial);
  from ??= performance.now();
  const attempts: Attempt[] = [];
  const last = await untilWell(trial, watch, attempts, from);
  let unanswered: string | undefined;
  await load.pause().catch((error: Error) => (unanswered = error.message));
  attempts.push(...trial.caller.take());
  const isWell = last !== undefined && unanswered === undefined;
  const sealedInTime = await untilSealed(trial);
  watch.stop();

  const taken = shops.map((shop) => shop.take());
  const books = await examineTrial(
    trial.cluster,
    trial.adminUrl(),
    taken.flatMap(({ acknowledged }) => acknowledged),
  );
  const isFreeze = (what: string): boolean => fault.mustFreeze === true && what.startsWith('P-6 ');
  const frozen = books.broken.some(isFreeze);
  const broken = books.broken.filter((what) => !isFreeze(what));
  const bad = attempts.filter((attempt) => attempt.fault !== undefined);
  const good = attempts.filter((attempt) => attempt.fault === undefined);
  const recoveryMs = isWell ? Math.max(0, last - from) : Number.POSITIVE_INFINITY;
  const odd = taken.flatMap((one) => one.odd);
  const internal = bad.filter((attempt) => attempt.fault?.startsWith('500'));
  const faults = [
    ...(failure === undefined ? [] : [failure]),
    ...(fault.mayLose ? [] : books.lost.map((what) => `lost: ${what}`)),
    ...books.doubled.map((what) => `doubled: ${what}`),
    ...broken.map((what) => `broken: ${what}`),
    ...(fault.mustFreeze && !frozen ? ['payouts are not frozen'] : []),
    ...(fault.mayLose ? [] : odd.map((what) => `refused: ${what}`)),
    ...internal.map((attempt) => `500: ${attempt.path}`),
    ...(fault.noBadAnswers ? bad.map((attempt) => `bad answer: ${attempt.fault} ${attempt.path}`) : []),
    ...(recoveryMs > RECOVERY_MS ? [`recovery took ${seconds(recoveryMs)}: ${watch.why(trial, from)}`] : []),
    ...(unanswered === undefined ? [] : [unanswered]),
    ...(sealedInTime ? [] : ['journals were left unsealed']),
  ];
  return {
    fault: fault.name,
    acknowledged: books.acknowledged,
    lost: books.lost.length,
    doubled: books.doubled.length,
    broken: broken.length,
    badMs: bad.length === 0 ? 0 : Math.max(...bad.map((one) => one.ended)) - Math.min(...bad.map((one) => one.ended)),
    bad: bad.length,
    slowestMs: Math.max(0, ...good.map((one) => one.ended - one.begun)),
    recoveryMs,
    note: [told, frozen ? 'payouts frozen' : undefined, kindsOf(bad)].filter(Boolean).join('; '),
    faults: [...new Set(faults)].slice(0, 8),
  };
}

/** Behind a fault that did not go as it should: the next row begins with all that there is. */
async function repair({ services, proxy, redis, cluster }: Trial): Promise<void> {
  await cluster.thaw();
  proxy.heal();
  redis.thaw();
  await Promise.all(services.filter((service) => !service.isRunning()).map((service) => service.start()));
}

/** Bad answers by what was bad, the most frequent first. */
function kindsOf(bad: readonly Attempt[]): string {
  const counts = Object.entries(Object.groupBy(bad, ({ fault = '' }) => fault)).map(
    ([kind, all = []]) => [kind, all.length] as const,
  );
  return counts
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([kind, count]) => `${count} × ${kind}`)
    .join(', ');
}

interface SealingWatch {
  /** Of performance.now(): when a journal was first sealed behind that instant; undefined: none was yet. */
  firstSealed(from: number): number | undefined;
  /** Of performance.now(): when the worker was last seen behind, or nobody could tell. */
  lastBehind(): number;
  why(trial: Trial, from: number): string;
  stop(): void;
}

/** The worker's work flows while no journal waits for its seal for long. Asked past the proxy. */
function watchSealing({ cluster }: Trial): SealingWatch {
  let lastBehind = Number.NEGATIVE_INFINITY;
  let lastFault = '';
  let watching = true;
  /** When blocks were sealed, newest last. */
  const sealed: number[] = [];
  void (async () => {
    // oxlint-disable-next-line no-unmodified-loop-condition -- it is set elsewhere
    while (watching) {
      try {
        const { ageMs, sealedAt } = await sealingOf(cluster);
        if (sealedAt !== sealed.at(-1)) sealed.push(sealedAt);
        if (ageMs > SEALING_MS) {
          lastBehind = performance.now();
          lastFault = `a journal waited ${seconds(ageMs)} for its seal`;
        }
      } catch (error) {
        lastBehind = performance.now();
        lastFault = String(error);
      }
      await sleep(POLL_MS);
    }
  })();
  return {
    lastBehind: () => lastBehind,
    firstSealed: (from) => sealed.map((at) => at - performance.timeOrigin).find((at) => at >= from),
    why(trial, from) {
      const unready = trial.caller.readiness().filter((state) => state.lastUnready > from);
      const since = (at: number): string => seconds(Math.max(0, at - from));
      return [
        ...unready.map((state) => `${state.target} not ready until ${since(state.lastUnready)}`),
        `worker behind until ${since(lastBehind)} (${lastFault})`,
      ].join(', ');
    },
    stop() {
      watching = false;
    },
  };
}

/** How long the oldest journal without a seal has waited, and when the last block was sealed. */
async function sealingOf(cluster: Trial['cluster']): Promise<{ ageMs: number; sealedAt: number }> {
  const [row] = await cluster.sql<{ ageMs: number; sealedAt: number }>(
    `select coalesce(extract(epoch from max(clock_timestamp() - j.recorded_at)) * 1000, 0)::float as "ageMs",
            coalesce((select extract(epoch from max(sealed_at)) * 1000 from ledger_block), 0)::float as "sealedAt"
     from ledger_unsealed u join journal_entry j on (j.tenant_id, j.environment, j.id) = (u.tenant_id, u.environment, u.journal_id)`,
  );
  return row ?? { ageMs: 0, sealedAt: 0 };
}

/** The last instant, behind `from`, at which something was not well; undefined when it does not become well. */
async function untilWell(trial: Trial, watch: SealingWatch, attempts: Attempt[], from: number): Promise<number | undefined> {
  for (const until = performance.now() + WAIT_MS; performance.now() < until; await sleep(POLL_MS)) {
    attempts.push(...trial.caller.take());
    const bad = attempts.filter((attempt) => attempt.fault !== undefined).map(({ ended }) => ended);
    const good = attempts.filter((attempt) => attempt.fault === undefined);
    const sealed = watch.firstSealed(from);
    if (sealed === undefined) continue;
    const last = Math.max(
      from,
      sealed - USUAL_SEALING_MS,
      watch.lastBehind(),
      ...bad,
      ...trial.caller.readiness().map(({ lastUnready }) => lastUnready),
    );
    const now = performance.now();
    const answering = trial.apis.every(({ baseUrl }) => good.some((one) => one.target === baseUrl && one.begun > last));
    if (now - last > WELL_MS && answering) return last;
  }
  return undefined;
}

async function untilSealed({ cluster }: Trial): Promise<boolean> {
  for (const until = Date.now() + 15_000; Date.now() < until; await sleep(100)) {
    if ((await sealingOf(cluster)).ageMs === 0) return true;
  }
  return false;
}

export function seconds(ms: number): string {
  return Number.isFinite(ms) ? `${(ms / 1000).toFixed(1)} s` : 'never';
}
