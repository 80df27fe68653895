/** Who may do what with the jobs' tables: the service and the worker work, the owner alone makes and changes. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installJobs } from '../../src/jobs/install.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { TEST_JOBS } from '../support/jobs/test-jobs.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const urlOf = { svc_app: () => database.appUrl, svc_worker: () => database.workerUrl, svc_admin: () => database.adminUrl };

/** The SQLSTATE of the refusal, or that it was done. */
async function tryAs(role: keyof typeof urlOf, sql: string): Promise<string> {
  const client = new pg.Client({ connectionString: urlOf[role]() });
  await client.connect();
  try {
    await client.query(`begin; set transaction read write; ${sql}; rollback`);
    return 'done';
  } catch (error) {
    return String((error as { code?: string }).code);
  } finally {
    await client.end();
  }
}

const FORBIDDEN = [
  'create table pgboss.mine ()',
  'drop table pgboss.job',
  'alter table pgboss.job_common add column mine int',
  'create index on pgboss.job_common (id)',
  'alter table pgboss.job disable trigger all',
  'truncate pgboss.job',
  `insert into pgboss.queue (name, policy) values ('mine', 'standard')`,
  'delete from pgboss.queue',
  'update pgboss.version set version = 1',
  `insert into pgboss.schedule (name, cron) values ('dead-letters', '* * * * *')`,
  `select pgboss.create_queue('mine', '{"policy": "standard"}')`,
  `select pgboss.create_queue('mine', '{"policy": "standard", "partition": true}')`,
  `select pgboss.delete_queue('dead-letters')`,
  `select pgboss.job_table_run('drop table pgboss.job')`,
  'create schema mine',
];

describe.each(['svc_app', 'svc_worker'] as const)('%s', (role) => {
  test.each(FORBIDDEN)('may not: %s', async (sql) => {
    expect(await tryAs(role, sql)).toBe('42501');
  });

  test.each([
    `insert into pgboss.job (name) values ('dead-letters')`,
    `update pgboss.job set state = 'active'`,
    `delete from pgboss.job_common`,
    'select from due_scopes()',
  ])('may: %s', async (sql) => {
    expect(await tryAs(role, sql)).toBe('done');
  });
});

test('svc_admin reads the queues and nothing more', async () => {
  expect(await tryAs('svc_admin', 'select from pgboss.job, pgboss.queue')).toBe('done');
  expect(await tryAs('svc_admin', 'delete from pgboss.job')).toBe('42501');
  expect(await tryAs('svc_admin', `update pgboss.job set state = 'completed'`)).toBe('42501');
  expect(await tryAs('svc_admin', 'select from due_scopes()')).toBe('42501');
});

test('migrating again changes the options of a queue and keeps its jobs', async () => {
  await installJobs(database.ownerUrl, TEST_JOBS);
  await database.asSuperuser(`insert into pgboss.job (name) values ('note')`);
  await installJobs(database.ownerUrl, [{ name: 'note', kind: 'leased', retryLimit: 3, longestSeconds: 60 }]);
  await installJobs(database.ownerUrl, [{ name: 'note', kind: 'leased', retryLimit: 3, longestSeconds: 60 }]);
  expect(
    await database.asSuperuser(`select retry_limit, expire_seconds, heartbeat_seconds, retry_backoff, dead_letter,
      (select count(*)::int from pgboss.job j where j.name = q.name) as jobs from pgboss.queue q where name = 'note'`),
  ).toEqual([
    { retry_limit: 3, expire_seconds: 60, heartbeat_seconds: 10, retry_backoff: true, dead_letter: 'dead-letters', jobs: 1 },
  ]);
});
