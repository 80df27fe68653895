/**
 * A worker killed with -9 in a job: it is done exactly once, soon, by another
 * (docs/specification/reliability.md#f-2). Every point, several times: test/chaos.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../src/db/scope.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { crashAt } from '../support/jobs/job-crash.ts';
import { installTestJobs } from '../support/jobs/test-jobs.ts';

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

const POINTS = ['in the middle of the work', 'before the commit', 'after the commit'] as const;

test.each(POINTS)('killed %s: done once', async (point) => {
  const ms = await crashAt(app, scope, point);
  if (point === 'after the commit') expect(ms).toBeUndefined();
  else console.log(`killed ${point}: begun again after ${ms} ms`);
});
