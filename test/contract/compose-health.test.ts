/** The health check of the API in docker-compose.yml, as the engine runs it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { CHILD_ENV, noteChild } from '../support/app/child-process.ts';
import { readCompose } from '../support/compose/compose-file.ts';

const [, program = '', ...words] = readCompose().services['api']?.healthcheck?.test ?? [];
let server: Server | undefined;
let first: ChildProcess | undefined;

afterEach(async () => {
  server?.close();
  if (first?.exitCode === null && first.signalCode === null) {
    first.kill('SIGKILL');
    await once(first, 'exit');
  }
});

/** Runs the check, with the process `first` in the place of the container's number 1. */
async function check(port: number): Promise<number> {
  first = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { env: CHILD_ENV, stdio: 'ignore' });
  noteChild(first);
  const here = words.map((word) => word.replace(':3000', `:${port}`).replace('process.kill(1,', `process.kill(${first?.pid},`));
  expect(here.join(' ')).toContain(String(first.pid));
  return promisify(execFile)(program === 'node' ? process.execPath : program, here, { env: CHILD_ENV }).then(
    () => 0,
    (error: { code: number }) => error.code,
  );
}

async function listen(status: number): Promise<number> {
  server = createServer((req, res) => res.writeHead(req.url === '/healthz' ? status : 404).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('is good while the process says so, and lets it live', async () => {
  expect(await check(await listen(200))).toBe(0);
  expect(first?.signalCode).toBeNull();
});

test('ends a process that says that only a restart can help', async () => {
  expect(await check(await listen(503))).toBe(1);
  if (first?.signalCode === null) await once(first, 'exit');
  expect(first?.signalCode).toBe('SIGTERM');
});

test.each([
  ['answers otherwise', 500],
  ['does not answer', undefined],
])('fails for a process that %s, and lets it live: the next answer may be good', async (_label, status) => {
  const port = await listen(status ?? 200);
  if (status === undefined) await once(server?.close() as Server, 'close');
  expect(await check(port)).toBe(1);
  expect(first?.signalCode).toBeNull();
});
