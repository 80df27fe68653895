/** The TypeScript that the library's README and the guides show compiles as it stands, and the README's runs. */
import { execFile, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { CHILD_ENV } from '../support/app/child-process.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { plantSession } from '../support/identity/sessions.ts';

const root = path.join(import.meta.dirname, '../..');
/** Within the checkout, where the library is found. */
const folder = mkdtempSync(path.join(root, 'packages/sdk/samples-'));
let app: TestApp | undefined;
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await app?.close();
});

const FILES = ['packages/sdk/README.md', ...globSync('docs/guides/*.md', { cwd: root }).toSorted()];

/** The blocks of a page in one module, for later ones go on with what earlier ones made. */
function moduleOf(file: string): string {
  const blocks = readFileSync(path.join(root, file), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm);
  return Array.from(blocks, ([, code = '']) => code).join('\n');
}

function written(file: string): string {
  const name = path.join(folder, `${file.replaceAll(/\W+/g, '-')}.ts`);
  writeFileSync(name, `${moduleOf(file)}\nexport {};\n`);
  return name;
}

test('it compiles', () => {
  const names = FILES.filter((file) => moduleOf(file) !== '').map(written);
  expect(names.length).toBeGreaterThan(0);
  const config = path.join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ extends: '../tsconfig.json', include: ['*.ts'] }));
  const { stdout } = spawnSync('tsc', ['--noEmit', '-p', config], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

test("the README's runs from top to bottom", async () => {
  app = await startTestApp();
  const { tenantId, sandboxKey } = await app.newTenant();
  const file = written('packages/sdk/README.md');
  const member = await app.http.post('/api/v1/users').set('x-tenant-api-key', sandboxKey).send({ email: 'me@shop.example' });
  const { accessToken } = await plantSession(app, { tenantId, environment: 'SANDBOX' }, member.body.id as string);
  const env = { ...CHILD_ENV, MCR_KEY: sandboxKey, MCR_URL: app.baseUrl, MEMBER_TOKEN: accessToken };
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=source', file], { env });
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(/^400 VALIDATION_ERROR [0-9a-f-]{36}$/),
    'email must be an email address',
  ]);
  expect(stdout).toContain('me@shop.example');
  expect(stdout).toContain('123.45');
});
