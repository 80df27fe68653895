/** Workers killed with -9 in transactional jobs, again and again: nothing lost, nothing doubled (reliability F-2, F-4). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../src/db/frame.ts';
import { CRASH_POINTS, type CrashPoint, crashAt } from '../support/job-crash.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { installTestJobs } from '../support/test-jobs.ts';

const ROUNDS = Number(process.env['CHAOS_ROUNDS'] ?? 5);
let database: TestDatabase;
let app: TestApp;
let scope: Scope;

beforeAll(async () => {
  database = await createTestDatabase();
  await installTestJobs(database);
  app = await startTestApp({}, database);
  scope = { tenantId: (await app.newTenant()).tenantId, environment: 'LIVE' };
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

test.each(Object.keys(CRASH_POINTS) as CrashPoint[])(`${ROUNDS} kills %s`, async (point) => {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(...[(await crashAt(app, scope, point)) ?? []].flat());
  expect(times).toHaveLength(point === 'after the commit' ? 0 : ROUNDS);
  const sorted = times.toSorted((a, b) => a - b);
  if (times.length > 0)
    console.log(
      `killed ${point}: begun again after ${sorted[Math.floor(sorted.length / 2)]} ms in the middle, ${sorted.at(-1)} ms at worst`,
    );
});
