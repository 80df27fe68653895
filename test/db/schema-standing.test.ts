/** A schema that is newer than the code, that needs newer code, or is of another line of releases. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findBootFaults } from '../../src/db/boot-check.ts';
import { openPool } from '../../src/db/connect.ts';
import { createFrames } from '../../src/db/frame.ts';
import { listMigrations, migrateToLatest, migrationSource } from '../../src/db/migrate.ts';
import { standingOf } from '../../src/db/schema-standing.ts';
import { migrateService, schema } from '../../src/service.ts';
import { CHILD_ENV } from '../support/app/child-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';

const NEWER = '20990101000000_of_a_later_release';
const EVEN_NEWER = '20990102000000_of_another';
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
afterEach(async () => {
  await database.asSuperuser('delete from schema_need');
  await database.asSuperuser('delete from knex_migrations where batch = 99');
});

async function plantMigrations(...names: string[]): Promise<void> {
  for (const name of names)
    await database.asSuperuser('insert into knex_migrations (name, batch, migration_time) values ($1, 99, now())', [name]);
}

const need = (name: string): Promise<unknown> => database.asSuperuser('insert into schema_need values ($1)', [name]);

async function bootFaults(url = database.appUrl): Promise<string[]> {
  const pool = openPool({
    url,
    size: 1,
    acquireTimeoutMs: 2_000,
    applicationName: 'boot-check',
    logger: pino({ level: 'silent' }),
  });
  try {
    return await findBootFaults(createFrames(pool), schema);
  } finally {
    await pool.end();
  }
}

/** `cli migrate` as an operator runs it. */
function runMigrate(): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...CHILD_ENV, NODE_ENV: 'test', DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl };
  return promisify(execFile)(process.execPath, ['src/cli.ts', 'migrate'], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

/** Of the functions and queues that migrate installs. */
const installed = (): Promise<unknown[]> =>
  database.asSuperuser(
    `select md5(string_agg(pg_get_functiondef(oid), '' order by proname)) as functions,
       (select count(*)::int from pgboss.queue) as queues from pg_proc where proname in ('due_scopes', 'erase_sandbox')`,
  );

describe('a newer schema', () => {
  test('is left as it is by migrate, with a line and code 0: no function and no queue of the older release', async () => {
    await plantMigrations(NEWER, EVEN_NEWER);
    // Of the newer release: another text, a queue less.
    await database
      .asSuperuser(`create or replace function erase_sandbox() returns void language sql as 'select'`)
      .catch(async () => {
        await database.asSuperuser("update pg_proc set prosrc = prosrc || ' -- newer' where proname = 'erase_sandbox'");
      });
    await database.asSuperuser("update pgboss.queue set name = 'of-the-newer' where name = 'check-ledger'");
    const before = await installed();
    try {
      const { code, stdout, stderr } = await runMigrate();
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toBe(
        `the schema is newer (2 migrations that this release does not know, the last ${EVEN_NEWER}); nothing to do\n`,
      );
      expect(await installed()).toEqual(before);
    } finally {
      await database.asSuperuser("update pgboss.queue set name = 'check-ledger' where name = 'of-the-newer'");
      await database.asSuperuser('delete from knex_migrations where batch = 99');
      await database.asSuperuser("update pg_proc set prosrc = replace(prosrc, ' -- newer', '') where proname = 'erase_sandbox'");
      expect(await migrateService(database.ownerUrl)).toEqual([]);
    }
  });

  test('may be served', async () => {
    await plantMigrations(NEWER);
    expect(await bootFaults()).toEqual([]);
  });

  test('as the release before sees ours is newer too', async () => {
    const newest = listMigrations().at(-1);
    const said: string[] = [];
    const source = { ...migrationSource, getMigrations: async () => listMigrations().slice(0, -1) };
    expect(await migrateToLatest(database.ownerUrl, schema, { source, say: (line) => said.push(line) })).toEqual([]);
    expect(said).toEqual([
      `the schema is newer (1 migration that this release does not know, the last ${newest}); nothing to do`,
    ]);
  });
});

describe('refused by migrate, with code 1, and by the service', () => {
  test('is a schema that needs newer code', async () => {
    await plantMigrations(NEWER, EVEN_NEWER);
    await need(NEWER);
    const fault = `the database schema needs newer code than this release: it has ${NEWER}; run the release that brought it, or a later one`;
    expect(await runMigrate()).toMatchObject({ code: 1, stdout: '', stderr: `${fault}\n` });
    expect(await bootFaults()).toEqual([fault]);
  });

  test('is a schema of another line: it has what this release does not know, and lacks what it has', async () => {
    await plantMigrations(NEWER);
    const [last] = await database.asSuperuser<{ name: string }>(
      'delete from knex_migrations where name = (select max(name) from knex_migrations where batch <> 99) returning name',
    );
    try {
      const fault = `the database schema is of another line of releases: it has ${NEWER}, which this release does not know, and lacks ${last?.name}; run a release that has both`;
      expect(await runMigrate()).toMatchObject({ code: 1, stdout: '', stderr: `${fault}\n` });
      expect(await bootFaults()).toEqual([fault]);
    } finally {
      await database.asSuperuser('insert into knex_migrations (name, batch, migration_time) values ($1, 1, now())', [last?.name]);
    }
  });
});

test('a need that this code knows refuses nothing', async () => {
  await need(listMigrations().at(-1) ?? '');
  expect(await bootFaults()).toEqual([]);
  expect(await migrateService(database.ownerUrl)).toEqual([]);
});

describe('the standing of a schema', () => {
  test.each([
    ['current', ['a', 'b'], ['b', 'a'], ['b']],
    ['old', ['a', 'b'], ['a'], []],
    ['old', ['a'], [], []],
    ['newer', ['a'], ['a', 'b'], ['a']],
    ['refused', ['a'], ['a', 'b'], ['b']],
    ['refused', ['a', 'b'], ['a', 'c'], []],
    ['refused', ['a'], ['a'], ['gone']],
  ])('is %s with %j of %j, needed %j', (kind, known, applied, needed) => {
    expect(standingOf(known, applied, needed).kind).toBe(kind);
  });
});
