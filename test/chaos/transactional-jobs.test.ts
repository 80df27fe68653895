/**
 * Workers killed with -9 in transactional jobs, again and again: nothing lost, nothing doubled
 * (docs/specification/reliability.md#f-2, docs/specification/reliability.md#f-4).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../src/db/scope.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { CRASH_POINTS, type CrashPoint, crashAt } from '../support/jobs/job-crash.ts';
import { installTestJobs } from '../support/jobs/test-jobs.ts';

const ROUNDS = Number(process.env['CHAOS_ROUNDS'] ?? 3);
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
