/** What a newcomer has after `npm start`: the embedded database, a demo tenant, and its shop with the widget. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CHILD_ENV, noteChild } from '../support/app/child-process.ts';
import { freePort } from '../support/app/free-port.ts';

const START_MS = 120_000;

test(
  'the first screen names the example shop, whose members have earned something and have links to look at',
  async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'first-start-'));
    const examplePort = await freePort();
    const child = spawn(process.execPath, ['src/main.ts'], {
      cwd: path.resolve(import.meta.dirname, '../..'),
      env: { ...CHILD_ENV, PORT: '0', EXAMPLE_PORT: String(examplePort), DATA_DIR: path.join(home, 'data'), LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    noteChild(child);
    const exited = once(child, 'exit');
    try {
      let screen = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        screen += text;
      });
      await expect.poll(() => screen, { timeout: START_MS, interval: 100 }).toContain('Stop with Ctrl-C');
      const shop = `http://localhost:${examplePort}`;
      expect(screen).toContain(`Widget     ${shop} `);
      const service = /Address {4}(http:\/\/localhost:\d+)\/api\/v1/.exec(screen)?.[1] ?? '';

      const page = await (await fetch(shop)).text();
      const [, dan] = /value="([^"]+)"><button><bdi>Dan Leaf</.exec(page) ?? [];
      const own = { origin: shop, 'sec-fetch-site': 'same-origin' };
      const signedIn = await fetch(`${shop}/sign-in`, {
        method: 'POST',
        headers: own,
        body: new URLSearchParams({ member: dan ?? '' }),
        redirect: 'manual',
      });
      const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const begun = await fetch(`${shop}/referral-session`, {
        method: 'POST',
        headers: { ...own, cookie, 'content-type': 'application/json' },
        body: '{}',
      });
      const { widgetToken, embedUrl } = (await begun.json()) as { widgetToken: string; embedUrl: string };
      expect(embedUrl.startsWith(`${service}/widget/frame/`)).toBe(true);
      expect((await fetch(embedUrl)).headers.get('content-security-policy')).toContain(`frame-ancestors ${shop}`);

      const read = async (what: string) =>
        (await (
          await fetch(`${service}/widget/${what}`, { headers: { authorization: `Bearer ${widgetToken}` } })
        ).json()) as never;
      const { months, total } = (await read('earnings')) as { months: { count: number }[]; total: { amount: string } };
      expect(Number(total.amount)).toBeGreaterThan(10);
      expect(months.filter(({ count }) => count > 0).length).toBeGreaterThan(3);
      expect(await read('links')).toMatchObject({ canCreate: true, links: [{ name: 'For my neighbours' }] });
    } finally {
      child.kill('SIGTERM');
      await exited;
      await rm(home, { recursive: true, force: true });
    }
  },
  START_MS + 30_000,
);
