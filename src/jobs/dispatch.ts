/** Gives the worker's places to the queues that have something to do. */
import type { Logger } from 'pino';
import type { Frames } from '../db/frame.ts';
import { createTurns } from './fair-turns.ts';
import type { JobHandler } from './job.ts';
import { listReadyQueues } from './job-queries.ts';
import type { Work } from './work.ts';

/** A place goes back after so many jobs, so that one full queue does not keep it from the others. */
const JOBS_A_TURN = 10;

export interface Dispatcher {
  /** Starts what there are places for. True when it should be asked again at once. */
  step(isStopping: () => boolean): Promise<boolean>;
  /** Resolves when nothing is running. */
  idle(): Promise<void>;
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
  const running = new Set<Promise<void>>();
  /** Queues whose ready jobs are all in other workers' hands, and when that was seen. */
  const emptySince = new Map<string, number>();

  function start(handler: JobHandler, isStopping: () => boolean): void {
    const turn = takeTurn(handler, isStopping).finally(() => {
      running.delete(turn);
      options.onFree();
    });
    running.add(turn);
  }

  async function takeTurn(handler: JobHandler, isStopping: () => boolean): Promise<void> {
    try {
      for (let jobs = 0; jobs < JOBS_A_TURN && !isStopping(); jobs++) {
        if (!(await work.runOne(handler))) {
          emptySince.set(handler.name, performance.now());
          break;
        }
      }
      turns.succeeded(handler.name);
    } catch (error) {
      if (turns.failed(handler.name)) logger.error({ job: handler.name, err: error }, 'jobs cannot be taken');
    }
  }

  return {
    async step(isStopping) {
      if (handlers.length === 0 || running.size >= places) return false;
      const ready = await frames.unscoped(listReadyQueues({ names: handlers.map(({ name }) => name) }));
      const untried = ready.filter(({ name }) => performance.now() - (emptySince.get(name) ?? -pollMs) >= pollMs);
      let started = false;
      for (const name of turns.order(untried.map(({ name }) => name))) {
        const handler = handlers.find((one) => one.name === name);
        if (!handler || isStopping() || running.size >= places) continue;
        start(handler, isStopping);
        started = true;
      }
      return started;
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
