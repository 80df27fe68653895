/** Databases cloned from the migrated template. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { DatabaseUrls } from '../../../src/db/local-database.ts';
import type { Login } from '../../../src/db/roles.ts';
import { TEMPLATE } from '../../setup/database.ts';

export interface TestDatabase extends DatabaseUrls {
  name: string;
  /** Runs SQL as the superuser, who sees past every wall; with a name it is planned once a connection. */
  asSuperuser<Row extends pg.QueryResultRow>(sql: string, values?: unknown[], name?: string): Promise<Row[]>;
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
  // A row says that it was committed only when its commit is written. A vacuum before that leaves its page as one that an
  // index alone cannot answer for, and a test of what a plan reads would hang on when the server writes.
  const superuser = new pg.Pool({ connectionString: urlFor(), max: 2, options: '-c synchronous_commit=on' });
  superuser.on('error', () => undefined);
  return {
    name,
    ownerUrl: urlFor(logins.owner),
    appUrl: urlFor(logins.app),
    workerUrl: urlFor(logins.worker),
    adminUrl: urlFor(logins.admin),
    async asSuperuser<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = [], name?: string) {
      return (await superuser.query<Row>({ text: sql, values, ...(name === undefined ? {} : { name }) })).rows;
    },
    async drop() {
      await superuser.end();
      await onServer(superuserUrl, `drop database ${name} with (force)`);
    },
  };
}

/** Signing keys are the service's, which holds them in memory. */
const KEPT = ['signing_key'];

/**
 * Given a database as the template is: what empties each table that is empty there. Triggers that forbid it, and
 * references, do not count for a superuser's `truncate`; only tables with rows are truncated, for each costs a file.
 */
export async function createEmptier({ asSuperuser }: TestDatabase): Promise<() => Promise<void>> {
  const tables = await asSuperuser<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p') and not c.relispartition`,
  );
  const names = tables.map(({ name }) => name).filter((name) => !KEPT.includes(name));
  const filled = async (among: string[]): Promise<string[]> => {
    const columns = among.map((name, index) => `exists (select from ${name}) as t${index}`);
    const [row] = await asSuperuser<Record<string, boolean>>(`select ${columns.join(', ')}`);
    return among.filter((_, index) => row?.[`t${index}`] === true);
  };
  const notOurs = await filled(names);
  const ours = names.filter((name) => !notOurs.includes(name));
  return async () => {
    const used = await filled(ours);
    if (used.length > 0) await asSuperuser(`set lock_timeout = '20s'; truncate ${used.join(', ')} restart identity cascade`);
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
