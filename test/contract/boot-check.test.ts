/** The service must not serve with a role or a schema that could show one tenant another's rows. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findBootFaults } from '../../src/db/boot-check.ts';
import type { FunctionParts } from '../../src/db/composed-functions.ts';
import { openPool } from '../../src/db/connect.ts';
import { createFrames } from '../../src/db/frame.ts';
import { schema } from '../../src/service.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function faultsAs(url: string, functions: readonly FunctionParts[] = schema.functions): Promise<string[]> {
  const pool = openPool({
    url,
    size: 1,
    acquireTimeoutMs: 2_000,
    applicationName: 'boot-check',
    logger: pino({ level: 'silent' }),
  });
  try {
    return await findBootFaults(createFrames(pool), { ...schema, functions });
  } finally {
    await pool.end();
  }
}

/** Runs with a change to the schema in place and takes it back. */
async function withChange(change: string, undo: string, functions = schema.functions): Promise<string[]> {
  await database.asSuperuser(change);
  try {
    return await faultsAs(database.appUrl, functions);
  } finally {
    await database.asSuperuser(undo);
  }
}

test('finds nothing wrong with svc_app and svc_worker on a current schema', async () => {
  expect(await faultsAs(database.appUrl)).toEqual([]);
  expect(await faultsAs(database.workerUrl)).toEqual([]);
});

describe('refuses a role', () => {
  const url = (user: string, password: string): string =>
    Object.assign(new URL(database.appUrl), { username: user, password }).href;

  /** A login of its own for one test; roles belong to the cluster. */
  async function withRole<T>(options: string, grants: string, run: (url: string) => Promise<T>): Promise<T> {
    const user = `boot_${randomBytes(4).toString('hex')}`;
    const password = randomBytes(12).toString('hex');
    await database.asSuperuser(`create role ${user} password '${password}' ${options}`);
    if (grants !== '') await database.asSuperuser(`grant ${grants} to ${user}`);
    try {
      return await run(url(user, password));
    } finally {
      await database.asSuperuser(`drop role ${user}`);
    }
  }

  test('that is a superuser', async () => {
    const superuser = new URL(inject('cluster').superuserUrl);
    superuser.pathname = `/${database.name}`;
    expect(await faultsAs(superuser.href)).toEqual([
      expect.stringMatching(/^the database role \w+ is a superuser; connect as svc_app$/),
    ]);
  });

  test('that owns the tables', async () => {
    expect(await faultsAs(database.ownerUrl)).toEqual([
      expect.stringMatching(/^the database role svc_owner owns or may become the owner of .*member.*; connect as svc_app$/),
    ]);
  });

  test('that may become the owner', async () => {
    const faults = await withRole('login', 'svc_owner', faultsAs);
    expect(faults).toEqual([expect.stringMatching(/owns or may become the owner of .*member/)]);
  });

  test('that has BYPASSRLS', async () => {
    expect(await withRole('login bypassrls', 'svc_app', faultsAs)).toEqual([
      expect.stringMatching(/^the database role \w+ has BYPASSRLS; connect as svc_app$/),
    ]);
  });

  test.each([
    ['a superuser', 'superuser'],
    ['a role with BYPASSRLS', 'bypassrls'],
  ])('that may become %s', async (_name, power) => {
    const faults = await withRole(power, '', async (powerful) => {
      const role = new URL(powerful).username;
      return withRole('login', `svc_app, ${role}`, faultsAs);
    });
    expect(faults).toHaveLength(1);
  });
});

describe('refuses a schema', () => {
  test('with a tenant table whose row security is not forced', async () => {
    expect(await withChange('alter table lead no force row level security', 'alter table lead force row level security')).toEqual(
      ['these tables lack forced row-level security: lead'],
    );
  });

  test('with row security disabled on tenant', async () => {
    expect(
      await withChange('alter table tenant disable row level security', 'alter table tenant enable row level security'),
    ).toEqual(['these tables lack forced row-level security: tenant']);
  });

  test('with a new table that has tenant_id and no wall', async () => {
    expect(await withChange('create table forgotten (tenant_id uuid)', 'drop table forgotten')).toEqual([
      'these tables lack forced row-level security: forgotten',
    ]);
  });

  test('with a partitioned table without a wall', async () => {
    expect(await withChange('create table parted (tenant_id uuid) partition by hash (tenant_id)', 'drop table parted')).toEqual([
      'these tables lack forced row-level security: parted',
    ]);
  });

  test('that lacks a migration', async () => {
    const [last] = await database.asSuperuser<{ name: string; batch: number }>(
      'select name, batch from knex_migrations order by name desc limit 1',
    );
    const faults = await withChange(
      `delete from knex_migrations where name = '${last?.name}'`,
      `insert into knex_migrations (name, batch, migration_time) values ('${last?.name}', ${last?.batch}, now())`,
    );
    expect(faults).toEqual([
      `the database schema is old: 1 migrations missing, first ${last?.name}; run: npm run -s cli -- migrate`,
    ]);
  });

  test('that lacks a queue, or all of them', async () => {
    const fault = 'the queues of the background jobs are missing or old; run: npm run -s cli -- migrate';
    const rename = (from: string, to: string): string => `update pgboss.queue set name = '${to}' where name = '${from}'`;
    expect(await withChange(rename('check-ledger', 'gone'), rename('gone', 'check-ledger'))).toEqual([fault]);
    expect(await withChange('alter schema pgboss rename to gone', 'alter schema gone rename to pgboss')).toEqual([fault]);
  });

  test('whose functions lack a part of a feature, as Knex run by hand leaves them', async () => {
    const fault = "the functions of all features' parts are missing or old; run: npm run -s cli -- migrate";
    const gadgets = { name: 'gadgets', tables: ['gadget'] };
    expect(await faultsAs(database.appUrl, [...schema.functions, gadgets])).toEqual([fault]);
    const watering = { name: 'gardens', due: { 'water-gardens': [{ table: 'lead' }] } };
    expect(await faultsAs(database.appUrl, [...schema.functions, watering])).toEqual([fault]);
    // Of a newer release the functions are another's: an older worker goes on with them.
    const faults = withChange(
      "insert into knex_migrations (name, batch, migration_time) values ('20990101000000_x', 99, now())",
      'delete from knex_migrations where batch = 99',
      [...schema.functions, gadgets],
    );
    expect(await faults).toEqual([]);
  });

  test('that was never migrated', async () => {
    const empty = await withEmptyDatabase((url) => faultsAs(url));
    expect(empty).toEqual([expect.stringMatching(/^the database schema is old: \d+ migrations missing, first 2026/)]);
  });
});

async function withEmptyDatabase<T>(run: (url: string) => Promise<T>): Promise<T> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: inject('cluster').superuserUrl });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
    return await run(Object.assign(new URL(database.appUrl), { pathname: `/${name}` }).href);
  } finally {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.end();
  }
}
