/** /healthz: the process runs. /readyz: it may be given requests. */
import type { Router } from 'express';
import { ping } from '../db/cross-tenant-lookups.ts';
import type { Frames } from '../db/frame.ts';
import { AppError } from '../errors.ts';

export interface Health {
  /** Called at the start of a shutdown: /readyz answers 503 from then on. */
  drain(): void;
  mount(router: Router): void;
}

export function createHealth(frames: Frames): Health {
  let draining = false;
  return {
    drain() {
      draining = true;
    },
    mount(router) {
      router.get('/healthz', (_req, res) => {
        res.json({ status: 'ok' });
      });
      router.get('/readyz', async (_req, res) => {
        if (draining) throw new AppError('SERVICE_UNAVAILABLE', 'The service is shutting down', { retryAfterSeconds: 5 });
        await frames.unscoped(ping());
        res.json({ status: 'ready' });
      });
    },
  };
}
