/** What cannot be shown is told without its object, and nothing else is: docs/specification/webhooks.md#events. */
import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { withSavepoint } from '../../../src/db/savepoint.ts';
import type { Db, Scope, Told } from '../../../src/db/scope.ts';
import type { Statement } from '../../../src/db/statement.ts';
import { openTelling } from '../../../src/db/telling.ts';
import { createOutbox } from '../../../src/features/webhooks/log/outbox.ts';
import { insertOutgoing } from '../../../src/features/webhooks/log/outbox-queries.ts';
import type { DeclaredEvent } from '../../../src/house/events.ts';
import type { KeyedRoute } from '../../../src/http/route.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { startFakeReceiver } from '../../support/webhooks/fake-receiver.ts';
import { plantEndpoint, silenceEndpoints } from '../../support/webhooks/plant-webhooks.ts';
import { createSendWorker, whileSending } from '../../support/webhooks/send-worker.ts';
import { toldEvents } from '../../support/webhooks/told-events.ts';

let app: TestApp;
let scope: Scope;
let liveKey: string;
let lines: string[];
const enqueued: unknown[] = [];

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  const tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  liveKey = tenant.liveKey;
  lines = [];
});
afterAll(() => app.close());

const frames = () => app.composition.background.frames;
const send = (db: Pick<Db, 'rows'>, text: string) => db.rows({ text, values: [] });
const FAILS = "do $$ begin raise exception using errcode = '40001'; end $$";

/** An operation that sends this text and answers. */
function routeThat(text: string): KeyedRoute {
  const operation = { operationId: text, path: '/things/{thingId}', response: z.object({ ok: z.literal(true) }) };
  const handler = ({ scope: caller }: { scope: Scope }) =>
    frames().read(caller, async (db) => {
      await send(db, text);
      return { ok: true };
    });
  return { operation, handler } as unknown as KeyedRoute;
}

const TEXTS: Readonly<Record<string, string>> = { good: 'select 1', bad: 'select 1/0', transient: FAILS };

function outbox() {
  const lineOut = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const logger = pino(lineOut);
  const events = new Map<string, DeclaredEvent>([
    ...Object.keys(TEXTS).map((shows): [string, DeclaredEvent] => [`thing.${shows}`, { meaning: '', shows }]),
    [
      'things.many',
      { meaning: '', scope: 'things:read', schema: z.object({ things: z.array(z.int()) }), parts: { of: 'things', items: 1 } },
    ],
    ['thing.free', { meaning: '', scope: 'things:read', schema: z.looseObject({ id: z.string() }) }],
  ]);
  return createOutbox({
    logger,
    events,
    routeOf: (shows) => routeThat(TEXTS[shows] ?? ''),
    enqueue: async (_db, _scope, name, ids) => {
      enqueued.push([name, ids]);
      return '';
    },
  });
}

const told = (kind: string, rest: Partial<Told> = {}): Told => ({
  type: `thing.${kind}`,
  objectId: randomUUID(),
  actor: 'system',
  ...rest,
});
const write = (all: readonly Told[], heard = ['*']) => frames().write(scope, (db) => outbox().write(db, scope, all, heard));

test('behind an error of the database only the objects that make it are missing, by one line', async () => {
  const kinds = ['good', 'bad', 'good', 'bad', 'good'];
  await write([...kinds.map((kind) => told(kind)), ...Array.from({ length: 60 }, () => told('good'))]);
  const events = await toldEvents(app, scope);
  expect(events).toHaveLength(65);
  expect(events.slice(0, 5).map(({ type, data, leftOut }) => [type, data, leftOut])).toEqual(
    kinds.map((kind) => [`thing.${kind}`, ...(kind === 'bad' ? [null, ['data']] : [{ ok: true }, []])]),
  );
  expect(events.slice(5).every(({ data }) => data?.['ok'] === true)).toBe(true);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ type: 'thing.bad', objectId: events[1]?.objectId, count: 2 }]);
});

test('what may succeed when it is run again is thrown on', async () => {
  const fails = frames().write(scope, (db) => outbox().write(db, scope, [told('good'), told('transient')], ['*']));
  await expect(fails).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await toldEvents(app, scope)).toEqual([]);
  expect(lines).toEqual([]);
});

test('all is sent ahead of the commit, in however many statements', async () => {
  const things = Array.from({ length: 120 }, (_, n) => n);
  const asTold = await frames().write(scope, async (db) => {
    let sent = 0;
    const rows = <Row>(statement: Statement<Row>): Promise<Row[]> => {
      sent += (statement.values ?? []).find(Array.isArray)?.length ?? 0;
      return db.rows(statement);
    };
    await outbox().write({ ...db, rows }, scope, [told('', { type: 'things.many', data: { things } })], ['*']);
    return sent;
  });
  expect(asTold).toBe(120);
  expect((await toldEvents(app, scope)).map(({ data }) => data['things'])).toEqual(things.map((n) => [n]));
});

test('a job is enqueued in place of an event where somebody hears of the type', async () => {
  const job = { name: 'tell-things', ids: { thing: randomUUID() } };
  await write([told('good', { job }), told('bad', { job })], ['thing.good']);
  expect(enqueued).toEqual([[job.name, job.ids]]);
  expect(await toldEvents(app, scope)).toEqual([]);
});

test('no statement has more than 50 events or 4 MB, and they keep their order', async () => {
  const event = (n: number, size: number) => ({
    type: 'thing.good',
    objectId: `${n}`,
    actor: 'system',
    data: JSON.stringify('x'.repeat(size)),
    leftOut: [],
  });
  const events = [
    ...Array.from({ length: 120 }, (_, n) => event(n, 10)),
    ...Array.from({ length: 40 }, (_, n) => event(120 + n, 250_000)),
  ];
  const portions: number[] = [];
  const ids = await frames().write(scope, (db) => {
    const rows = async <Row>(statement: Statement<Row>): Promise<Row[]> => {
      const lists = (statement.values ?? []).filter(Array.isArray);
      portions.push(lists[0]?.length ?? 0);
      expect(lists.flat().join('').length).toBeLessThan(4_200_000);
      return db.rows(statement);
    };
    return insertOutgoing({ ...db, rows }, scope, events);
  });
  expect(portions.reduce((sum, length) => sum + length, 0)).toBe(160);
  expect(Math.max(...portions)).toBeLessThanOrEqual(50);
  const written = await toldEvents(app, scope);
  expect(written.map(({ id }) => id)).toEqual(ids);
  expect(written.map(({ objectId }) => Number(objectId))).toEqual(events.map((_, n) => n));
});

test('a question that failed within a part is asked anew once the part is undone', async () => {
  const asks = { count: 0 };
  const written: Told[] = [];
  await frames().write(scope, async (db) => {
    const telling = openTelling(
      {
        ask: async () => {
          asks.count += 1;
          await send(db, 'select 1');
          return ['*'];
        },
        write: async (_db, _scope, all, heard) => void written.push(...(heard.includes('*') ? all : [])),
      },
      db,
      scope,
    );
    const part = { ...db, told: telling.told };
    const undone = withSavepoint(part, async () => {
      const failing = send(db, 'select 1/0');
      telling.tell(told('bad'));
      await failing;
    });
    await expect(undone).rejects.toThrow('division by zero');
    const thing = told('good');
    telling.tell(thing);
    telling.tell({ ...thing });
    await telling.settle();
  });
  expect(asks.count).toBe(2);
  expect(written.map(({ type }) => type)).toEqual(['thing.good']);
});

test('what an undone part has told can be told behind it', async () => {
  const written: Told[] = [];
  const thing = told('good');
  await frames().write(scope, async (db) => {
    const telling = openTelling(
      { ask: async () => ['*'], write: async (_db, _scope, all) => void written.push(...all) },
      db,
      scope,
    );
    const part = { ...db, told: telling.told };
    telling.tell(told('bad'));
    const undone = withSavepoint(part, async () => {
      telling.tell(thing);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    telling.tell(thing);
    telling.tell(thing);
    await telling.settle();
  });
  expect(written.map(({ type }) => type)).toEqual(['thing.bad', 'thing.good']);
});

describe('an object that is too large', () => {
  const MOST = 262_144;
  const LARGE = 'ä'.repeat(MOST / 2);

  /** With a text that makes it so many bytes where its free fields are left out. */
  function thing(bytes: number, metadata: object, lineItems: object[] | null) {
    const rest = { id: 'thing-1', line_items: null, metadata: null, note: '', total: 7 };
    const left = bytes - Buffer.byteLength(JSON.stringify(rest));
    const note = 'ä'.repeat(left / 2) + 'x'.repeat(left % 2);
    return { ...rest, line_items: lineItems, metadata, note };
  }

  const FITS = MOST - 1_100;
  const kept = thing(FITS - 100, { note: LARGE }, [{ sku: 'A' }]);
  const bare = thing(FITS, { note: 'small' }, [{ sku: LARGE }]);
  test.each([
    { is: 'is told without its metadata', whole: kept, shown: { ...kept, metadata: null }, leftOut: ['metadata'] },
    {
      is: 'and still is without its metadata, is told without its line items too',
      whole: bare,
      shown: { ...bare, metadata: null, line_items: null },
      leftOut: ['metadata', 'line_items'],
    },
    { is: 'without any of them is not told of', whole: thing(MOST, { note: 'small' }, null), shown: null, leftOut: ['data'] },
  ])('$is', async ({ whole, shown, leftOut }) => {
    const receiver = await startFakeReceiver();
    onTestFinished(async () => {
      receiver.close();
      await silenceEndpoints(app);
    });
    await plantEndpoint(app, scope, { url: receiver.url });
    await write([told('free', { data: whole })]);
    await whileSending(createSendWorker(app, [receiver]), () => eventually(async () => receiver.received.length > 0));
    const sent = receiver.received[0]?.body ?? '';
    const { body } = await apiClient(app, liveKey).get('/api/v1/webhook-events');
    const logged = JSON.stringify(body.data[0]);
    for (const text of [sent, logged]) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MOST);
      const { data, leftOut: missing } = JSON.parse(text) as { data: unknown; leftOut: string[] };
      expect(missing).toEqual(leftOut);
      // Compared by hand: what differs would be printed whole.
      expect(isDeepStrictEqual(data, shown)).toBe(true);
    }
    expect(lines).toEqual([]);
  });
});
