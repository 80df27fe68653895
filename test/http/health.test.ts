/** What /healthz and /readyz say, and how soon (docs/specification/reliability.md#health). */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Frames } from '../../src/db/frame.ts';
import type { FrameStats } from '../../src/db/frame-stats.ts';
import type { AppError } from '../../src/errors.ts';
import { createHealth, type Health } from '../../src/http/health.ts';

const calm: FrameStats = {
  size: 10,
  inUse: 0,
  waiting: 0,
  refused: 0,
  retried: 0,
  destroyed: 0,
  reachable: true,
  reachableMs: 1_000,
  stuckMs: 0,
};

let health: Health;
let stats: FrameStats;
let pings: PromiseWithResolvers<unknown[]>[];
let app: Express;
let baseUrl: string;
let close: () => void;

beforeAll(async () => {
  const outer = express();
  outer.use((req, res, next) => app(req, res, next));
  const server = outer.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => server.close();
});
afterAll(() => close());
beforeEach(() => {
  stats = { ...calm };
  pings = [];
  const frames = {
    stats: () => stats,
    unscoped() {
      const ping = Promise.withResolvers<unknown[]>();
      pings.push(ping);
      return ping.promise;
    },
  } as unknown as Frames;
  health = createHealth(frames);
  app = express();
  health.mount(app);
  const answer: ErrorRequestHandler = (error: AppError, _req, res, _next) =>
    void res.status(error.status).json({ error: error.message });
  app.use(answer);
});

async function ask(path: string): Promise<{ status: number; text: string; ms: number }> {
  const started = performance.now();
  const answer = await fetch(baseUrl + path);
  return { status: answer.status, text: await answer.text(), ms: performance.now() - started };
}

test('ready when the database answers, not when it refuses', async () => {
  const first = ask('/readyz');
  await expect.poll(() => pings.length).toBe(1);
  pings[0]?.resolve([]);
  expect((await first).status).toBe(200);
  const second = ask('/readyz');
  await expect.poll(() => pings.length).toBe(2);
  pings[1]?.reject(Object.assign(new Error('refused'), { status: 503 }));
  expect((await second).status).toBe(503);
});

test('not ready within two seconds while the database does not answer, with one question for all', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask('/readyz')));
  for (const { status, ms } of answers) {
    expect(status).toBe(503);
    expect(ms).toBeLessThan(2_000);
  }
  expect(pings).toHaveLength(1);
  pings[0]?.resolve([]);
  const next = ask('/readyz');
  await expect.poll(() => pings.length).toBe(2);
  pings[1]?.resolve([]);
  expect((await next).status).toBe(200);
});

test('alive while the database is away, for it may come back', async () => {
  stats.reachable = false;
  expect((await ask('/healthz')).status).toBe(200);
});

test('not alive when no connection comes back though new ones can be made', async () => {
  stats.stuckMs = 95_000;
  expect(await ask('/healthz')).toMatchObject({ status: 503, text: expect.stringContaining('95 seconds') });
  stats.stuckMs = 0;
  expect((await ask('/healthz')).status).toBe(200);
});

test('not alive for any reason that a part of the process gives', async () => {
  let reason: string | undefined;
  health.failsWhen(() => reason);
  expect((await ask('/healthz')).status).toBe(200);
  reason = 'The background loop of jobs has not passed for 130 seconds';
  expect(await ask('/healthz')).toMatchObject({ status: 503, text: expect.stringContaining('loop of jobs') });
});

test('a process that is told to end is alive and not ready', async () => {
  health.drain();
  expect((await ask('/readyz')).status).toBe(503);
  expect((await ask('/healthz')).status).toBe(200);
});
