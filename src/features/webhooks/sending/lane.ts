/** Sends to one endpoint: few at once, and few a second while it fails, so that many that wait for a dead one cost little. */

const AT_ONCE = 4;
/** Between the beginnings of two, while the last one failed. */
const FAILING_EVERY_MS = 50;

export interface Lane {
  /** Begins as many as may be. */
  pump(): void;
  running(): number;
}

/** `next` gives what is to be sent, if there is something. `send` tells whether it arrived, and never rejects. */
export function createLane<T>(options: {
  isFailing: boolean;
  next: () => T | undefined;
  send: (one: T) => Promise<boolean>;
}): Lane & { isFailing(): boolean } {
  let running = 0;
  let { isFailing } = options;
  let begunAt = Number.NEGATIVE_INFINITY;
  let isPaused = false;

  async function begin(one: T): Promise<void> {
    running += 1;
    begunAt = performance.now();
    isFailing = !(await options.send(one));
    running -= 1;
    pump();
  }

  function goOn(): void {
    isPaused = false;
    pump();
  }

  function pump(): void {
    while (running < AT_ONCE) {
      const restMs = isFailing ? begunAt + FAILING_EVERY_MS - performance.now() : 0;
      if (restMs > 0) {
        if (!isPaused) setTimeout(goOn, restMs);
        isPaused = true;
        return;
      }
      const one = options.next();
      if (one === undefined) return;
      void begin(one);
    }
  }

  return { pump, running: () => running, isFailing: () => isFailing };
}
