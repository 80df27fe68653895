/** The rate limits beside a real Redis that hangs, is killed and comes back: docs/specification/conventions.md#shared-counters. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { apiClient } from '../support/app/api-client.ts';
import { noteChild } from '../support/app/child-process.ts';
import { freePort } from '../support/app/free-port.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

const LIMIT = 1_000_000;
const BACK = { timeout: 10_000, interval: 200 };

let directory: string;
let port: number;
let redis: ChildProcess;
let app: TestApp;
let liveKey: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'svc-redis-'));
  port = await freePort();
  redis = await startRedis();
  app = await startTestApp({ REDIS_URL: `redis://:secret@127.0.0.1:${port}`, RATE_LIMIT_LIVE: `${LIMIT}` });
  liveKey = (await app.newTenant()).liveKey;
  await remaining();
});
afterEach(async () => {
  await app.close();
  redis.kill('SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

async function startRedis(...settings: string[]): Promise<ChildProcess> {
  const plain = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory, '--requirepass', 'secret'];
  const child = spawn('redis-server', ['--port', `${port}`, ...plain, ...settings], { stdio: 'ignore' });
  noteChild(child);
  await vi.waitFor(() => ask('PING'), { timeout: 10_000, interval: 50 });
  return child;
}

/** Over a connection of its own; the answer's first line. */
async function ask(command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    socket.write(`AUTH secret\r\n${command}\r\n`);
    let answer = '';
    for await (const chunk of socket) {
      answer += String(chunk);
      const [, line] = answer.split('\r\n');
      if (answer.split('\r\n').length > 2) return line ?? '';
    }
    throw new Error('redis closed the connection');
  } finally {
    socket.destroy();
  }
}

async function remaining(): Promise<number> {
  const answer = await apiClient(app, liveKey).get('/api/v1/users');
  expect(answer.status).toBe(200);
  return Number(answer.headers['x-ratelimit-remaining']);
}

const counts = async () => expect(await remaining()).toBeLessThan(LIMIT);
const linesOf = (text: string) => app.logLines.filter((line) => line.includes(text)).length;

test('stopped, it holds up nobody, and goes on counting where it was', async () => {
  await counts();
  const before = await remaining();
  redis.kill('SIGSTOP');
  const begun = performance.now();
  for (let sent = 0; sent < 20; sent++) expect(await remaining()).toBe(LIMIT);
  expect(performance.now() - begun).toBeLessThan(3_000);
  await sleep(4_000); // it is tried again meanwhile
  expect([linesOf('redis does not count'), linesOf('redis counts again')]).toEqual([1, 0]);
  redis.kill('SIGCONT');
  await vi.waitFor(counts, BACK);
  expect(await remaining()).toBeLessThan(before);
  expect([linesOf('redis does not count'), linesOf('redis counts again')]).toEqual([1, 1]);
});

test('stopped, it does not hold up the end', async () => {
  redis.kill('SIGSTOP');
  const waiting = Promise.all([remaining(), remaining()]);
  const begun = performance.now();
  app.composition.rateLimits.close();
  expect(performance.now() - begun).toBeLessThan(150);
  await waiting;
});

test('killed and started anew, it is given the scripts again', async () => {
  await counts();
  redis.kill('SIGKILL');
  await once(redis, 'exit');
  expect(await remaining()).toBe(LIMIT);
  redis = await startRedis();
  await vi.waitFor(counts, BACK);
  expect([linesOf('redis does not count'), linesOf('redis counts again')]).toEqual([1, 1]);
});

test('without its scripts it is given them, and counts on', async () => {
  await counts();
  const before = await remaining();
  expect(await ask('SCRIPT FLUSH')).toBe('+OK');
  expect(await remaining()).toBe(before - 1);
  expect(linesOf('redis does not count')).toBe(0);
});

test.each([
  ['a replica', 'REPLICAOF 127.0.0.1 1', 'REPLICAOF NO ONE', 'READONLY'],
  ['full', 'CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0', 'OOM'],
])('%s, it lets requests pass and counts when it can again', async (_what, worse, better, cause) => {
  await counts();
  expect(await ask(worse)).toMatch(/^\+OK/);
  for (let sent = 0; sent < 3; sent++) expect(await remaining()).toBe(LIMIT);
  expect(await ask(better)).toMatch(/^\+OK/);
  await vi.waitFor(counts, BACK);
  expect([linesOf('redis does not count'), linesOf(cause), linesOf('redis counts again')]).toEqual([1, 1, 1]);
});
