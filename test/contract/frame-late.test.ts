/** Statements that come behind the end of their frame, and values that cannot be sent: neither may touch another's frame. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ClaimDb } from '../../src/db/frame.ts';
import { raw, unscopedStatement } from '../../src/db/query.ts';
import type { Db, Scope, WriteDb } from '../../src/db/scope.ts';
import {
  countCustomers,
  insertCustomer,
  POOL_SIZE,
  raise,
  scope,
  sql,
  storedCustomers,
  useFrames,
} from '../support/database/frame-harness.ts';

const harness = useFrames();

const another: Scope = { tenantId: randomUUID(), environment: 'LIVE' };
const whose = sql<{ tenant: string | null }>("select nullif(current_setting('app.tenant_id', true), '') as tenant");

interface Signal {
  reached: Promise<void>;
  reach(): void;
}

function signal(): Signal {
  let reach = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  return { reached, reach };
}

/** Frames of another tenant on every connection, which look whose they are, let `meddle` run, and look again. */
async function besideOthers(meddle: () => Promise<unknown>): Promise<unknown[]> {
  const meddled = signal();
  const begun = Array.from({ length: POOL_SIZE }, signal);
  const others = begun.map(({ reach }) =>
    harness.frames.write(another, async (db) => {
      const before = await db.row(whose);
      reach();
      await meddled.reached;
      return [before?.tenant, (await db.row(whose))?.tenant];
    }),
  );
  await Promise.all(begun.map(({ reached }) => reached));
  await meddle();
  meddled.reach();
  return (await Promise.all(others)).flat();
}

const untouched = Array.from({ length: POOL_SIZE * 2 }, () => another.tenantId);

const frames: [string, (fn: (db: Db) => Promise<unknown>) => Promise<unknown>][] = [
  ['a write', (fn) => harness.frames.write(scope, fn)],
  ['a read', (fn) => harness.frames.read(scope, fn)],
  ['a claim', (fn) => harness.frames.claim(fn)],
];

describe.each(frames)('behind the end of %s', (_what, run) => {
  test.each([
    ['that has sent none', false],
    ['that has sent some', true],
  ])('%s a statement is refused, whoever has the connection', async (_how, sends) => {
    const over = signal();
    let late: Promise<unknown> = Promise.resolve();
    const running = run(async (db) => {
      if (sends) await db.row(whose);
      late = over.reached.then(() => db.row(whose));
      late.catch(() => undefined);
      throw new Error('no more of it');
    });
    await expect(running).rejects.toThrow('no more of it');
    const seen = await besideOthers(async () => {
      over.reach();
      await expect(late).rejects.toThrow('behind the last one of its frame');
    });
    expect(seen).toEqual(untouched);
  });
});

test('behind the end of a claim an attempt is refused', async () => {
  let kept: ClaimDb | undefined;
  await harness.frames.claim(async (db) => {
    kept = db;
  });
  await expect(kept?.attempt(scope, async () => undefined)).rejects.toThrow('behind the last one of its frame');
});

test('what comes late opens no transaction in which later writes would be lost', async () => {
  for (let i = 0; i < POOL_SIZE; i++) {
    let late: Promise<unknown> = Promise.resolve();
    await harness.frames.write(scope, async (db) => {
      late = sleep(20).then(() => db.row(whose));
      late.catch(() => undefined);
    });
    await expect(late).rejects.toThrow('behind the last one');
  }
  const externalId = randomUUID();
  await harness.frames.write(scope, (db) => db.lastRow(insertCustomer(externalId)));
  expect(await storedCustomers(harness, externalId)).toBe(1);
  expect(await harness.frames.unscoped(whose)).toEqual([{ tenant: null }]);
});

test('a connection that somebody has left in a transaction is not believed, and not kept', async () => {
  // Each knows the statement of the scope.
  await Promise.all(Array.from({ length: POOL_SIZE }, () => harness.frames.readOnce(scope, sql('select pg_sleep(0.1)'))));
  const clients = await Promise.all(Array.from({ length: POOL_SIZE }, () => harness.pool.connect()));
  for (const client of clients) {
    await client.query('begin');
    client.release();
  }
  for (let i = 0; i < POOL_SIZE; i++) {
    const writing = harness.frames.write(scope, (db) => db.lastRow(insertCustomer(randomUUID())));
    await expect(writing).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  }
  await expect(harness.frames.readOnce(scope, countCustomers)).resolves.toHaveLength(1);
});

describe.each([
  ['the only statement', false],
  ['behind another', true],
])('a second last statement, the first being %s', (_what, isBehind) => {
  test('is refused and does not end another frame', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const free = signal();
    const over = signal();
    let late: unknown;
    const running = harness.frames.write(scope, async (db: WriteDb) => {
      if (isBehind) await db.row(whose);
      await db.lastRow(insertCustomer(first));
      free.reach();
      await over.reached;
      late = await db.lastRow(insertCustomer(second)).catch((error: unknown) => error);
    });
    await free.reached;
    await sleep(20); // its connection is on its way back
    const seen = await besideOthers(async () => {
      over.reach();
      await running.catch(() => undefined);
    });
    expect(seen).toEqual(untouched);
    await running;
    expect(late).toMatchObject({ message: expect.stringContaining('behind the last one') });
    expect([await storedCustomers(harness, first), await storedCustomers(harness, second)]).toEqual([1, 0]);
  });
});

describe('a value that cannot be sent', () => {
  const keep = unscopedStatement<{ kept: unknown }, { impossible: unknown }>('frame_test_keep', ({ impossible }) =>
    raw(`select :impossible::jsonb as kept`, { impossible }),
  );
  const impossible = { amount: 1n };

  test.each<[string, () => Promise<unknown>]>([
    ['a read of one statement', () => harness.frames.readOnce(scope, keep({ impossible }))],
    ['a read', () => harness.frames.read(scope, (db) => db.rows(keep({ impossible })))],
    ['a write', () => harness.frames.write(scope, (db) => db.rows(keep({ impossible })))],
    ['a claim', () => harness.frames.claim((db) => db.rows(keep({ impossible })))],
    ['an unscoped statement', () => harness.frames.unscoped(keep({ impossible }))],
  ])('is a fault of its own in %s, and the statement can be used again', async (_what, run) => {
    for (let i = 0; i < POOL_SIZE; i++) await expect(run()).rejects.toThrow(TypeError);
    for (let i = 0; i < POOL_SIZE; i++) {
      expect(await harness.frames.write(scope, (db) => db.rows(keep({ impossible: '{}' })))).toEqual([{ kept: {} }]);
      expect(await harness.frames.readOnce(scope, keep({ impossible: '[]' }))).toEqual([{ kept: [] }]);
    }
  });

  test('in a last statement is no lost commit, and not tried again', async () => {
    let runs = 0;
    const write = async (db: WriteDb) => {
      runs += 1;
      return db.lastRow(keep({ impossible }));
    };
    await expect(harness.frames.write(scope, write, { repeatable: true })).rejects.toThrow(TypeError);
    expect(runs).toBe(1);
  });
});

test('a connection that the server has ended with whatever code is not kept', async () => {
  const late = sql("select set_config('transaction_timeout', '50ms', true), pg_sleep(1)");
  for (let i = 0; i < POOL_SIZE; i++) await expect(harness.frames.readOnce(scope, late)).rejects.toMatchObject({ code: '25P04' });
  for (let i = 0; i < POOL_SIZE; i++) await expect(harness.frames.readOnce(scope, countCustomers)).resolves.toHaveLength(1);
  await expect(harness.frames.write(scope, (db) => db.lastRow(raise('22000')))).rejects.toMatchObject({ code: '22000' });
});
