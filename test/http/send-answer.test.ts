/** Answers in pieces: whole for those who read slowly, ended for those who leave, honest when they break off. */
import { once } from 'node:events';
import { type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../src/errors.ts';
import { errorHandler } from '../../src/http/error-handler.ts';
import { createFeatureRouter, type RouterKit } from '../../src/http/feature-router.ts';
import { createKeyedSteps } from '../../src/http/keyed-steps.ts';
import { type Answer, defineOperation } from '../../src/http/operation.ts';
import { createLogger, requestLog } from '../../src/http/request-log.ts';
import { route } from '../../src/http/route.ts';
import { createOperationRunner } from '../../src/http/run-operation.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createTenantPlaces } from '../../src/http/tenant-places.ts';
import { call } from '../support/app/http-call.ts';

/** About as much as three slices and what the buffers of a connection on this machine hold. */
const LARGE = 40_000;
const item = (n: number) => ({ n, name: `member ${n} – ünïcode`, filler: 'x'.repeat(150) });
const items = (count: number) => Array.from({ length: count }, (_, n) => item(n));

let made = 0;
let returned = false;
beforeEach(() => {
  made = 0;
  returned = false;
});

/** A JSON array in pieces of one item; `failAt` throws in place of that item. */
function* arrayOf(count: number, failAt?: number, error: Error = new Error('a row is broken')): Generator<string> {
  try {
    yield '[';
    for (let n = 0; n < count; n += 1) {
      if (n === failAt) throw error;
      made += 1;
      yield (n === 0 ? '' : ',') + JSON.stringify(item(n));
    }
    yield ']';
  } finally {
    returned = true;
  }
}

const answers: Record<string, () => Answer<unknown[]>> = {
  empty: () => ({ status: 200, pieces: [] }),
  small: () => ({ status: 200, pieces: arrayOf(3), headers: { 'X-Extra': 'yes' } }),
  large: () => ({ status: 200, pieces: arrayOf(LARGE), headers: { 'X-Extra': 'yes' } }),
  'fails-at-once': () => ({ status: 200, pieces: arrayOf(LARGE, 0), headers: { 'X-Extra': 'yes' } }),
  'fails-known': () => ({ status: 200, pieces: arrayOf(LARGE, 1, new AppError('NOT_FOUND', 'No such path')) }),
  'fails-late': () => ({ status: 200, pieces: arrayOf(LARGE, LARGE / 2) }),
  'fails-late-known': () => ({ status: 200, pieces: arrayOf(LARGE, LARGE / 2, new AppError('NOT_FOUND', 'No such row')) }),
};

const logLines: string[] = [];
const logger = createLogger(
  'info',
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      logLines.push(...chunk.toString().split('\n').filter(Boolean));
      done();
    },
  }),
);
const logged = (): Record<string, unknown>[] => logLines.map((line) => JSON.parse(line) as Record<string, unknown>);

const shared = { group: 'Users', summary: 'Test', scope: 'users:read', errors: [], response: z.array(z.unknown()) } as const;
const read = defineOperation({
  ...shared,
  method: 'get',
  path: '/api/v1/read/{name}',
  operationId: 'read',
  params: z.object({ name: z.string() }),
  success: [{ status: 200, meaning: 'Test' }],
});
const write = defineOperation({
  ...shared,
  method: 'post',
  path: '/api/v1/write',
  operationId: 'write',
  success: [{ status: 201, meaning: 'Test' }],
});

/** What the routes need of a service, without a database: everyone may do everything. */
const parts = {
  authenticator: {
    authenticate: () =>
      Promise.resolve({
        tenantId: 't',
        environment: 'LIVE' as const,
        key: { id: 'k', familyId: 'k', rateLimit: undefined, allowedIps: null },
        root: 'api_key:k',
        rights: ['*'],
      }),
  },
  sessions: { callerOf: () => Promise.resolve(undefined) },
  members: { authenticate: () => Promise.reject(new Error('not asked')), isBelow: () => Promise.resolve(false) },
  rateLimits: {
    countRequest: () => Promise.resolve(),
    countBadKey: () => Promise.resolve(),
    guess: <T>(_req: unknown, _res: unknown, lookUp: () => Promise<T>) => lookUp(),
    guesses:
      () =>
      <T>(_req: unknown, _res: unknown, lookUp: () => Promise<T>) =>
        lookUp(),
    countOpen: () => Promise.resolve(),
    byAddress: () => () => Promise.resolve(),
    bySubject: () => () => Promise.resolve(),
    byTenant: () => () => Promise.resolve(),
    stats: () => ({ state: 'memory' as const, uncounted: 0 }),
    close: () => undefined,
  },
  places: createTenantPlaces({ atOnce: 1_000, inLine: 1_000 }),
  bodyReader: { read: () => Promise.resolve(undefined) },
};
const runner = createOperationRunner({
  members: parts.members,
  scopeOf: () => 'users:read',
  idempotency: {
    guard(_request, present) {
      let stored = false;
      return {
        stored: () => stored,
        replay: () => Promise.resolve(),
        begin: () => Promise.resolve(),
        finish: (_db, result) => {
          present(result);
          stored = true;
          return Promise.resolve(undefined);
        },
      };
    },
  },
});
const kit: RouterKit = { ...parts, runner, steps: createKeyedSteps({ ...parts, runner }) };

let server: Server;
let baseUrl: string;

beforeEach(async () => {
  logLines.length = 0;
  const routes = [
    route(
      read,
      ({ params }) => Promise.resolve(params.name),
      (name) => answers[name]?.() ?? { status: 200, body: [] },
    ),
    route(
      write,
      async ({ guard }) => {
        await guard?.finish(undefined as never, []);
        return [];
      },
      () => ({ status: 201, pieces: arrayOf(1) }),
    ),
  ];
  const router = createFeatureRouter(routes, kit);
  const app = express().use(requestLog(logger), router, errorHandler(logger, {}));
  server = createHttpServer(app, 'LIVE').listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const get = (name: string, method = 'GET') => call(baseUrl, { method, target: `/api/v1/read/${name}` });

/** The answer with its body still on the way. */
function open(name: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(`${baseUrl}/api/v1/read/${name}`, { agent: false }, resolve).on('error', reject).end();
  });
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('it did not happen in time');
    await sleep(5);
  }
}

/** Waits until nothing more is made. */
async function untilStill(): Promise<number> {
  for (let before = -1; before !== made; ) {
    before = made;
    await sleep(100);
  }
  return made;
}

describe('an answer in pieces', () => {
  test('is the JSON text of all pieces', async () => {
    const { status, headers, json } = await get('large');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-extra')).toBe('yes');
    expect(headers.get('transfer-encoding')).toBe('chunked');
    expect(json).toEqual(items(LARGE));
    expect(logged()).toMatchObject([{ status: 200, msg: 'request' }]);
  });

  test('has a length when it is small', async () => {
    const { headers, text, json } = await get('small');
    expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(json).toEqual(items(3));
    expect((await get('empty')).text).toBe('');
  });

  test('has the headers of GET for HEAD, and makes no more than it needs for them', async () => {
    const small = await get('small', 'HEAD');
    expect(small.text).toBe('');
    expect(small.headers.get('content-length')).toBe((await get('small')).headers.get('content-length'));
    made = 0;
    const large = await get('large', 'HEAD');
    expect([large.status, large.text, large.headers.get('x-extra')]).toEqual([200, '', 'yes']);
    expect(large.headers.get('content-length')).toBeNull();
    expect(made).toBeLessThan(LARGE / 4);
    expect(returned).toBe(true);
    expect((await get('fails-at-once', 'HEAD')).status).toBe(500);
  });

  test('lets others run between its slices, also when several are sent at once', async () => {
    let turns = 0;
    const sent = new AbortController();
    const count = async (): Promise<void> => {
      for (; !sent.signal.aborted; turns += 1) await setImmediate();
    };
    const counted = count();
    const all = await Promise.all([get('large'), get('large'), get('large')]);
    sent.abort();
    await counted;
    for (const { json } of all) expect(json).toHaveLength(LARGE);
    const slices = all.reduce((sum, { text }) => sum + Math.floor(text.length / 66_000), 0);
    expect(slices).toBeGreaterThan(300);
    expect(turns).toBeGreaterThanOrEqual(slices);
  });

  test('is refused of an operation that writes, with and without Idempotency-Key', async () => {
    for (const headers of [{}, { 'Idempotency-Key': 'key-1' }]) {
      expect((await call(baseUrl, { method: 'POST', target: '/api/v1/write', headers })).status).toBe(500);
    }
    const errors = logged().flatMap(({ err }) => (err ? [(err as Error).message] : []));
    expect(errors).toEqual(Array(2).fill('write writes and must answer with JSON'));
  });
});

describe('a client that', () => {
  test('reads slowly gets everything, and no more is made ahead of it than buffers hold', async () => {
    const answer = await open('large');
    const ahead = await untilStill();
    expect(ahead).toBeLessThan(LARGE);
    expect(returned).toBe(false);
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += chunk as string;
    expect(JSON.parse(text)).toEqual(items(LARGE));
    expect(returned).toBe(true);
  });

  test('leaves while it is waited for ends the making', async () => {
    const answer = await open('large');
    const ahead = await untilStill();
    answer.destroy();
    await until(() => returned);
    expect(made).toBe(ahead);
    await until(() => logLines.length === 1);
    expect(logged()).toMatchObject([{ level: 'info', status: 499 }]);
  });

  test('leaves while it is written to ends the making', async () => {
    const answer = await open('large');
    let received = 0;
    answer.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > 200_000) answer.destroy();
    });
    await until(() => returned && logLines.length === 1);
    expect(made).toBeLessThan(LARGE);
    expect(logged()).toMatchObject([{ level: 'info', status: 499 }]);
  });
});

describe('an error', () => {
  test('before anything was sent is an error answer like any other', async () => {
    const unknown = await get('fails-at-once');
    expect([unknown.status, unknown.json]).toMatchObject([500, { code: 'INTERNAL_ERROR' }]);
    expect(unknown.headers.get('x-extra')).toBeNull();
    const known = await get('fails-known');
    expect([known.status, known.json]).toEqual([404, { error: 'No such path', code: 'NOT_FOUND' }]);
  });

  test.each([
    ['fails-late', 'INTERNAL_ERROR', 500, 'a row is broken'],
    ['fails-late-known', 'NOT_FOUND', 404, 'No such row'],
  ])('later cuts the connection and is logged with the request (%s)', async (name, code, status, message) => {
    const answer = await open(name);
    expect(answer.statusCode).toBe(200);
    const ended = (async () => {
      for await (const _chunk of answer);
    })();
    await expect(ended).rejects.toThrow('aborted');
    expect(made).toBe(LARGE / 2);
    await until(() => logLines.length === 2);
    const requestId = answer.headers['x-request-id'];
    expect(logged()).toMatchObject([
      { level: 'error', requestId, err: { message }, msg: 'an answer broke off' },
      { requestId, status, code, msg: 'request' },
    ]);
    expect((await get('small')).json).toEqual(items(3));
  });
});
