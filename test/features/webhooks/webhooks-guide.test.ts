/** What docs/webhooks.md tells to copy does what it says, as it stands there. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type SignedEvent, signatureHeaders } from '../../../src/features/webhooks/sending/sign-event.ts';
import { CHILD_ENV, noteChild } from '../../support/app/child-process.ts';
import { freePort } from '../../support/app/free-port.ts';

const root = path.join(import.meta.dirname, '../../..');
const guide = readFileSync(path.join(root, 'docs/webhooks.md'), 'utf8');
const codeOf = (language: string) => new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide)?.[1] ?? '';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const SECRET = newSecret();
const eventOf = (id: string, rest: Partial<SignedEvent> = {}): SignedEvent => {
  const body = Buffer.from(`{"id":"${id}","type":"payout.paid","data":{"name":"Zoë \\u2028 <b>"}}`);
  return { id, body, at: new Date(), ...rest };
};

describe.each([
  { language: 'ts', file: 'receiver.ts', run: process.execPath },
  { language: 'python', file: 'receiver.py', run: 'python3' },
])('the receiver in $language', ({ language, file, run }) => {
  let child: ChildProcess;
  let url: string;
  let printed = '';

  beforeAll(async () => {
    const parent = path.join(inject('cluster').directory, 'guide');
    mkdirSync(parent, { recursive: true });
    const folder = mkdtempSync(path.join(parent, `${language}-`));
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(path.join(folder, file), codeOf(language));
    const port = await freePort();
    url = `http://127.0.0.1:${port}/hooks`;
    const env = { ...CHILD_ENV, HOME: process.env['HOME'], WEBHOOK_SECRET: SECRET, PORT: String(port) };
    child = spawn(run, [path.join(folder, file)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    noteChild(child);
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    while (!(await fetch(url).catch(() => undefined))) await sleep(100);
  });
  afterAll(() => void child.kill('SIGKILL'));

  async function send(event: SignedEvent, secrets: string[], change: Record<string, string> = {}): Promise<number> {
    const headers = { 'content-type': 'application/json', ...signatureHeaders(event, secrets), ...change };
    return (await fetch(url, { method: 'POST', headers, body: event.body })).status;
  }

  test('takes what its secret has signed', async () => {
    expect(await send(eventOf('plain'), [SECRET])).toBe(204);
    await expect.poll(() => printed, { timeout: 60_000 }).toContain('payout.paid plain');
  });

  test('takes it during an overlap, whichever secret is its own', async () => {
    expect(await send(eventOf('second'), [newSecret(), SECRET])).toBe(204);
    expect(await send(eventOf('first'), [SECRET, newSecret()])).toBe(204);
  });

  const bad = (rest: Partial<SignedEvent> = {}) => eventOf('bad', rest);
  const seconds = (more: number) => String(Math.floor(Date.now() / 1000) + more);

  test.each<[string, () => Promise<number>]>([
    ['of another secret', () => send(bad(), [newSecret()])],
    ['with another body', () => send(bad(), [SECRET], signatureHeaders(eventOf('good'), [SECRET]))],
    ['with another id', () => send(bad(), [SECRET], { 'webhook-id': 'other' })],
    // By two, for the next second may begin behind the signature.
    ['of another time', () => send(bad(), [SECRET], { 'webhook-timestamp': seconds(-2) })],
    ['that is old', () => send(bad({ at: new Date(Date.now() - 400_000) }), [SECRET])],
    ['from the future', () => send(bad({ at: new Date(Date.now() + 400_000) }), [SECRET])],
    ['without a signature', async () => (await fetch(url, { method: 'POST', body: bad().body })).status],
  ])('refuses one %s', async (what, sending) => {
    expect(await sending()).toBe(400);
    const good = what.replaceAll(' ', '-');
    expect(await send(eventOf(good), [SECRET])).toBe(204);
    await expect.poll(() => printed, { timeout: 60_000 }).toContain(good);
    expect(printed).not.toContain('bad');
  });
});

test('the command of the guide is the one that there is', async () => {
  const { program } = await import('../../../src/cli.ts');
  const listen = program.commands.find((command) => command.name() === 'listen');
  const [, line = ''] = /^npm run -s cli -- (listen .*)$/m.exec(guide) ?? [];
  const named = [...`${line} ${guide}`.matchAll(/(?<=[\s`])--([a-z]+)/g)].map(([, name]) => `--${name}`);
  const known = listen?.options.map(({ long }) => long);
  expect(known).toEqual(expect.arrayContaining([...new Set(named)].filter((name) => name !== '--')));
});
