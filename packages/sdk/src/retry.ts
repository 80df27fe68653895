/** When a call is sent again, and how long it waits before. */
import { ApiError, type ConnectionError } from './errors.ts';

export interface Call {
  url: string;
  method: string;
  headers: Headers;
  body?: string;
}

/** Longer waits are the caller's to make. */
const LONGEST_MS = 60_000;
const FIRST_MS = 250;

/**
 * In milliseconds; undefined where the call is not sent again. 429 was refused before any effect and is sent again whatever
 * the call is. After a lost connection or a 503, which may be a proxy's, only what has no second effect is.
 */
export function retryDelay(
  failure: ApiError | ConnectionError,
  { attempt, repeatable }: { attempt: number; repeatable: boolean },
): number | undefined {
  const backOff = FIRST_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
  if (!(failure instanceof ApiError)) return repeatable ? backOff : undefined;
  const isRefused = failure.status === 429 || failure.code === 'IDEMPOTENCY_IN_PROGRESS';
  if (!isRefused && !(failure.status === 503 && repeatable)) return undefined;
  if (failure.retryAfter === undefined) return backOff;
  const asked = failure.retryAfter * 1000;
  // A little later than asked for, so that all who wait do not come at once.
  return asked > LONGEST_MS ? undefined : asked + Math.random() * Math.min(1000, FIRST_MS + asked / 10);
}

/** Rejects with the signal's reason once it is aborted. */
export function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
