/**
 * /healthz: the process can go on, or recover by itself. /readyz: it may be given requests.
 * Source: docs/specification/reliability.md#health.
 */
import type { Router } from 'express';
import { ping } from '../db/cross-tenant-lookups.ts';
import type { Frames } from '../db/frame.ts';
import { AppError } from '../errors.ts';

/** A balancer is told within two seconds, whatever the database does. */
const READY_WITHIN_MS = 1_500;

export interface Health {
  /** Called at the start of a shutdown: /readyz answers 503 from then on. */
  drain(): void;
  /** /healthz answers 503 while `check` returns a reason why only a restart can help. */
  failsWhen(check: () => string | undefined): void;
  mount(router: Router): void;
}

export function createHealth(frames: Frames): Health {
  let draining = false;
  const checks: (() => string | undefined)[] = [() => describeStuck(frames)];
  let asking: Promise<unknown> | undefined;

  /** All that ask at once share one question, so that none are left waiting behind an answer that was given up. */
  function ask(): Promise<unknown> {
    asking ??= frames.unscoped(ping()).finally(() => {
      asking = undefined;
    });
    return asking;
  }

  async function answersInTime(): Promise<void> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new AppError('SERVICE_UNAVAILABLE', 'The database does not answer', { retryAfterSeconds: 1 })),
      READY_WITHIN_MS,
    );
    try {
      await Promise.race([ask(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    drain() {
      draining = true;
    },
    failsWhen(check) {
      checks.push(check);
    },
    mount(router) {
      router.get('/healthz', (_req, res) => {
        for (const check of checks) {
          const reason = check();
          if (reason !== undefined) throw new AppError('SERVICE_UNAVAILABLE', reason, { retryAfterSeconds: 5 });
        }
        res.json({ status: 'ok' });
      });
      router.get('/readyz', async (_req, res) => {
        if (draining) throw new AppError('SERVICE_UNAVAILABLE', 'The service is shutting down', { retryAfterSeconds: 5 });
        await answersInTime();
        res.json({ status: 'ready' });
      });
    },
  };
}

/** Why only a restart can help these connections, if so. */
export function describeStuck(frames: Frames): string | undefined {
  const { stuckMs } = frames.stats();
  if (stuckMs === 0) return undefined;
  return `No database connection has come back for ${Math.round(stuckMs / 1000)} seconds, though new ones can be made`;
}
