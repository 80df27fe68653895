/** The Redis of docker-compose.yml, by its own command and health check: with a password that no list of processes shows. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createClient } from 'redis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { CHILD_ENV, noteChild } from '../support/app/child-process.ts';
import { readCompose } from '../support/compose/compose-file.ts';

const { command = [], healthcheck } = readCompose().services['redis'] ?? {};
const PASSWORD = 'p@ss:w/rd?#%41 ü';
let directory: string;
let port: number;
let server: ChildProcess;

/** The words of the file, where a secret is a file of ours and the port one that is free. */
const here = (words: readonly string[]): string[] =>
  words.map((word) =>
    word
      .replaceAll('/run/secrets', directory)
      .replace('save ""', `save ""\nport ${port}\nbind 127.0.0.1\ndir ${directory}`)
      .replace('redis-cli ping', `redis-cli -p ${port} ping`),
  );

async function isHealthy(): Promise<boolean> {
  const [, program = '', ...words] = here(healthcheck?.test ?? []);
  return promisify(execFile)(program, words, { env: CHILD_ENV }).then(
    () => true,
    () => false,
  );
}

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'svc-redis-'));
  writeFileSync(path.join(directory, 'redis_password'), `${PASSWORD}\n`);
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  port = (holder.address() as AddressInfo).port;
  await once(holder.close(), 'close');
  const [program = '', ...words] = here(command);
  server = spawn(program, words, { env: CHILD_ENV, stdio: 'ignore' });
  noteChild(server);
  for (let tries = 0; tries < 100 && !(await isHealthy()); tries += 1) await sleep(200);
});
afterAll(async () => {
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');
});

test('the service comes in with the password in the file, nobody comes in without', async () => {
  const { REDIS_URL = '' } = loadConfig({
    REDIS_URL: `redis://127.0.0.1:${port}`,
    REDIS_PASSWORD_FILE: path.join(directory, 'redis_password'),
    DATA_DIR: directory,
  });
  const client = createClient({ url: REDIS_URL });
  await client.connect();
  expect(await client.configGet('maxmemory*')).toMatchObject({
    maxmemory: String(96 * 1024 * 1024),
    'maxmemory-policy': 'volatile-ttl',
  });
  expect(await client.configGet('save')).toEqual({ save: '' });
  await client.close();
  const { stdout } = await promisify(execFile)('redis-cli', ['-p', String(port), 'ping'], { env: CHILD_ENV });
  expect(stdout).toContain('NOAUTH');
});

test('it is the container’s first process, so that SIGTERM reaches it, and its arguments have no password', () => {
  const words = readFileSync(`/proc/${server.pid}/cmdline`, 'utf8');
  expect(words).toContain('redis-server');
  expect(words).not.toContain('p@ss');
});

test('the health check fails where the password is another', async () => {
  writeFileSync(path.join(directory, 'redis_password'), 'other\n');
  expect(await isHealthy()).toBe(false);
  writeFileSync(path.join(directory, 'redis_password'), `${PASSWORD}\n`);
  expect(await isHealthy()).toBe(true);
});
