/** Rounds of the sweeps, with scopes that stay due: what they do in which order, how much at once, and when they end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Frames } from '../../src/db/frame.ts';
import type { Db, Scope, WriteDb } from '../../src/db/scope.ts';
import { createSchedule, type Sweep } from '../../src/jobs/schedule.ts';

const scopeOf = (tenant: string): Scope => ({ tenantId: tenant, environment: 'LIVE' });

type DueRow = { sweep: string; tenant: string };

/** Frames that know which scopes are due and nothing else. */
const framesDue = (rows: DueRow[]): Frames => framesDueOf(() => rows);

function framesDueOf(rows: () => DueRow[]): Frames {
  return {
    unscoped: async () => rows().map(({ sweep, tenant }) => ({ sweep, tenant_id: tenant, environment: 'LIVE' })) as never[],
    write: (_scope: Scope, fn: (db: WriteDb) => Promise<unknown>) => fn({} as Db as WriteDb),
  } as unknown as Frames;
}

/** A sweep that has as many batches to do for a tenant as `left` says. */
function sweepOver(left: Record<string, number>, log: string[], name = 'sweep'): Sweep {
  return {
    name,
    batchSize: 10,
    async run(_db, { tenantId }, limit) {
      log.push(tenantId);
      left[tenantId] = (left[tenantId] ?? 0) - 1;
      return left[tenantId] > 0 ? limit : 3;
    },
  };
}

const due = (...tenants: string[]) => tenants.map((tenant) => ({ sweep: 'sweep', tenant }));
const logger = pino({ level: 'silent' });
const never = (): boolean => false;

test('gives every scope a batch, says that something is left, and goes on with the next round', async () => {
  const log: string[] = [];
  const schedule = createSchedule({
    frames: framesDue(due('a', 'b', 'c')),
    logger,
    sweeps: [sweepOver({ a: 2, b: 1, c: 2 }, log)],
  });
  expect(await schedule.tick(never)).toBe(true);
  expect(log.join('')).toBe('abc');
  expect(await schedule.tick(never)).toBe(false);
  expect(log.join('')).toBe('abcabc');
});

test('asks in each round what is due, and gives who is new the next turn', async () => {
  const log: string[] = [];
  const rows = due('m', 'n');
  const schedule = createSchedule({ frames: framesDue(rows), logger, sweeps: [sweepOver({ m: 99, n: 99, a: 99, z: 1 }, log)] });
  await schedule.tick(never);
  await schedule.tick(never);
  rows.push(...due('z'));
  await schedule.tick(never);
  expect(log.join('')).toBe('mnmnzmn');
});

test('ends a round after a time, and the next one begins with those that had no turn', async () => {
  const log: string[] = [];
  const slow: Sweep = {
    name: 'sweep',
    batchSize: 10,
    async run(_db, { tenantId }, limit) {
      log.push(tenantId);
      await sleep(350);
      return limit;
    },
  };
  const schedule = createSchedule({ frames: framesDue(due('a', 'b', 'c', 'd')), logger, sweeps: [slow] });
  expect(await schedule.tick(never)).toBe(true);
  expect(log.length).toBeLessThan(4);
  await schedule.tick(never);
  await schedule.tick(never);
  await schedule.tick(never);
  expect(log.slice(0, 4).join('')).toBe('abcd');
});

test('a tenant with many sweeps has no turn more than one with a single one', async () => {
  const log: string[] = [];
  const names = ['one', 'two', 'three', 'four'];
  const frames = framesDue([...names.map((sweep) => ({ sweep, tenant: 'a' })), { sweep: 'one', tenant: 'b' }]);
  const sweeps = names.map((name) => sweepOver({ a: 99, b: 99 }, log, name));
  await createSchedule({ frames, logger, sweeps }).tick(never);
  expect(log.join('')).toBe('abaaa');
});

test('leaves a batch that takes long to itself, begins no second one of it, and waits for it at the end', async () => {
  const log: string[] = [];
  const { promise: blocked, resolve: unblock } = Promise.withResolvers<void>();
  const sweeps: Sweep[] = [
    {
      name: 'sweep',
      batchSize: 10,
      async run(_db, { tenantId }) {
        log.push(tenantId);
        if (tenantId === 'a') await blocked;
        return 1;
      },
    },
  ];
  const schedule = createSchedule({ frames: framesDue(due('a', 'b')), logger, sweeps, mostLeft: 1 });
  for (let round = 0; round < 3; round++) await schedule.tick(never);
  expect(log.join('')).toBe('abb');
  let idle = false;
  const idling = schedule.idle().then(() => (idle = true));
  await sleep(20);
  expect(idle).toBe(false);
  unblock();
  await idling;
});

test('allows fewer rows where they take long, and more again', async () => {
  const limits: number[] = [];
  let msARow = 2;
  const costly: Sweep = {
    name: 'sweep',
    batchSize: 1_000,
    async run(_db, _scope, limit) {
      limits.push(limit);
      await sleep(limit * msARow);
      return limit;
    },
  };
  const schedule = createSchedule({ frames: framesDue(due('a')), logger, sweeps: [costly] });
  await schedule.tick(never);
  await schedule.tick(never);
  expect(limits[0]).toBe(200);
  expect(limits[1]).toBeLessThanOrEqual(100);
  msARow = 0;
  for (let round = 0; round < 6; round++) await schedule.tick(never);
  expect(limits.at(-1)).toBe(1_000);
});

test('counts batches, rows and failures by sweep, and tells since when something has been due', async () => {
  const rows = due('a', 'b');
  const failing: Sweep = {
    name: 'sweep',
    batchSize: 10,
    run: async (_db, { tenantId }) => {
      if (tenantId === 'b') throw new Error('no');
      rows.splice(0, 1);
      return 3;
    },
  };
  const schedule = createSchedule({ frames: framesDueOf(() => rows), logger, sweeps: [failing, { ...failing, name: 'idle' }] });
  await schedule.tick(never);
  await sleep(30);
  await schedule.tick(never);
  const { sweep, idle } = schedule.stats();
  expect(sweep).toMatchObject({ batches: 2, rows: 3, failures: 1, dueScopes: 1 });
  expect(sweep?.oldestDueSeconds).toBeGreaterThanOrEqual(0.025);
  expect(idle).toEqual({ batches: 0, rows: 0, failures: 0, lastMs: 0, longestMs: 0, dueScopes: 0, oldestDueSeconds: 0 });
});

test('begins no batch after it is told to stop', async () => {
  const log: string[] = [];
  const schedule = createSchedule({
    frames: framesDue(due('a', 'b', 'c')),
    logger,
    sweeps: [sweepOver({ a: 9, b: 9, c: 9 }, log)],
  });
  await schedule.tick(() => log.length === 2);
  expect(log.join('')).toBe('ab');
});

test('lets a failing scope rest, and the others have their turns', async () => {
  const log: string[] = [];
  const failing: Sweep = {
    ...sweepOver({}, log),
    async run(db, scope, limit) {
      if (scope.tenantId !== 'b') return sweepOver({ [scope.tenantId]: 1 }, log).run(db, scope, limit);
      log.push('B');
      throw new Error('no');
    },
  };
  const schedule = createSchedule({ frames: framesDue(due('a', 'b', 'c')), logger, sweeps: [failing] });
  for (let tick = 0; tick < 3; tick++) await schedule.tick(never);
  expect(log.join('')).toBe('aBcacac');
});

test('passes over sweeps it does not know, and sweeps of one scope do not hide each other', async () => {
  const log: string[] = [];
  const frames = framesDue([...due('a'), { sweep: 'later', tenant: 'a' }, { sweep: 'other', tenant: 'a' }]);
  const sweeps = [
    sweepOver({ a: 1 }, log),
    {
      ...sweepOver({ A: 1 }, log, 'other'),
      run: async (_db: WriteDb, scope: Scope) => log.push(`${scopeOf(scope.tenantId).tenantId}2`),
    },
  ];
  await createSchedule({ frames, logger, sweeps }).tick(never);
  expect(log.toSorted()).toEqual(['a', 'a2']);
});
