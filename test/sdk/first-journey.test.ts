/** The library's example: forty lines from two members to a payout, with the webhook that tells of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHILD_ENV, noteChild } from '../support/app/child-process.ts';
import { freePort } from '../support/app/free-port.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

const EXAMPLE = 'packages/sdk/examples/first-journey.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'inline' });
});
afterAll(() => app.close());

function start(words: string[], env: Record<string, string>): ChildProcess & { said: () => string } {
  const child = spawn(process.execPath, words, { env: { ...CHILD_ENV, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  noteChild(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  return Object.assign(child, { said: () => said });
}

/** What the process has printed that matches. */
async function printed(child: ReturnType<typeof start>, pattern: RegExp): Promise<string> {
  for (;;) {
    const found = pattern.exec(child.said())?.[1];
    if (found !== undefined) return found;
    if (child.exitCode !== null) throw new Error(`it ended: ${child.said()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('it has forty lines at most', () => {
  expect(readFileSync(EXAMPLE, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(40);
});

test('it goes from two members to a payout, and verifies the event that tells of it', async () => {
  const { sandboxKey } = await app.newTenant();
  const port = String(await freePort());
  const listen = start(
    ['src/cli.ts', 'listen', '--key', sandboxKey, '--url', app.baseUrl, '--forward', `http://127.0.0.1:${port}/hooks`],
    { NODE_ENV: 'test' },
  );
  try {
    const secret = await printed(listen, /(whsec_[\w+/=]+)/);
    const journey = start(['--conditions=source', EXAMPLE], {
      MCR_KEY: sandboxKey,
      MCR_URL: app.baseUrl,
      MCR_WEBHOOK_SECRET: secret,
      PORT: port,
    });
    const [code] = (await once(journey, 'exit')) as [number];
    expect({ code, said: journey.said() }).toEqual({
      code: 0,
      said: [
        'level 1: 100.00',
        'level 2: 50.00',
        'commission: cleared',
        'reversal: cleared',
        'run: executing',
        'verified: payout.paid, 80.00 USD',
        '',
      ].join('\n'),
    });
  } finally {
    listen.kill('SIGKILL');
  }
});
