/** The logins of an embedded database, kept in its data directory over releases. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newLogins, readLogins } from '../../src/db/local-database.ts';

let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'logins-'));
  file = path.join(directory, 'database-logins.json');
});
afterEach(() => rm(directory, { recursive: true }));

test('a new file has all four, and is read again as it is', async () => {
  const logins = readLogins(file);
  expect(Object.values(logins).map(({ user }) => user)).toEqual(['svc_owner', 'svc_app', 'svc_worker', 'svc_admin']);
  expect(readLogins(file)).toEqual(logins);
});

test('a file of an earlier release is extended in place, and keeps its passwords and its mode', async () => {
  const { worker: _later, ...earlier } = newLogins();
  await writeFile(file, JSON.stringify(earlier), { mode: 0o600 });
  const logins = readLogins(file);
  expect(logins).toEqual({ ...earlier, worker: { user: 'svc_worker', password: expect.stringMatching(/^[\w-]{32}$/) } });
  expect(readLogins(file)).toEqual(logins);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(logins);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(directory)).toEqual(['database-logins.json']);
});
