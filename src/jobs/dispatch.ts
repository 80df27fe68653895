/**
 * Gives the worker's places to the jobs that are there, fair among tenants and then among a tenant's queues: a tenant
 * with thousands of jobs is no sooner served than one with a single job.
 */
import type { Logger } from 'pino';
import type { Frames } from '../db/frame.ts';
import { createTurns } from './fair-turns.ts';
import type { JobHandler } from './job.ts';
import { listReadyQueues } from './job-queries.ts';
import type { Work } from './work.ts';

/** A place goes back after so many jobs, or so much time, so that one full queue does not keep it from the others. */
const JOBS_A_TURN = 10;
const TURN_MS = 300;

export interface Dispatcher {
  /** Starts what there are places for. True when it should be asked again at once. */
  step(isStopping: () => boolean): Promise<boolean>;
  /** Resolves when nothing is running. */
  idle(): Promise<void>;
  /** Places that are taken. */
  running(): number;
}

interface Ready {
  key: string;
  tenantId: string;
  handler: JobHandler;
}

/** `onFree` is called when a place has come free. */
export function createDispatcher(options: {
  frames: Frames;
  logger: Logger;
  work: Work;
  handlers: readonly JobHandler[];
  places: number;
  pollMs: number;
  onFree: () => void;
}): Dispatcher {
  const { frames, logger, work, handlers, places, pollMs } = options;
  const turns = createTurns();
  /** The turns that are being taken, and whose they are. */
  const running = new Map<Promise<void>, string>();
  /** Tenants' queues whose ready jobs are all in other workers' hands, and when that was seen. */
  const emptySince = new Map<string, number>();
  /** A leased job may take long: one tenant has half the places at most. */
  const placesOfOne = Math.ceil(places / 2);

  /** The last free place is for a tenant that has none, so that whoever comes next finds one. */
  function hasPlace(tenantId: string): boolean {
    const own = [...running.values()].filter((one) => one === tenantId).length;
    return places === 1 || own === 0 ? running.size < places : own < placesOfOne && running.size < places - 1;
  }

  function start(ready: Ready, isStopping: () => boolean): void {
    const turn = takeTurn(ready, isStopping).finally(() => {
      running.delete(turn);
      options.onFree();
    });
    running.set(turn, ready.tenantId);
  }

  async function takeTurn({ key, tenantId, handler }: Ready, isStopping: () => boolean): Promise<void> {
    const until = performance.now() + TURN_MS;
    try {
      for (let jobs = 0; jobs < JOBS_A_TURN && performance.now() < until && !isStopping(); jobs++) {
        if (!(await work.runOne(handler, tenantId))) {
          emptySince.set(key, performance.now());
          break;
        }
      }
      turns.succeeded(key, tenantId);
    } catch (error) {
      if (turns.failed(key, tenantId)) logger.error({ job: handler.name, tenantId, err: error }, 'jobs cannot be taken');
    }
  }

  async function listReady(): Promise<Map<string, Ready>> {
    const ready = new Map<string, Ready>();
    for (const [key, at] of emptySince) if (performance.now() - at >= pollMs) emptySince.delete(key);
    for (const { name, tenantId } of await frames.unscoped(listReadyQueues({ names: handlers.map((one) => one.name) }))) {
      const handler = handlers.find((one) => one.name === name);
      const key = `${tenantId} ${name}`;
      if (handler && !emptySince.has(key)) ready.set(key, { key, tenantId, handler });
    }
    return ready;
  }

  return {
    async step(isStopping) {
      if (handlers.length === 0 || running.size >= places) return false;
      const ready = await listReady();
      let started = false;
      for (const key of turns.order([...ready.keys()], (one) => ready.get(one)?.tenantId ?? '')) {
        const one = ready.get(key);
        if (!one || isStopping() || !hasPlace(one.tenantId)) continue;
        start(one, isStopping);
        started = true;
      }
      return started;
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.keys());
    },
    running: () => running.size,
  };
}
