/** A migration whose process is killed: the next one continues (docs/specification/reliability.md#f-14). */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { CHILD_ENV, noteChild } from '../support/app/child-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { eventually } from '../support/jobs/test-jobs.ts';

let database: TestDatabase;
let folder: string;
const children: ChildProcess[] = [];
const readers: pg.Client[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'migrations-'));
  await database.asSuperuser(
    'create table big (n int); insert into big select generate_series(1, 1000); alter table big owner to svc_owner',
  );
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const reader of readers.splice(0)) await reader.end();
  await database.asSuperuser("drop table if exists big; delete from knex_migrations where name like '2099%'");
  await rm(folder, { recursive: true });
});

const migration = (name: string, up: string, config = '{}'): Promise<void> =>
  writeFile(
    path.join(folder, `2099${name}.mjs`),
    `export const up = async (knex) => { ${up} };\nexport const down = async () => undefined;\nexport const config = ${config};\n`,
  );

function migrate(): { child: ChildProcess; ended: Promise<{ code: unknown; said: string }> } {
  const child = spawn(process.execPath, ['test/support/database/migrate-process.ts', database.ownerUrl, folder], {
    env: CHILD_ENV,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  noteChild(child);
  children.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return { child, ended: once(child, 'close').then(([code, signal]) => ({ code: signal ?? code, said })) };
}

const running = async (like: string): Promise<boolean> =>
  (
    await database.asSuperuser(
      "select from pg_stat_activity where datname = current_database() and state = 'active' and query like $1 and pid <> pg_backend_pid()",
      [`${like}%`],
    )
  ).length > 0;

/** Whether each index of `big` is valid, by name. */
const indexes = (): Promise<unknown[]> =>
  database.asSuperuser(
    "select i.indexrelid::regclass::text as name, i.indisvalid as valid from pg_index i where i.indrelid = 'big'::regclass order by 1",
  );

test("in a transaction: all of the batch is undone, and the next run makes it while the killed one's statement is about to end", async () => {
  await migration('0101000000_first', "await knex.raw('alter table big add column first int')");
  await migration(
    '0101000001_second',
    "await knex.raw('alter table big add column second int'); await knex.raw('select pg_sleep(60)')",
  );
  const killed = migrate();
  await eventually(() => running('select pg_sleep'), 60_000);
  killed.child.kill('SIGKILL');
  expect((await killed.ended).code).toBe('SIGKILL');
  await migration('0101000001_second', "await knex.raw('alter table big add column second int')");
  expect(await migrate().ended).toEqual({ code: 0, said: 'ran 20990101000000_first 20990101000001_second\n' });
});

test('beside a transaction: an index that was left unfinished is made anew, and what had been recorded is not run again', async () => {
  const alone = '{ transaction: false }';
  await migration('0101000000_first', "await knex.raw('alter table big add column first int')");
  await migration('0101000001_index', "await knex.raw('create index concurrently if not exists big_n on big (n)')", alone);
  // Its building waits until this snapshot is gone.
  const reader = new pg.Client({ connectionString: database.ownerUrl });
  await reader.connect();
  readers.push(reader);
  await reader.query('begin isolation level repeatable read; select count(*) from pg_class');
  const killed = migrate();
  await eventually(() => running('create index concurrently'), 60_000);
  killed.child.kill('SIGKILL');
  await killed.ended;
  await eventually(async () => !(await running('create index concurrently')));
  await readers.pop()?.end();
  expect(await indexes()).toEqual([{ name: 'big_n', valid: false }]);
  expect(await migrate().ended).toEqual({
    code: 0,
    said: 'dropped big_n, which a killed migration had left unfinished\nran 20990101000001_index\n',
  });
  expect(await indexes()).toEqual([{ name: 'big_n', valid: true }]);
});
