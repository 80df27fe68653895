/** A database of one's own for a test file, cloned from the migrated template. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { DatabaseUrls } from '../../src/db/local-database.ts';
import type { Login } from '../../src/db/roles.ts';
import { TEMPLATE } from '../setup/database.ts';

export interface TestDatabase extends DatabaseUrls {
  name: string;
  /** Runs SQL as the superuser, who sees past every wall. */
  asSuperuser<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const { superuserUrl, logins } = inject('cluster');
  const name = `t_${randomBytes(6).toString('hex')}`;
  await onServer(superuserUrl, `create database ${name} template ${TEMPLATE} owner ${logins.owner.user}`);
  const urlFor = (login?: Login): string => {
    const url = new URL(superuserUrl);
    url.pathname = `/${name}`;
    if (login) Object.assign(url, { username: login.user, password: login.password });
    return url.href;
  };
  const superuser = new pg.Pool({ connectionString: urlFor(), max: 2 });
  superuser.on('error', () => undefined);
  return {
    name,
    ownerUrl: urlFor(logins.owner),
    appUrl: urlFor(logins.app),
    workerUrl: urlFor(logins.worker),
    adminUrl: urlFor(logins.admin),
    async asSuperuser<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) {
      return (await superuser.query<Row>(sql, values)).rows;
    },
    async drop() {
      await superuser.end();
      await onServer(superuserUrl, `drop database ${name} with (force)`);
    },
  };
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
