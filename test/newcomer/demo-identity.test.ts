/** `npm start -- --demo-idp`: a member signs in by the lines of the first screen, at each of two starts. */
import { execFileSync, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHILD_ENV, noteChild } from '../support/app/child-process.ts';
import { freePort } from '../support/app/free-port.ts';

let folder: string;
let port: number;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'demo-idp-'));
  port = await freePort();
});
afterAll(() => rmSync(folder, { recursive: true }));

function launch(env: Record<string, string> = {}, args = ['src/main.ts', '--demo-idp']) {
  const child = spawn('node', args, {
    env: { ...CHILD_ENV, DATA_DIR: path.join(folder, 'data'), PORT: String(port), EXAMPLE_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  noteChild(child);
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said.text += text;
    });
  }
  return { child, said, ended: once(child, 'close') };
}

/** Starts, signs in by the first screen's own lines, ends. */
async function signIn(): Promise<{ accessToken: string; user: unknown }> {
  const { child, said, ended } = launch();
  try {
    while (!said.text.includes('Stop with Ctrl-C')) {
      if (child.exitCode !== null) throw new Error(`it ended: ${said.text}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const lines = said.text.split('\n').filter((line) => /^ {2}(TOKEN=|curl .*auth\/exchange)/.test(line));
    expect(lines).toHaveLength(2);
    return JSON.parse(execFileSync('sh', ['-c', lines.join('\n')], { encoding: 'utf8' })) as Awaited<ReturnType<typeof signIn>>;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

const kept = (name: string): string => path.join(folder, 'data', 'demo-idp', name);

test('a member signs in at both of two starts, with the same signing key and certificate, which are private', async () => {
  expect(await signIn()).toMatchObject({ accessToken: expect.any(String) });
  const files = ['provider.json', 'tls.json'].map((name) => readFileSync(kept(name), 'utf8'));
  expect(['.', 'provider.json', 'tls.json'].map((name) => statSync(kept(name)).mode & 0o777)).toEqual([0o700, 0o600, 0o600]);
  expect(await signIn()).toMatchObject({ accessToken: expect.any(String) });
  expect(['provider.json', 'tls.json'].map((name) => readFileSync(kept(name), 'utf8'))).toEqual(files);
});

test.each(['development', 'production'])('is refused with a database of its own, %s', async (NODE_ENV) => {
  const { said, ended } = launch({
    NODE_ENV,
    PUBLIC_BASE_URL: 'https://api.shop.example',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    API_KEY_PEPPER: Buffer.alloc(32, 1).toString('base64'),
    DATA_KEYS: `k1:${Buffer.alloc(32, 2).toString('base64')}`,
  });
  const [code] = (await ended) as [number];
  expect([code, said.text]).toEqual([1, expect.stringContaining('--demo-idp: only with the embedded database')]);
});

test.each([
  ['src/worker.ts', '--demo-idp', '--demo-idp: the worker has no such flag; it has none'],
  ['src/main.ts', '--demo-ipd', '--demo-ipd: the api has no such flag; it knows --demo-idp'],
])('%s refuses %s', async (program, flag, words) => {
  const { said, ended } = launch({}, [program, flag]);
  const [code] = (await ended) as [number];
  expect([code, said.text]).toEqual([1, expect.stringContaining(`cannot start: configuration: ${words}`)]);
});

test('says that its package is not installed', async () => {
  const without = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(named, context, next) {
      if (named === 'oidc-provider') throw Object.assign(new Error('away'), { code: 'ERR_MODULE_NOT_FOUND' });
      return next(named, context);
    } });`;
  const hook = `data:text/javascript,${encodeURIComponent(without)}`;
  const { said, ended } = launch({}, ['--import', hook, 'src/main.ts', '--demo-idp']);
  const [code] = (await ended) as [number];
  expect([code, said.text]).toEqual([1, expect.stringContaining('--demo-idp: its packages are not installed')]);
});

test('makes the certificate anew when it ends within a day, and keeps the signing key', async () => {
  const before = ['provider.json', 'tls.json', 'certificate.pem'].map((name) => readFileSync(kept(name), 'utf8'));
  const [provider = '', tls = '', certificate = ''] = before;
  writeFileSync(kept('tls.json'), JSON.stringify({ ...JSON.parse(tls), endsAt: Date.now() + 86_400_000 }));
  expect(await signIn()).toMatchObject({ accessToken: expect.any(String) });
  expect(readFileSync(kept('provider.json'), 'utf8')).toBe(provider);
  const renewed = readFileSync(kept('certificate.pem'), 'utf8');
  expect(renewed).not.toBe(certificate);
  expect(new X509Certificate(renewed).checkIP('127.0.0.1')).toBe('127.0.0.1');
});

test('says which port is taken', async () => {
  const provider = JSON.parse(readFileSync(kept('provider.json'), 'utf8')) as { port: number };
  const holder = createServer().listen(provider.port, '127.0.0.1');
  await once(holder, 'listening');
  const { said, ended } = launch();
  const [code] = (await ended) as [number];
  holder.close();
  expect([code, said.text]).toEqual([1, expect.stringContaining(`port ${provider.port} of 127.0.0.1`)]);
});
