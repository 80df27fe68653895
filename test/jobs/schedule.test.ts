/** One tick of the sweeps, with scopes that are always due: what it does in which order, and when it ends. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Frames } from '../../src/db/frame.ts';
import type { Db, Scope, WriteDb } from '../../src/db/scope.ts';
import { createSchedule, type Sweep } from '../../src/jobs/schedule.ts';

const scopeOf = (tenant: string): Scope => ({ tenantId: tenant, environment: 'LIVE' });

/** Frames that know which scopes are due and nothing else. */
function framesDue(due: { sweep: string; tenant: string }[]): Frames {
  const rows = due.map(({ sweep, tenant }) => ({ sweep, tenant_id: tenant, environment: 'LIVE' }));
  return {
    unscoped: async () => rows as never[],
    write: (_scope: Scope, fn: (db: WriteDb) => Promise<unknown>) => fn({} as Db as WriteDb),
  } as unknown as Frames;
}

/** A sweep that has as many batches to do for a tenant as `left` says. */
function sweepOver(left: Record<string, number>, log: string[], name = 'sweep'): Sweep {
  return {
    name,
    batchSize: 10,
    async run(_db, { tenantId }) {
      log.push(tenantId);
      left[tenantId] = (left[tenantId] ?? 0) - 1;
      return left[tenantId] > 0 ? 10 : 3;
    },
  };
}

const due = (...tenants: string[]) => tenants.map((tenant) => ({ sweep: 'sweep', tenant }));
const logger = pino({ level: 'silent' });
const never = (): boolean => false;

test('gives every scope a batch before any has its second, and ends when none is full', async () => {
  const log: string[] = [];
  const schedule = createSchedule({
    frames: framesDue(due('a', 'b', 'c')),
    logger,
    sweeps: [sweepOver({ a: 4, b: 1, c: 2 }, log)],
  });
  expect(await schedule.tick(never)).toBe(false);
  expect(log.join('')).toBe('abcacaa');
});

test('stops after a hundred batches, says so, and goes on behind the last', async () => {
  const log: string[] = [];
  const left = { a: 1_000, b: 1_000, c: 1_000 };
  const schedule = createSchedule({ frames: framesDue(due('a', 'b', 'c')), logger, sweeps: [sweepOver(left, log)] });
  expect(await schedule.tick(never)).toBe(true);
  expect(log).toHaveLength(100);
  expect(await schedule.tick(never)).toBe(true);
  expect(log.slice(100, 103).join('')).toBe('bca');
  expect(Object.values(left).map((rest) => 1_000 - rest)).toEqual([67, 67, 66]);
});

test('begins no batch after it is told to stop', async () => {
  const log: string[] = [];
  const schedule = createSchedule({ frames: framesDue(due('a', 'b')), logger, sweeps: [sweepOver({ a: 9, b: 9 }, log)] });
  await schedule.tick(() => log.length === 3);
  expect(log.join('')).toBe('aba');
});

test('lets a failing scope rest, and the others have their turns', async () => {
  const log: string[] = [];
  const failing: Sweep = {
    ...sweepOver({}, log),
    async run(db, scope) {
      if (scope.tenantId !== 'b') return sweepOver({ [scope.tenantId]: 1 }, log).run(db, scope);
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
  expect(log).toEqual(['a2', 'a']);
});
