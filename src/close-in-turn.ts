/** Closes one thing after another, and waits for none of them for ever. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Closer {
  /** For the log, as in "… did not end in time". */
  name: string;
  /** Resolves to false when something of it had to be cut. `onStep` may be told what of it is being closed. */
  close(onStep: (name: string) => void): Promise<unknown>;
}

export interface Closed {
  /** What had not ended in time: it is left as it is. */
  unended: string[];
  failed: { name: string; error: unknown }[];
}

/**
 * Resolves within `withinMs`, and `lastMs` for each that comes behind that limit. Never rejects: what cannot be closed
 * is told of, and the next one is closed.
 */
export async function closeInTurn(
  closers: readonly Closer[],
  { withinMs, lastMs }: { withinMs: number; lastMs: number },
): Promise<Closed> {
  const limit = performance.now() + withinMs;
  const closed: Closed = { unended: [], failed: [] };
  for (const { name, close } of closers) {
    let step = name;
    const patience = new AbortController();
    const late = sleep(Math.max(limit - performance.now(), lastMs), false, { signal: patience.signal }).catch(() => false);
    const done = (async () =>
      close((next) => {
        step = next;
      }))();
    done.catch(() => undefined); // also where nobody waits for it any more
    try {
      if ((await Promise.race([done, late])) === false) closed.unended.push(step);
    } catch (error) {
      closed.failed.push({ name: step, error });
    } finally {
      patience.abort();
    }
  }
  return closed;
}
