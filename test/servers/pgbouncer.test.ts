/**
 * A pooler between the service and the database (docs/upgrades.md#pgbouncer): Debian's PgBouncer 1.18, which knows nothing
 * of prepared statements. Where sessions are shared it is refused; with a session for each client it is taken.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openPool } from '../../src/db/connect.ts';
import { fromDatabaseError } from '../../src/db/constraints.ts';
import { createFrames } from '../../src/db/frame.ts';
import { findPooling } from '../../src/db/pooler.ts';
import type { Scope } from '../../src/db/scope.ts';
import { prepared } from '../../src/db/statement.ts';
import { CHILD_ENV, noteChild } from '../support/app/child-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { type PgBouncer, startPgBouncer } from '../support/faults/pgbouncer.ts';

let database: TestDatabase;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A program of the service whose databases are all behind the pooler. */
function start(
  pooler: PgBouncer,
  program: string,
  ...words: string[]
): { child: ChildProcess; said: () => string; ended: Promise<unknown> } {
  const env = {
    ...CHILD_ENV,
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: '0',
    OBJECT_STORAGE: 's3',
    S3_BUCKET: 'none',
    DATABASE_URL: pooler.through(database.appUrl),
    DATABASE_WORKER_URL: pooler.through(database.workerUrl),
    DATABASE_OWNER_URL: pooler.through(database.ownerUrl),
    API_KEY_PEPPER: randomBytes(32).toString('base64'),
    DATA_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  };
  const child = spawn(process.execPath, [`src/${program}`, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  noteChild(child);
  children.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, said: () => text, ended: once(child, 'close').then(([code]) => code) };
}

describe.each(['transaction', 'statement'] as const)('that shares sessions by %s', (mode) => {
  let pooler: PgBouncer;
  beforeAll(async () => {
    pooler = await startPgBouncer(mode, [database.appUrl, database.workerUrl, database.ownerUrl]);
  });
  afterAll(() => pooler.close());

  test.runIf(mode === 'transaction')(
    'is found, whichever session each connection is given, and with one session for all',
    async () => {
      for (let attempt = 0; attempt < 5; attempt++)
        expect(await findPooling(pooler.through(database.appUrl))).toBe('shared, statements lost');
      const narrow = await startPgBouncer(mode, [database.appUrl], 1);
      try {
        expect(await findPooling(narrow.through(database.appUrl))).toBe('shared, statements lost');
      } finally {
        await narrow.close();
      }
    },
  );

  test.each(['main.ts', 'worker.ts'])('%s does not start, with one line', async (program) => {
    const refused = start(pooler, program);
    expect(await refused.ended).toBe(1);
    expect(refused.said()).toMatch(
      /^cannot start: database: svc_(app|worker)@127\.0\.0\.1:\d+\/\w+ leads through a pooler that [^\n]+; connect directly, or through PgBouncer 1\.21 or later with max_prepared_statements=200 \(docs\/upgrades\.md#pgbouncer\)\n$/,
    );
  });

  test('migrate is refused: its lock would be held for others', async () => {
    const refused = start(pooler, 'cli.ts', 'migrate');
    expect(await refused.ended).toBe(1);
    expect(refused.said()).toBe(
      "the owner's address of the database leads through a pooler that gives its session to others; set DATABASE_OWNER_URL to the server's own address\n",
    );
  });
});

test('a pooler that shares sessions, put between while the service runs: outages alone, and no row of another', async () => {
  const pooler = await startPgBouncer('transaction', [database.appUrl]);
  const logger = pino({ level: 'silent' });
  const url = pooler.through(database.appUrl);
  const pool = openPool({ url, size: 5, acquireTimeoutMs: 5_000, applicationName: 'pooled', logger });
  try {
    const frames = createFrames(pool);
    const insert = prepared<unknown, [string, string, string]>(
      'pooled_insert',
      'insert into customer (tenant_id, environment, external_id) values ($1, $2, $3)',
    );
    const count = prepared<{ n: number }, []>('pooled_count', 'select count(*)::int as n from customer');
    const scopes = Array.from({ length: 5 }, (): Scope => ({ tenantId: randomUUID(), environment: 'LIVE' }));
    const written = new Map(scopes.map(({ tenantId }) => [tenantId, 0]));
    let failed = 0;
    for (let round = 0; round < 40; round++) {
      await Promise.all(
        scopes.map(async (scope) => {
          try {
            await frames.write(scope, (db) => db.rows(insert(scope.tenantId, scope.environment, randomUUID())));
            written.set(scope.tenantId, (written.get(scope.tenantId) ?? 0) + 1);
            const seen = await frames.read(scope, (db) => db.rows(count()));
            expect(seen).toEqual([{ n: written.get(scope.tenantId) }]);
          } catch (error) {
            if (!(error instanceof Error) || error.name === 'AssertionError') throw error;
            expect(fromDatabaseError(error, {}) ?? error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
            failed += 1;
          }
        }),
      );
    }
    expect(failed).toBeGreaterThan(0);
    const stored = await database.asSuperuser('select tenant_id, count(*)::int as n from customer group by 1 order by 1');
    expect(stored).toEqual(
      [...written]
        .filter(([, n]) => n > 0)
        .map(([tenantId, n]) => ({ tenant_id: tenantId, n }))
        .toSorted((a, b) => a.tenant_id.localeCompare(b.tenant_id)),
    );
  } finally {
    await pool.end();
    await pooler.close();
  }
});

test('a pooler with a session for each client is taken: the service starts, answers and migrates', async () => {
  const pooler = await startPgBouncer('session', [database.appUrl, database.workerUrl, database.ownerUrl], 20);
  try {
    expect(await findPooling(pooler.through(database.appUrl))).toBe('session');
    const migrated = start(pooler, 'cli.ts', 'migrate');
    expect(await migrated.ended).toBe(0);
    const api = start(pooler, 'main.ts');
    const port = await new Promise<number>((resolve, reject) => {
      api.child.stdout?.on('data', () => {
        const found = /"port":(\d+)/.exec(api.said());
        if (found && api.said().includes('"started"')) resolve(Number(found[1]));
      });
      api.child.once('exit', () => reject(new Error(api.said())));
    });
    for (let call = 0; call < 20; call++) expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    api.child.kill('SIGTERM');
    expect(await api.ended).toBe(0);
    expect(api.said()).not.toMatch(/42P05|26000/);
  } finally {
    await pooler.close();
  }
});
