/** A migration adds a column while statements that end in all columns are prepared: docs/specification/reliability.md#outdated-plans. */
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool } from '../../src/db/connect.ts';
import { createFrames, type Frames } from '../../src/db/frame.ts';
import type { Scope } from '../../src/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';

const scope: Scope = { tenantId: '019a0000-0000-7000-8000-000000000000', environment: 'LIVE' };
const CONNECTIONS = 4;

let database: TestDatabase;
let pool: ReturnType<typeof openPool>;
let frames: Frames;
let columns = 1;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.asSuperuser('create table widget (c0 int); insert into widget values (7); grant all on widget to svc_app');
  pool = openPool({
    url: database.appUrl,
    size: CONNECTIONS,
    acquireTimeoutMs: 5_000,
    applicationName: 'svc-test',
    logger: pino({ level: 'silent' }),
  });
  frames = createFrames(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Takes its time, so that as many at once are on a connection each. */
const all = { name: 'widget_all', text: 'select w.*, pg_sleep(0.2) from widget w', values: [] };
const change = { name: 'widget_change', text: 'update widget set c0 = c0 + 1 returning *', values: [] };

async function addColumn(): Promise<void> {
  await database.asSuperuser(`alter table widget add column c${columns++} int`);
}

const onAll = (run: () => Promise<unknown>) => Promise.all(Array.from({ length: CONNECTIONS }, run));

test.each<[string, () => Promise<unknown>]>([
  ['a read of one statement', () => frames.readOnce(scope, all)],
  ['a read of several', () => frames.read(scope, (db) => db.rows(all))],
  ['a statement outside any tenant', () => frames.unscoped(all)],
  ['a write', () => frames.write(scope, (db) => db.rows(change))],
  ['a write whose last statement is its first', () => frames.write(scope, (db) => db.lastRow(change))],
])('%s goes on behind the migration, on every connection at once, and is done once', async (_name, run) => {
  await onAll(run);
  const before = await database.asSuperuser<{ c0: number }>('select c0 from widget');
  await addColumn();
  const written = (await onAll(run)).length;
  const after = await database.asSuperuser<{ c0: number }>('select c0 from widget');
  expect((after[0]?.c0 ?? 0) - (before[0]?.c0 ?? 0)).toBe(run.toString().includes('change') ? written : 0);
  await onAll(run);
});

test('what else is not supported is told as it is', async () => {
  await expect(frames.unscoped({ text: 'select 1 for update of widget', values: [] })).rejects.toThrow();
  await expect(
    frames.unscoped({ text: "do $$ begin raise exception 'no' using errcode = '0A000'; end $$", values: [] }),
  ).rejects.toMatchObject({ code: '0A000' });
});
