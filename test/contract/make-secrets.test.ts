/** deploy/make-secrets.sh: the secrets that docker-compose.yml names. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { readCompose } from '../support/compose/compose-file.ts';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const names = Object.keys(readCompose().secrets);

test('makes what the file names', () => {
  const made = [...read('deploy/make-secrets.sh').matchAll(/^keep (\w+) "\$\{(\w+):-\}"/gm)];
  expect(made.map(([, name]) => name)).toEqual(names);
  for (const [, name = '', variable] of made) expect(variable).toBe(name.toUpperCase());
  expect(read('.gitignore').split('\n')).toContain('secrets/');
});

test('makes what is missing, random or as a variable says, keeps what is there, and lets nobody else into the folder', () => {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'svc-make-secrets-')), 'secrets');
  const make = (env: Record<string, string> = {}): string =>
    execFileSync(path.join(root, 'deploy/make-secrets.sh'), {
      env: { PATH: process.env['PATH'], SECRETS_DIR: folder, ...env },
      encoding: 'utf8',
      stdio: 'pipe',
    });
  const secret = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
  expect(make({ SVC_APP_PASSWORD: 'of before' }).match(/^made /gm)).toHaveLength(names.length);
  expect(secret('svc_app_password')).toBe('of before\n');
  expect(secret('postgres_password')).toMatch(/^[0-9a-f]{48}\n$/);
  expect(new Set(names.map(secret)).size).toBe(names.length);
  const { secrets } = loadConfig({
    DATABASE_URL: 'postgres://svc_app@postgres:5432/svc',
    DATABASE_PASSWORD_FILE: path.join(folder, 'svc_app_password'),
    API_KEY_PEPPER_FILE: path.join(folder, 'api_key_pepper'),
    DATA_KEYS_FILE: path.join(folder, 'data_keys'),
  });
  expect([secrets.apiKeyPepper.length, secrets.dataKeys.map(({ id }) => id)]).toEqual([32, ['k1']]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of names) expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o444);

  const before = names.map(secret);
  rmSync(path.join(folder, 'redis_password'));
  expect(make({ POSTGRES_PASSWORD: 'another' }).match(/^made .*/gm)).toEqual(['made redis_password']);
  expect(names.filter((name, index) => secret(name) !== before[index])).toEqual(['redis_password']);
  expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());

  rmSync(path.join(folder, 'data_keys'));
  mkdirSync(path.join(folder, 'data_keys'));
  expect(() => make()).toThrow(/data_keys is a folder, made by Docker/);
});
