/**
 * What a newcomer does by README.md: `npm start`, then its commands from top to bottom in one shell, against the process
 * that runs. Answers that it shows are compared with those that come.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHILD_ENV, noteChild } from '../support/app/child-process.ts';
import { freePort } from '../support/app/free-port.ts';
import { runBlocks } from '../support/guides/run-blocks.ts';

/** Sections whose commands are run apart from the others. */
const ELSEWHERE = ['Five-minute start', 'Commands'];

/** Sections that each run by themselves. */
const ALONE = [
  'Refund it, wait, ask why',
  'See the team',
  'Verify a member',
  'Pay a member',
  'Refer somebody',
  'Hear what happens',
];

let service: ChildProcess;
let folder: string;
let dataDir: string;
let screen = '';
let base: string;
let sections: { title: string; text: string }[];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'newcomer-'));
  dataDir = path.join(folder, 'data');
  const port = await freePort();
  base = `http://localhost:${port}`;
  service = spawn('npm', ['start', '--', '--demo-idp'], {
    env: { ...CHILD_ENV, HOME: folder, DATA_DIR: dataDir, PORT: String(port), EXAMPLE_PORT: '0' },
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

const said = (name: string): string => new RegExp(`${name} +(\\S+)`).exec(screen)?.[1] ?? '';

/** Runs parts of README.md in one shell, in the SANDBOX of `key`, and compares each answer with the one that is shown. */
async function run(parts: readonly string[], key = said('SANDBOX key')): Promise<void> {
  const file = path.join(folder, 'parts');
  writeFileSync(file, parts.join('\n'));
  const answers = await runBlocks({
    file,
    replace: {
      'svc_sandbox_...': key,
      'http://localhost:3000': base,
      'https://127.0.0.1:3002': `https://127.0.0.1:${Number(new URL(base).port) + 2}`,
      '.data/': `${dataDir}/`,
    },
    cwd: process.cwd(),
    env: { NODE_PATH: '' },
  });
  expect(answers.map(({ answer }) => answer)).toEqual(answers.map(({ shown }) => shown));
}

const textOf = (title: string): string => `## ${sections.find((one) => one.title === title)?.text ?? ''}`;

/** A command of the service's, beside it and on its data. */
async function cli(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'cli', '--', ...command.split(' ')], {
    env: { ...CHILD_ENV, HOME: folder, DATA_DIR: dataDir },
  });
  return stdout;
}

/** Payouts that have reached their member. */
async function paidOf(key: string): Promise<number> {
  const answer = await fetch(`${base}/api/v1/payouts?status=paid`, { headers: { 'x-tenant-api-key': key } });
  return ((await answer.json()) as { data: unknown[] }).data.length;
}

async function newSandbox(): Promise<string> {
  const [tenant = ''] = /[\da-f-]{36}/.exec(await cli('tenant create --name Shop --currency USD')) ?? [];
  return /svc_sandbox_\S+/.exec(await cli(`key create --tenant ${tenant} --environment sandbox --name demo`))?.[0] ?? '';
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

test('its commands run from top to bottom in one shell, and answer as it shows', async () => {
  const titles = sections.map(({ title }) => title).filter((title) => !ELSEWHERE.includes(title));
  expect(titles).toContain('First three calls');
  await run(titles.map(textOf));
  expect(await paidOf(said('SANDBOX key'))).toBe(1);
});

describe('once Ann and Bob are there, in a shell that knows nothing but the first lines', () => {
  test.each(ALONE)('%s', async (title) => {
    const key = await newSandbox();
    const [, firstLines = ''] = /(```sh\nKEY=[\s\S]*?```)/.exec(textOf('First three calls')) ?? [];
    await run([textOf('First three calls')], key);
    await run([firstLines, textOf(title)], key);
    if (title === 'Pay a member') expect(await paidOf(key)).toBe(1);
  });

  test('those are all sections with commands, but for signing in, where the provider is known to the demo tenant alone', () => {
    const withCommands = sections.filter(({ text }) => text.includes('```sh')).map(({ title }) => title);
    expect(withCommands.toSorted()).toEqual([...ALONE, ...ELSEWHERE, 'First three calls', 'Members sign in'].toSorted());
  });
});

test('the commands for operators that it lists do what they say', async () => {
  const listed = [...textOf('Commands').matchAll(/^npm run -s cli -- (.*?)(?: +#.*)?$/gm)].map(([, command = '']) => command);
  const answers: string[] = [];
  for (const command of listed) {
    const [tenant = ''] = /[\da-f-]{36}/.exec(answers[0] ?? '') ?? [];
    answers.push(await cli(command.replaceAll('"', '').replace('My Shop', 'Shop').replace('<tenantId>', tenant)));
  }
  expect(answers).toEqual([
    expect.stringMatching(/^Tenant [\da-f-]{36}\n/),
    expect.stringMatching(/svc_sandbox_/),
    expect.stringMatching(/books|ok/),
    expect.stringMatching(/^ok /m),
  ]);
});
