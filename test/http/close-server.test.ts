/** The end of the HTTP server: who is being answered gets the answer, and no client's kept-alive connection holds it up. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import express, { type Express } from 'express';
import { expect, test } from 'vitest';
import { closeHttpServer, createHttpServer } from '../../src/http/server.ts';

/** Far beyond what the end takes, and far below the time that a connection is kept alive. */
const TIMEOUT_MS = 20_000;
const SOON_MS = 5_000;

async function listen(app: Express): Promise<{ server: ReturnType<typeof createHttpServer>; port: number }> {
  const server = createHttpServer(app, 'LIVE');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** Asks over a connection that the client keeps. */
function ask(port: number, agent: Agent): Promise<{ text: string; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, agent }, (res) => {
      let text = '';
      res.on('data', (chunk: Buffer) => (text += chunk.toString()));
      res.on('end', () => resolve({ text, connection: res.headers.connection }));
    })
      .on('error', reject)
      .end();
  });
}

test.each([
  ['that has not begun', false, 'close'],
  ['that has begun', true, 'keep-alive'],
])('an answer %s is sent whole, then its kept-alive connection ends', async (_when, begun, connection) => {
  let answer = (): void => undefined;
  const app = express();
  app.get('/', (_req, res) => {
    if (begun) res.write('one ');
    answer = () => void res.end('two');
  });
  const { server, port } = await listen(app);
  const agent = new Agent({ keepAlive: true });
  const asked = ask(port, agent);
  await once(server, 'request');
  if (begun) await sleep(50);
  const from = performance.now();
  const closed = closeHttpServer(server, TIMEOUT_MS);
  await sleep(50);
  answer();
  expect(await asked).toEqual({ text: begun ? 'one two' : 'two', connection });
  expect(await closed).toBe(true);
  expect(performance.now() - from).toBeLessThan(SOON_MS);
  agent.destroy();
});

test('an idle kept-alive connection does not hold it up, and what never ends is cut', async () => {
  const app = express();
  app.get('/', (_req, res) => void res.end('done'));
  const { server, port } = await listen(app);
  const agent = new Agent({ keepAlive: true });
  await ask(port, agent);
  expect(await closeHttpServer(server, TIMEOUT_MS)).toBe(true);

  const hanging = express();
  hanging.get('/', () => undefined);
  const second = await listen(hanging);
  const asked = ask(second.port, agent).catch((error: NodeJS.ErrnoException) => error.code);
  await once(second.server, 'request');
  expect(await closeHttpServer(second.server, 200)).toBe(false);
  expect(await asked).toBe('ECONNRESET');
  agent.destroy();
});
