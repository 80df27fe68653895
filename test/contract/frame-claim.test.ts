/** A transaction that learns its scope on the way: what it keeps, what it undoes, and whose rows it sees. */

import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPool } from '../../src/db/connect.ts';
import { createFrames, type Frames } from '../../src/db/frame.ts';
import { raw, unscopedStatement } from '../../src/db/query.ts';
import type { Db, Scope } from '../../src/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { addEffect, installTestJobs, listEffects, noteIn } from '../support/jobs/test-jobs.ts';

const TENANT: Scope = { tenantId: '01a1fa9c-0000-7000-8000-00000000000a', environment: 'LIVE' };
const OTHER: Scope = { tenantId: '01a1fa9c-0000-7000-8000-00000000000b', environment: 'SANDBOX' };
const JOB = '01a1fa9c-0000-7000-8000-0000000000ff';
const queueUpdate = { text: "update pgboss.queue set warning_queued = warning_queued + 1 where name = 'note'", values: [] };
const countEffects = unscopedStatement<{ count: number }>('test_count_effects', () =>
  raw(`select count(*)::int as count from effect`),
);

let database: TestDatabase;
let pool: ReturnType<typeof openPool>;
let frames: Frames;

beforeAll(async () => {
  database = await createTestDatabase();
  await installTestJobs(database);
  const logger = pino({ level: 'silent' });
  pool = openPool({ url: database.workerUrl, size: 1, acquireTimeoutMs: 2_000, applicationName: 'claims', logger });
  frames = createFrames(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  await database.asSuperuser('delete from effect');
  await database.asSuperuser('update pgboss.queue set warning_queued = 0');
});

const seen = async (db: Db): Promise<number> => (await db.row(countEffects()))?.count ?? -1;
const claims = async (): Promise<number> => {
  const [row] = await database.asSuperuser<{ n: number }>("select warning_queued as n from pgboss.queue where name = 'note'");
  return row?.n ?? -1;
};

test('commits what was claimed and what was attempted, and returns what it is given', async () => {
  const result = await frames.claim(async (db) => {
    await db.rows(queueUpdate);
    const failure = await db.attempt(TENANT, async (scoped) => {
      await scoped.lastRow(addEffect(TENANT, { jobId: JOB, what: 'kept' }));
      await noteIn(scoped, TENANT, JOB, 'kept too');
    });
    return { failure };
  });
  expect(result).toEqual({ failure: undefined });
  expect([await claims(), (await listEffects(database)).map(({ what }) => what)]).toEqual([1, ['kept', 'kept too']]);
});

test('undoes a failed attempt alone, and goes on to commit', async () => {
  const failure = await frames.claim(async (db) => {
    await db.rows(queueUpdate);
    return db.attempt(TENANT, async (scoped) => {
      await noteIn(scoped, TENANT, JOB, 'undone');
      throw new Error('no');
    });
  });
  expect(failure).toMatchObject({ error: { message: 'no' } });
  expect([await claims(), await listEffects(database)]).toEqual([1, []]);
});

test('undoes an attempt whose statement failed, though its handler swallowed the error', async () => {
  const failure = await frames.claim(async (db) => {
    await db.rows(queueUpdate);
    return db.attempt(TENANT, async (scoped) => {
      await noteIn(scoped, TENANT, JOB, 'undone');
      await scoped.rows({ text: 'select 1 / 0', values: [] }).catch(() => undefined);
    });
  });
  expect(failure).toMatchObject({ error: { code: '25P02' } });
  expect([await claims(), await listEffects(database)]).toEqual([1, []]);
});

test('undoes an attempt that leaves a deferred constraint broken', async () => {
  const failure = await frames.claim(async (db) => {
    await db.rows(queueUpdate);
    return db.attempt(TENANT, async (scoped) => {
      await noteIn(scoped, TENANT, JOB, 'undone');
      await scoped.rows({
        text: `insert into journal_entry (tenant_id, environment, cause_type, cause_id, occurred_at) values ($1, $2, 'clearing', uuidv7(), now())`,
        values: [TENANT.tenantId, TENANT.environment],
      });
    });
  });
  expect(failure).toMatchObject({ error: { constraint: 'journal_balanced' } });
  expect([await claims(), await listEffects(database)]).toEqual([1, []]);
});

test('undoes everything when it throws itself', async () => {
  const claim = frames.claim(async (db) => {
    await db.rows(queueUpdate);
    await db.attempt(TENANT, async (scoped) => void (await noteIn(scoped, TENANT, JOB, 'undone')));
    throw new Error('the claim is off');
  });
  await expect(claim).rejects.toThrow('the claim is off');
  expect([await claims(), await listEffects(database)]).toEqual([0, []]);
});

describe('sees rows', () => {
  test('of the scope during an attempt, of nobody before and after it', async () => {
    await frames.write(TENANT, (db) => noteIn(db, TENANT, JOB, 'mine'));
    await frames.write(OTHER, (db) => noteIn(db, OTHER, JOB, 'theirs'));
    await frames.write(OTHER, (db) => noteIn(db, OTHER, JOB, 'theirs too'));
    const counts: number[] = [];
    const count = async (db: Db): Promise<void> => void counts.push(await seen(db));
    await frames.claim(async (db) => {
      await count(db);
      await db.attempt(TENANT, count);
      await count(db);
      await db.attempt(OTHER, async (scoped) => {
        await count(scoped);
        throw new Error('no');
      });
      await count(db);
    });
    await frames.read(TENANT, count);
    expect(counts).toEqual([0, 1, 0, 2, 0, 1]);
  });

  test('and writes none in another scope', async () => {
    const failure = await frames.claim((db) =>
      db.attempt(TENANT, async (scoped) => void (await noteIn(scoped, OTHER, JOB, 'smuggled'))),
    );
    expect(failure).toMatchObject({ error: { code: '42501' } });
    expect(await listEffects(database)).toEqual([]);
  });
});

test('refuses a malformed scope before it becomes SQL', async () => {
  const scope: Scope = { tenantId: `${TENANT.tenantId}'; drop table effect; --`, environment: 'LIVE' };
  await expect(frames.claim((db) => db.attempt(scope, async () => undefined))).rejects.toThrow('malformed');
  expect(await listEffects(database)).toEqual([]);
});

test('reports the loss of its connection, and the next claim has a new one', async () => {
  const claim = frames.claim(async (db) => {
    await db.rows(queueUpdate);
    return db.attempt(TENANT, async (scoped) => {
      await noteIn(scoped, TENANT, JOB, 'lost');
      await database.asSuperuser("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'claims'");
      await seen(scoped);
    });
  });
  await expect(claim).rejects.toThrow(/terminat|connection/i);
  expect([await claims(), await listEffects(database)]).toEqual([0, []]);
  expect(await frames.claim(async () => 'fine')).toBe('fine');
});
