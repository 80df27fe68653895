/** A frame that runs alone in a SANDBOX: it waits for the writes that run and holds off those that come. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Scope, WriteDb } from '../../src/db/scope.ts';
import type { WriteOptions } from '../../src/db/write-options.ts';
import { countCustomers, sql, useFrames } from '../support/database/frame-harness.ts';

const harness = useFrames();

let sandbox: Scope = { tenantId: randomUUID(), environment: 'SANDBOX' };
const live: Scope = { ...sandbox, environment: 'LIVE' };
const otherSandbox: Scope = { tenantId: randomUUID(), environment: 'SANDBOX' };

const insertInto = ({ tenantId, environment }: Scope) =>
  sql('insert into customer (tenant_id, environment, external_id) values ($1, $2, $3)', [tenantId, environment, randomUUID()]);

/** A write that has begun and goes on when told to. */
function heldWrite(scope: Scope, options?: WriteOptions) {
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let begun = (): void => undefined;
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const write = async (db: WriteDb) => {
    await db.rows(insertInto(scope));
    begun();
    await held;
  };
  const done = harness.frames.write(scope, write, options);
  return { running, done, goOn };
}

/** Whether the write was still waiting after a while; the write is left to end. */
async function isHeldOff(write: Promise<unknown>): Promise<boolean> {
  return Promise.race([write.then(() => false), sleep(100).then(() => true)]);
}

test.each([
  ['a write', (db: WriteDb) => db.row(countCustomers)],
  ['a write of one statement', (db: WriteDb) => db.lastRow(countCustomers)],
])('%s that comes while it runs waits for it, and begins to read behind it', async (_what, count) => {
  sandbox = { tenantId: randomUUID(), environment: 'SANDBOX' };
  const alone = heldWrite(sandbox, { alone: true });
  await alone.running;
  const seen = harness.frames.write(sandbox, count);
  expect(await isHeldOff(seen)).toBe(true);
  alone.goOn();
  await alone.done;
  expect(await seen).toEqual({ n: 1 });
});

test('it waits for a write that runs', async () => {
  const running = heldWrite(sandbox);
  await running.running;
  const alone = harness.frames.write(sandbox, (db) => db.rows(countCustomers), { alone: true });
  expect(await isHeldOff(alone)).toBe(true);
  running.goOn();
  await Promise.all([running.done, alone]);
});

test('writes do not wait for each other', async () => {
  const first = heldWrite(sandbox);
  const second = heldWrite(sandbox);
  await Promise.all([first.running, second.running]);
  first.goOn();
  second.goOn();
  await Promise.all([first.done, second.done]);
});

test('LIVE, another tenant and reads go on beside it', async () => {
  const alone = heldWrite(sandbox, { alone: true });
  await alone.running;
  for (const scope of [live, otherSandbox]) await harness.frames.write(scope, (db) => db.rows(insertInto(scope)));
  for (const scope of [live, otherSandbox]) await harness.frames.write(scope, (db) => db.lastRow(insertInto(scope)));
  await harness.frames.read(sandbox, (db) => db.rows(countCustomers));
  await harness.frames.readOnce(sandbox, countCustomers);
  alone.goOn();
  await alone.done;
});

test('two run one after the other, without a deadlock', async () => {
  const order: string[] = [];
  const one = (name: string) => async (db: WriteDb) => {
    await db.rows(insertInto(sandbox));
    order.push(name);
    await sleep(20);
    order.push(name);
  };
  await Promise.all(['a', 'b'].map((name) => harness.frames.write(sandbox, one(name), { alone: true })));
  expect(order).toEqual(order[0] === 'a' ? ['a', 'a', 'b', 'b'] : ['b', 'b', 'a', 'a']);
});

test.each([
  ['a write', (db: WriteDb) => db.rows(insertInto(sandbox))],
  ['a write of one statement', (db: WriteDb) => db.lastRow(insertInto(sandbox))],
])('%s that waits too long is told to come again', async (_what, insert) => {
  const alone = heldWrite(sandbox, { alone: true });
  await alone.running;
  await expect(harness.frames.write(sandbox, insert)).rejects.toMatchObject({ code: '55P03' });
  alone.goOn();
  await alone.done;
});

test('LIVE cannot be written alone', async () => {
  const refused = harness.frames.write(live, (db) => db.rows(insertInto(live)), { alone: true });
  await expect(refused).rejects.toThrow('never written alone');
});
