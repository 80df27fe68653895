/**
 * What a newcomer does by README.md: `npm start`, then its commands from top to bottom in one shell, against the process
 * that runs. Answers that it shows are compared with those that come.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHILD_ENV, noteChild } from '../support/app/child-process.ts';
import { runBlocks } from '../support/guides/run-blocks.ts';

/** Sections whose commands need a provider, or another terminal beside. */
const ELSEWHERE = ['Five-minute start', 'Members sign in', 'Commands'];

let service: ChildProcess;
let folder: string;
let screen = '';
let base: string;
let sections: { title: string; text: string }[];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'newcomer-'));
  const port = await freePort();
  base = `http://localhost:${port}`;
  service = spawn('npm', ['start'], {
    env: { ...CHILD_ENV, HOME: folder, DATA_DIR: path.join(folder, 'data'), PORT: String(port), EXAMPLE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  noteChild(service);
  service.stdout?.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
  });
  while (!screen.includes('Stop with Ctrl-C')) {
    if (service.exitCode !== null) throw new Error(`it ended: ${screen}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const [, ...parts] = readFileSync('README.md', 'utf8').split(/^## /m);
  sections = parts.map((part) => ({ title: part.slice(0, part.indexOf('\n')), text: part }));
});
afterAll(async () => {
  if (service.pid !== undefined) process.kill(-service.pid, 'SIGTERM');
  await once(service, 'close');
  rmSync(folder, { recursive: true });
  // What the commands have written beside the sources.
  for (const name of ['dot.png', 'event.json', 'statement.pdf']) rmSync(name, { force: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const said = (name: string): string => new RegExp(`${name} +(\\S+)`).exec(screen)?.[1] ?? '';

async function run(titles: readonly string[]): Promise<void> {
  const file = path.join(folder, 'section');
  writeFileSync(file, sections.flatMap(({ title, text }) => (titles.includes(title) ? [`## ${text}`] : [])).join(''));
  const answers = await runBlocks({
    file,
    replace: { 'svc_sandbox_...': said('SANDBOX key'), 'http://localhost:3000': base },
    cwd: process.cwd(),
    env: { NODE_PATH: '' },
  });
  expect(answers.map(({ answer }) => answer)).toEqual(answers.map(({ shown }) => shown));
}

describe('the first screen', () => {
  test('names the dashboard first, then the address, the documentation and a call that works', async () => {
    const places = ['Dashboard', 'Address', 'Docs', 'SANDBOX key', 'curl -s'].map((word) => screen.indexOf(word));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(-1);
    const [, key = '', address = ''] = /curl -s -H 'x-tenant-api-key: (\S+)' (\S+)/.exec(screen) ?? [];
    expect((await fetch(address, { headers: { 'x-tenant-api-key': key } })).status).toBe(200);
    expect((await fetch(`${base}/docs`)).status).toBe(200);
  });
});

test("the README's commands run from top to bottom, and answer as it shows", async () => {
  const titles = sections.map(({ title }) => title).filter((title) => !ELSEWHERE.includes(title));
  expect(titles).toContain('First three calls');
  await run(titles);
});
