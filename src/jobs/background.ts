/** Background work of a process: the queue it enqueues to, and the loops it runs when it is a worker. */
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { createFrames, type Frames } from '../db/frame.ts';
import type { Outbox } from '../db/telling.ts';
import type { BackgroundLoop, OpenLoop } from './background-loop.ts';
import { createBoss, MAINTENANCE_SECONDS } from './boss.ts';
import { createDispatcher } from './dispatch.ts';
import type { JobHandler, Lane } from './job.ts';
import { type Loop, startLoop } from './loop.ts';
import { createSchedule, type Sweep } from './schedule.ts';
import type { SweepStats } from './sweep-stats.ts';
import { createWork } from './work.ts';

/** A killed worker's job is free at once, in a long statement after 500 ms, and found within this time. */
const POLL_MS = 250;
const STALE_LEASES_EVERY_MS = 2_000;
/** Each loop has passed within this time, or the process does not count as alive. */
const LONGEST_PASS_MS = 30_000;
/** A loop that has not passed for so long, while the database answered, stands still: its longest statement takes a minute. */
const STUCK_MS = 120_000;
/** For a leased job to record that it was cut short. */
const LAST_WORDS_MS = 2_000;
/** They wait for the vendor most of the time, and hold no connection meanwhile. One tenant has half of them. */
const PAYOUT_PLACES = 8;

export interface BackgroundStats {
  /** By the names of the sweeps. */
  sweeps: Record<string, SweepStats>;
  /** By the names of the loops: seconds since the last pass; null before the first. */
  secondsSincePass: Record<string, number | null>;
  /** Jobs' places, by lane: those that there are, and those that are taken. */
  places: Record<Lane | 'all', { size: number; inUse: number }>;
}

export interface Background {
  /** What the loops run on, as svc_worker. */
  frames: Frames;
  sweeps: readonly Sweep[];
  handlers: readonly JobHandler[];
  /** Cheap, and of this process alone. */
  stats(): BackgroundStats;
  start(): Promise<void>;
  /** Claims nothing more and lets what is running finish. False when it did not within `timeoutMs`. Safe to repeat. */
  stop(timeoutMs: number): Promise<boolean>;
  /** Why only a restart can help, if so: a loop stands still while the database answers. */
  stuck(): string | undefined;
  close(): Promise<void>;
}

export function createBackground(options: {
  pool: pg.Pool;
  logger: Logger;
  sweeps: readonly Sweep[];
  handlers: readonly JobHandler[];
  loops?: readonly BackgroundLoop[];
  /** Where its frames write what they tell. */
  outbox?: Outbox;
  sweepIntervalMs: number;
  /** Touched while the loops run, for a health check. */
  aliveFile?: string | undefined;
}): Background {
  const { pool, logger, sweeps, handlers } = options;
  const frames = createFrames(pool, options.outbox);
  const boss = createBoss(frames, logger);
  const work = createWork({ boss, frames, logger });
  const size = pool.options.max ?? 4;
  // One connection stays for the sweeps, one for heartbeats and for looking after stale leases.
  const lanes = [openLane(undefined, Math.max(1, size - 2)), openLane('payouts', size > 4 ? PAYOUT_PLACES : PAYOUT_PLACES / 2)];
  const own = (options.loops ?? []).map(openOwn);
  let loops: Loop[] = [];
  let stopped: Promise<boolean> | undefined;
  let startedAt: number | undefined;

  /** What has a lane has loops and places of its own: neither long jobs nor long sweeps of the others delay it. */
  function openLane(lane: Lane | undefined, places: number) {
    const schedule = createSchedule({
      frames,
      logger,
      sweeps: sweeps.filter((sweep) => sweep.lane === lane),
      mostLeft: lane === undefined && size >= 4 ? 1 : 0,
    });
    const dispatcher = createDispatcher({
      frames,
      logger,
      work,
      handlers: handlers.filter((handler) => handler.lane === lane),
      places,
      pollMs: POLL_MS,
      onFree: () => jobs?.wake(),
    });
    let jobs: Loop | undefined;
    const prefix = lane === undefined ? '' : `${lane}: `;
    return {
      lane: lane ?? ('all' as const),
      loops: [`${prefix}jobs`, `${prefix}sweeps`] as const,
      places,
      schedule,
      dispatcher,
      start(): Loop[] {
        jobs = startWatched(`${prefix}jobs`, POLL_MS, dispatcher.step);
        return [jobs, startWatched(`${prefix}sweeps`, options.sweepIntervalMs, schedule.tick)];
      },
    };
  }

  /** A feature's own. */
  function openOwn({ name, pauseMs, open }: BackgroundLoop): OpenLoop & { name: string; start(): Loop } {
    let loop: Loop | undefined;
    const opened = open(frames, () => loop?.wake());
    return { ...opened, name, start: () => (loop = startWatched(name, pauseMs, opened.step)) };
  }

  const names = ['leases', ...lanes.flatMap((lane) => lane.loops), ...own.map(({ name }) => name)];
  const passedAt = new Map(names.map((name) => [name, Number.NEGATIVE_INFINITY]));
  /** A loop whose passes, and questions whether to stop, tell that the process is alive. */
  function startWatched(name: string, pauseMs: number, step: (isStopping: () => boolean) => Promise<boolean>): Loop {
    return startLoop({
      name,
      logger,
      pauseMs,
      async step(isStopping) {
        const passed = (): Map<string, number> => passedAt.set(name, performance.now());
        const again = await step(() => {
          passed();
          return isStopping();
        });
        passed();
        const areAllPassing = Math.min(...passedAt.values()) > performance.now() - LONGEST_PASS_MS;
        if (options.aliveFile !== undefined && areAllPassing) await writeFile(options.aliveFile, '');
        return again;
      },
    });
  }

  async function maintain(): Promise<boolean> {
    await boss.supervise();
    return false;
  }

  async function drain(): Promise<void> {
    await Promise.all(loops.map((loop) => loop.stop()));
    await Promise.all([
      ...lanes.flatMap(({ dispatcher, schedule }) => [dispatcher.idle(), schedule.idle()]),
      ...own.map((one) => one.idle()),
    ]);
  }

  async function stop(timeoutMs: number): Promise<boolean> {
    const drained = drain().then(() => true);
    if (await Promise.race([drained, sleep(timeoutMs, false, { ref: false })])) return true;
    work.abortLeases();
    for (const one of own) one.abort();
    await Promise.race([drained, sleep(LAST_WORDS_MS)]);
    return false;
  }

  return {
    frames,
    sweeps,
    handlers,
    stats: () => ({
      sweeps: Object.assign({}, ...lanes.map(({ schedule }) => schedule.stats())) as Record<string, SweepStats>,
      secondsSincePass: Object.fromEntries(
        [...passedAt].map(([name, at]) => [name, Number.isFinite(at) ? (performance.now() - at) / 1000 : null]),
      ),
      places: Object.fromEntries(
        lanes.map(({ lane, places, dispatcher }) => [lane, { size: places, inUse: dispatcher.running() }]),
      ) as BackgroundStats['places'],
    }),
    async start() {
      await boss.start();
      startedAt = performance.now();
      loops = [
        ...lanes.flatMap((lane) => lane.start()),
        ...own.map((one) => one.start()),
        startWatched('leases', STALE_LEASES_EVERY_MS, work.freeStaleLease),
        startLoop({ name: 'maintenance', logger, pauseMs: MAINTENANCE_SECONDS * 1000, step: maintain }),
      ];
    },
    stop: (timeoutMs) => (stopped ??= stop(timeoutMs)),
    stuck() {
      if (startedAt === undefined || stopped || frames.stats().reachableMs < STUCK_MS) return undefined;
      for (const [name, at] of passedAt) {
        const ms = performance.now() - Math.max(at, startedAt);
        if (ms >= STUCK_MS) return `The background loop of ${name} has not passed for ${Math.round(ms / 1000)} seconds`;
      }
      return undefined;
    },
    async close() {
      await boss.stop({ graceful: false });
      const ended = pool.end();
      if ((await stopped) !== false) await ended; // else it would wait for the transactions that the end of the process rolls back
    },
  };
}
