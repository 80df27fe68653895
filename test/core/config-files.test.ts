/** Settings in files: docs/specification/conventions.md#secret-files. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/config.ts';
import { PASSWORD_FILES } from '../../src/config-files.ts';
import { loginOf } from '../../src/db/roles.ts';
import { loadServiceConfig } from '../../src/service.ts';

const pepper = randomBytes(32).toString('base64');
const hosted = (extra: Record<string, string>) => ({
  DATABASE_URL: 'postgres://svc_app@db.example:5432/svc',
  API_KEY_PEPPER: pepper,
  DATA_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  ...extra,
});

let directory: string;
let made = 0;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'svc-secrets-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function file(content: string | Buffer): string {
  made += 1;
  const name = path.join(directory, String(made));
  writeFileSync(name, content);
  return name;
}

function faultsOf(env: Record<string, string>): string[] {
  try {
    loadServiceConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults;
  }
  throw new Error('the configuration was accepted');
}

describe('a setting in a file', () => {
  test('is taken as if it stood in the environment, the house’s and the features’ alike', () => {
    const { API_KEY_PEPPER, DATABASE_URL, DATA_KEYS } = hosted({});
    const config = loadServiceConfig({
      DATABASE_URL_FILE: file(DATABASE_URL.replace('svc_app', 'svc_app:pw')),
      API_KEY_PEPPER_FILE: file(API_KEY_PEPPER),
      DATA_KEYS_FILE: file(DATA_KEYS),
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY_FILE: file('secret'),
      PORT_FILE: file('8080'),
      AUDIT_RETENTION_DAYS_FILE: file('40'),
    });
    expect(config.DATABASE_URL).toBe('postgres://svc_app:pw@db.example:5432/svc');
    expect(config.secrets.apiKeyPepper.toString('base64')).toBe(pepper);
    expect([config.secrets.dataKeys[0]?.id, config.S3_SECRET_ACCESS_KEY, config.PORT]).toEqual(['k1', 'secret', 8080]);
    expect(config.features['AUDIT_RETENTION_DAYS']).toBe(40);
    expect(config.embedded).toBe(false);
  });

  test.each(['\n', '\n\n'])('ends before the line feeds at the end of the file: %j', (end) => {
    expect(loadServiceConfig(hosted({ S3_BUCKET_FILE: file(`papers${end}`) })).S3_BUCKET).toBe('papers');
  });

  test('is checked as the setting is, and its name is told', () => {
    const faults = faultsOf({ ...hosted({}), API_KEY_PEPPER: '', API_KEY_PEPPER_FILE: file('c2hvcnQ=') });
    expect(faults).toEqual([expect.stringMatching(/^API_KEY_PEPPER: must be 32 bytes/)]);
  });

  test('and in the environment is a fault; an empty one of either is none', () => {
    expect(faultsOf(hosted({ S3_BUCKET: 'papers', S3_BUCKET_FILE: file('papers') }))).toEqual([
      'S3_BUCKET and S3_BUCKET_FILE: set one of them',
    ]);
    expect(loadServiceConfig(hosted({ S3_BUCKET: '', S3_BUCKET_FILE: file('papers') })).S3_BUCKET).toBe('papers');
    expect(loadServiceConfig(hosted({ S3_BUCKET: 'papers', S3_BUCKET_FILE: '' })).S3_BUCKET).toBe('papers');
  });

  test('is a secret that stands in the place of its path: it is not shown', () => {
    const faults = faultsOf({ ...hosted({}), API_KEY_PEPPER: '', API_KEY_PEPPER_FILE: pepper });
    expect(faults).toEqual(['API_KEY_PEPPER_FILE: the file cannot be read (ENOENT)']);
  });

  test.each([
    ['is empty', '', 'the file is empty'],
    ['has line feeds alone', '\n\n', 'the file is empty'],
    ['has two lines', 'one\ntwo\n', 'one line'],
    ['was saved with CR LF', 'secret\r\n', 'one line'],
    ['has a byte of no text', Buffer.from([0x61, 0xff, 0x62]), 'not text'],
  ])('that %s is one line that does not show it', (_label, content, meant) => {
    const faults = faultsOf(hosted({ S3_BUCKET_FILE: file(content) }));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^S3_BUCKET_FILE: .*${meant}`));
    expect(faults[0]).not.toMatch(/one\ntwo|secret/);
  });

  test('that is a folder, as Docker makes where a file is missing, is one line', () => {
    expect(faultsOf(hosted({ S3_BUCKET_FILE: directory }))).toEqual(['S3_BUCKET_FILE: the file cannot be read (EISDIR)']);
  });

  test('does not take away a setting whose own name ends so', () => {
    expect(loadServiceConfig(hosted({ WORKER_ALIVE_FILE: '/tmp/worker-alive' })).WORKER_ALIVE_FILE).toBe('/tmp/worker-alive');
  });
});

describe('a password in a file', () => {
  const PASSWORDS = ['plain', 'p@ss:w/rd?#&=', '100%25 %41', 'ünï ✓', `'"\\`];

  test.each(PASSWORDS)('comes into its URL so that every reader has it back: %s', (password) => {
    const urls = Object.fromEntries(
      Object.values(PASSWORD_FILES).map((name) => [name, 'postgres://some_role@db.example:5432/svc']),
    );
    const files = Object.fromEntries(Object.keys(PASSWORD_FILES).map((name) => [name, file(`${password}\n`)]));
    const config = loadServiceConfig(hosted({ ...urls, REDIS_URL: 'redis://redis:6379', ...files }));
    for (const name of Object.values(PASSWORD_FILES)) {
      const url = String(config[name as 'DATABASE_URL']);
      expect([name, loginOf(url).password]).toEqual([name, password]);
      if (name !== 'REDIS_URL')
        expect(new pg.Client({ connectionString: url })).toMatchObject({ user: 'some_role', password, database: 'svc' });
    }
  });

  test('keeps the options of the URL', () => {
    const url = 'postgres://svc_app@db.example/svc?sslmode=verify-full&sslrootcert=/etc/ca.pem';
    const { DATABASE_URL } = loadServiceConfig(hosted({ DATABASE_URL: url, DATABASE_PASSWORD_FILE: file('pw') }));
    expect(DATABASE_URL).toBe(url.replace('svc_app@', 'svc_app:pw@'));
  });

  test('and one in the URL is a fault that shows neither', () => {
    const faults = faultsOf(
      hosted({ DATABASE_URL: 'postgres://svc_app:hunter2@db.example/svc', DATABASE_PASSWORD_FILE: file('hunter3') }),
    );
    expect(faults).toEqual(['DATABASE_PASSWORD_FILE: DATABASE_URL has a password already; set one of them']);
  });

  test('needs its URL, and a host in it', () => {
    expect(faultsOf(hosted({ DATABASE_OWNER_PASSWORD_FILE: file('pw') }))).toEqual([
      'DATABASE_OWNER_PASSWORD_FILE: needs DATABASE_OWNER_URL',
    ]);
    expect(faultsOf(hosted({ DATABASE_URL: 'postgres:///svc?host=/run', DATABASE_PASSWORD_FILE: file('pw') }))).toEqual([
      'DATABASE_PASSWORD_FILE: DATABASE_URL names no host, so it can have no password',
    ]);
  });

  test('of a URL that is none leaves the line about the URL alone, without the password', () => {
    for (const DATABASE_URL of ['db.example', 'mysql://root@db.example']) {
      expect(faultsOf(hosted({ DATABASE_URL, DATABASE_PASSWORD_FILE: file('hunter2') }))).toEqual([
        expect.stringMatching(/^DATABASE_URL: must be a postgres:\/\/ URL/),
      ]);
    }
  });
});
