/** A step that is repeated until it is told to stop, whatever happens in it. */
import type { Logger } from 'pino';

const LONGEST_PAUSE_MS = 10_000;
const LOG_EVERY_MS = 60_000;

export interface Loop {
  /** Ends the pause the loop may be in. */
  wake(): void;
  /** Resolves when the step that is running has ended; no other follows. */
  stop(): Promise<void>;
}

/**
 * `step` resolves to true when it should be repeated at once, else `pauseMs` pass. An error is logged,
 * at most once a minute, and doubles the pause up to ten seconds: the database may be away.
 */
export function startLoop(options: {
  name: string;
  logger: Logger;
  pauseMs: number;
  step: (isStopping: () => boolean) => Promise<boolean>;
}): Loop {
  let stopping = false;
  let wake = (): void => undefined;
  let loggedAt = Number.NEGATIVE_INFINITY;

  const isStopping = (): boolean => stopping;

  async function run(): Promise<void> {
    let pauseMs = options.pauseMs;
    while (!isStopping()) {
      let again = false;
      try {
        again = await options.step(isStopping);
        pauseMs = options.pauseMs;
      } catch (error) {
        if (performance.now() - loggedAt >= LOG_EVERY_MS) {
          options.logger.error({ err: error }, `the loop of ${options.name} failed; it goes on`);
          loggedAt = performance.now();
        }
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      }
      if (!again && !isStopping()) await pause(pauseMs);
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  const ended = run();
  return {
    wake: () => wake(),
    stop() {
      stopping = true;
      wake();
      return ended;
    },
  };
}
