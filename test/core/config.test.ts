/** The configuration: every fault at once, secrets, what production refuses (docs/specification/conventions.md#configuration). */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../../src/config.ts';

const random32 = () => randomBytes(32).toString('base64');
const hosted = (extra: Record<string, string> = {}) => ({
  DATABASE_URL: 'postgres://svc_app:secret@db.example/service',
  API_KEY_PEPPER: random32(),
  DATA_KEYS: `k1:${random32()}`,
  ...extra,
});

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'svc-config-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The faults by setting; fails when the configuration is taken. */
function faultsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults;
  }
  throw new Error('the configuration was accepted');
}

const settingsOf = (faults: string[]) => faults.map((fault) => fault.slice(0, fault.indexOf(':'))).toSorted();

describe('addresses', () => {
  test.each([
    ['REDIS_URL', ['foo', 'localhost:6379', 'http://cache', 'redis://', 'redis://:p#w@cache:6379']],
    ['DATABASE_URL', ['foo', 'mysql://db/service', 'postgres://svc_app:p#w@db/service']],
    ['DATABASE_OWNER_URL', ['foo', 'postgres://db:port/service']],
    ['DATABASE_WORKER_URL', ['//db']],
    ['DATABASE_ADMIN_URL', ['postgresql:db']],
    ['PUBLIC_BASE_URL', ['foo']],
    ['S3_ENDPOINT', ['minio:9000']],
  ])('%s is refused by its name when it is none of its scheme, and is not repeated', (name, values) => {
    for (const value of values) {
      const faults = faultsOf(hosted({ [name]: value }));
      expect(settingsOf(faults), value).toEqual([name]);
      expect(faults.join(), value).not.toContain('#w');
    }
  });

  test('of the schemes and forms that the drivers know are taken', () => {
    for (const REDIS_URL of ['redis://cache', 'rediss://user:pass@cache:6380/1']) loadConfig(hosted({ REDIS_URL }));
    for (const DATABASE_URL of [
      'postgresql://db/service',
      'postgres://u:p%23w@[::1]:5433/s?sslmode=require',
      'postgres:///s?host=/run',
    ])
      loadConfig(hosted({ DATABASE_URL }));
  });
});

test('GIT_COMMIT is hexadecimal, and empty as an image built without it has it is none', () => {
  expect(loadConfig(hosted({ GIT_COMMIT: '' })).GIT_COMMIT).toBeUndefined();
  expect(settingsOf(faultsOf(hosted({ GIT_COMMIT: 'main' })))).toEqual(['GIT_COMMIT']);
});

describe('the storage of documents', () => {
  const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };

  test('is on disk and unscanned unless it is said otherwise', () => {
    expect(loadConfig(hosted())).toMatchObject({ OBJECT_STORAGE: 'disk', MALWARE_SCANNER: 'none', CLAMD_PORT: 3310 });
  });

  test('in a bucket needs its name, and both parts of a key or neither', () => {
    const s3 = { OBJECT_STORAGE: 's3' };
    expect(settingsOf(faultsOf(hosted(s3)))).toEqual(['S3_BUCKET']);
    for (const [name, value] of Object.entries(keys)) {
      expect(settingsOf(faultsOf(hosted({ ...s3, S3_BUCKET: 'papers', [name]: value })))).toEqual([
        'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
      ]);
    }
    for (const some of [{}, keys])
      expect(loadConfig(hosted({ ...s3, S3_BUCKET: 'papers', ...some })).S3_REGION).toBe('us-east-1');
    expect(settingsOf(faultsOf(hosted({ S3_SSE: 'none', S3_ENDPOINT: 'ftp://x', CLAMD_PORT: '0' })))).toEqual([
      'CLAMD_PORT',
      'S3_ENDPOINT',
      'S3_SSE',
    ]);
  });

  test('PUBLIC_BASE_URL is an http address without a query; a slash at its end is dropped', () => {
    expect(loadConfig(hosted({ PUBLIC_BASE_URL: 'https://api.example.com/v/' })).PUBLIC_BASE_URL).toBe(
      'https://api.example.com/v',
    );
    for (const address of ['api.example.com', 'file:///etc', 'https://a.example/?x=1', 'https://a.example/#x']) {
      expect(settingsOf(faultsOf(hosted({ PUBLIC_BASE_URL: address })))).toEqual(['PUBLIC_BASE_URL']);
    }
  });
});

test('in a terminal only warnings are logged beside the embedded database, unless a level is asked for', () => {
  const { isTTY } = process.stdout;
  const levelOf = (env: NodeJS.ProcessEnv) => loadConfig({ DATA_DIR: directory, ...env }).LOG_LEVEL;
  try {
    process.stdout.isTTY = true;
    expect([levelOf({}), levelOf({ LOG_LEVEL: 'debug' }), levelOf(hosted())]).toEqual(['warn', 'debug', 'info']);
    process.stdout.isTTY = false;
    expect(levelOf({})).toBe('info');
  } finally {
    process.stdout.isTTY = isTTY;
  }
});

describe('with a database', () => {
  test('the defaults are those of the decisions', () => {
    expect(loadConfig(hosted())).toMatchObject({
      PORT: 3000,
      host: '0.0.0.0',
      embedded: false,
      RATE_LIMIT_LIVE: 6000,
      RATE_LIMIT_SANDBOX: 1500,
      RATE_LIMIT_WINDOW_SECONDS: 60,
      RATE_LIMIT_BAD_KEYS: 20,
      RATE_LIMIT_ADDRESS: 600,
      BODY_LIMIT_BYTES: 65_536,
      IDEMPOTENCY_WAIT_MS: 2000,
      IDEMPOTENCY_TTL_HOURS: 24,
      DATABASE_ACQUIRE_TIMEOUT_MS: 2000,
      DEFAULT_ENVIRONMENT: 'LIVE',
    });
  });

  test('the secrets are required, both named at once', () => {
    const { DATABASE_URL } = hosted();
    expect(settingsOf(faultsOf({ DATABASE_URL }))).toEqual(['API_KEY_PEPPER', 'DATA_KEYS']);
    expect(settingsOf(faultsOf({ DATABASE_URL, DATA_KEYS: '', API_KEY_PEPPER: '' }))).toEqual(['API_KEY_PEPPER', 'DATA_KEYS']);
  });

  test('every fault is reported at once, one line each, and no secret in them', () => {
    const faults = faultsOf({
      DATABASE_URL: 'mysql://root:hunter2@db.example',
      PORT: '70000',
      DATABASE_POOL_SIZE: '0',
      LOG_LEVEL: 'loud',
      RATE_LIMIT_LIVE: 'many',
      API_KEY_PEPPER: 'c2hvcnQ=',
      DEFAULT_ENVIRONMENT: 'TEST',
    });
    expect(settingsOf(faults)).toEqual([
      'API_KEY_PEPPER',
      'DATABASE_POOL_SIZE',
      'DATABASE_URL',
      'DATA_KEYS',
      'DEFAULT_ENVIRONMENT',
      'LOG_LEVEL',
      'PORT',
      'RATE_LIMIT_LIVE',
    ]);
    for (const fault of faults) {
      expect(fault).not.toContain('\n');
      expect(fault).not.toMatch(/hunter2|c2hvcnQ/);
    }
  });

  test('an empty value is no value', () => {
    const config = loadConfig(hosted({ PORT: '', HOST: '', REDIS_URL: '', FAULT_POINTS: '', DATABASE_OWNER_URL: '' }));
    expect([config.PORT, config.host, config.REDIS_URL, config.FAULT_POINTS, config.DATABASE_OWNER_URL]).toEqual([
      3000,
      '0.0.0.0',
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('names that are not ours are ignored', () => {
    expect(() => loadConfig(hosted({ PATH: '/bin', HOME: '/root' }))).not.toThrow();
  });

  test.each([
    ['no id', random32()],
    ['a short key', 'k1:c2hvcnQ='],
    ['the same id twice', `k1:${random32()},k1:${random32()}`],
    ['an empty entry', `k1:${random32()},`],
    ['an id that is none', `k 1:${random32()}`],
  ])('a key ring with %s is refused', (_label, ring) => {
    expect(settingsOf(faultsOf(hosted({ DATA_KEYS: ring })))).toEqual(['DATA_KEYS']);
  });

  test('a key ring keeps its order', () => {
    const [first, second] = [random32(), random32()];
    const { secrets } = loadConfig(hosted({ DATA_KEYS: `new:${first},old:${second}` }));
    expect(secrets.dataKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`)).toEqual([`new:${first}`, `old:${second}`]);
  });
});

describe('in production', () => {
  test('fault points are refused, and allowed elsewhere', () => {
    const points = { FAULT_POINTS: 'purchase:decided=kill' };
    expect(settingsOf(faultsOf(hosted({ NODE_ENV: 'production', ...points })))).toEqual(['FAULT_POINTS']);
    expect(loadConfig(hosted({ NODE_ENV: 'test', ...points })).FAULT_POINTS).toBe('purchase:decided=kill');
  });

  test('addresses that may be private are refused; elsewhere they are host:port in lower case', () => {
    const allowed = { OUTGOING_ALLOWED_HOSTS: 'IDP.test:9443,[::1]:443' };
    expect(settingsOf(faultsOf(hosted({ NODE_ENV: 'production', ...allowed })))).toEqual(['OUTGOING_ALLOWED_HOSTS']);
    expect(loadConfig(hosted(allowed)).OUTGOING_ALLOWED_HOSTS).toEqual(['idp.test:9443', '[::1]:443']);
    for (const value of ['idp.test', 'https://idp.test:443', 'idp.test:443,', '*:443', 'idp.test:0', 'a:1 ,b:2']) {
      expect(settingsOf(faultsOf(hosted({ OUTGOING_ALLOWED_HOSTS: value }))), value).toEqual(['OUTGOING_ALLOWED_HOSTS']);
    }
  });

  test('a database is required', () => {
    expect(settingsOf(faultsOf({ NODE_ENV: 'production', DATA_DIR: directory }))).toEqual(['DATABASE_URL']);
  });
});

describe('without a database', () => {
  const inDirectory = (name: string) => ({ DATA_DIR: path.join(directory, name) });
  const fileOf = (name: string) => path.join(directory, name, 'secrets.json');

  test('secrets are made once, readable by their owner alone, and stay the same', () => {
    const first = loadConfig(inDirectory('fresh'));
    expect([first.embedded, first.host]).toEqual([true, '127.0.0.1']);
    expect(first.secrets.apiKeyPepper).toHaveLength(32);
    expect(first.secrets.dataKeys[0]?.key).toHaveLength(32);
    expect(statSync(fileOf('fresh')).mode & 0o777).toBe(0o600);
    const file = readFileSync(fileOf('fresh'), 'utf8');
    expect(loadConfig(inDirectory('fresh')).secrets).toEqual(first.secrets);
    expect(readFileSync(fileOf('fresh'), 'utf8')).toBe(file);
    expect(loadConfig(inDirectory('other')).secrets).not.toEqual(first.secrets);
  });

  test('given secrets win over the file', () => {
    const pepper = random32();
    const { secrets } = loadConfig({ ...inDirectory('fresh'), API_KEY_PEPPER: pepper });
    expect(secrets.apiKeyPepper.toString('base64')).toBe(pepper);
  });

  test.each([
    ['cut short', '{"apiKeyPepper": "abc'],
    ['empty', ''],
    ['of other content', '{"apiKeyPepper":"c2hvcnQ=","dataKeys":"k1"}'],
    ['with a broken ring', JSON.stringify({ apiKeyPepper: random32(), dataKeys: 'k1:short' })],
  ])('a secrets file that is %s is one clear line, and is not replaced', (label, content) => {
    const name = `broken-${label.replaceAll(' ', '-')}`;
    loadConfig(inDirectory(name));
    writeFileSync(fileOf(name), content);
    const faults = faultsOf(inDirectory(name));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain('secrets.json');
    expect(readFileSync(fileOf(name), 'utf8')).toBe(content);
  });
});
