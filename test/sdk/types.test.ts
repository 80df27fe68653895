/** What compiles with the library and what does not, and that it is a package that node and the compiler take. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const tsc = path.join(root, 'node_modules/.bin/tsc');
let folder: string;

/** The library packed, and unpacked where a program of another project would find it. */
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sdk-'));
  execFileSync('npm', ['pack', '-w', '@mcr/sdk', '--pack-destination', folder, '--silent'], { cwd: root });
  const [packed = ''] = readdirSync(folder);
  mkdirSync(path.join(folder, 'node_modules/@mcr'), { recursive: true });
  execFileSync('tar', ['-xzf', packed], { cwd: folder });
  cpSync(path.join(folder, 'package'), path.join(folder, 'node_modules/@mcr/sdk'), { recursive: true });
  for (const name of ['standardwebhooks', '@stablelib', 'fast-sha256']) {
    cpSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name), { recursive: true });
  }
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
});
afterAll(() => rmSync(folder, { recursive: true }));

function compile(name: string, text: string): string {
  writeFileSync(path.join(folder, name), text);
  const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false'];
  const run = spawnSync(
    tsc,
    [...flags, '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,dom', '--types', '', name],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  return run.stdout;
}

test('wrong calls do not compile, right ones do, from the packed library and without skipping its own types', () => {
  expect(compile('calls.ts', readFileSync('test/sdk/wrong-calls.ts', 'utf8'))).toBe('');
});

test('the packed library runs under node as JavaScript, with one dependency', () => {
  writeFileSync(
    path.join(folder, 'run.js'),
    `import { amount, createClient } from '@mcr/sdk';
     const api = createClient({ apiKey: 'k', fetch: async (url, init) => new Response(JSON.stringify({ url, method: init.method })) });
     console.log(amount(5, 'EUR'), (await api.getUser({ user_id: 'a/b' })).url);`,
  );
  const said = execFileSync(process.execPath, ['run.js'], { cwd: folder, encoding: 'utf8' });
  expect(said).toBe('0.05 http://127.0.0.1:3000/api/v1/users/a%2Fb\n');
  const { dependencies } = JSON.parse(readFileSync('packages/sdk/package.json', 'utf8')) as { dependencies: object };
  expect(Object.keys(dependencies)).toEqual(['standardwebhooks']);
});
