/** Dockerfile and docker-compose.yml without an engine: what `docker compose config` would refuse, and what we promise. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { configSchema, loadConfig } from '../../src/config.ts';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Service {
  image?: string;
  build?: string;
  user?: string;
  command?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  tmpfs?: string[];
  networks?: string[];
  ports?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  healthcheck?: {
    test?: string[];
    disable?: boolean;
    interval?: string;
    timeout?: string;
    start_period?: string;
    retries?: number;
  };
  depends_on?: Record<string, { condition: string }>;
  restart?: string;
  stop_grace_period?: string;
}

interface ComposeFile {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, { internal?: boolean } | null>;
}

const text = read('docker-compose.yml');
const header = text.slice(0, text.search(/^[^#\n]/m));
const body = text.slice(header.length).replace(/^\s*#.*$/gm, '');
const SAMPLE: Record<string, string> = {
  POSTGRES_PASSWORD: 'owner0',
  SVC_APP_PASSWORD: 'app0',
  SVC_WORKER_PASSWORD: 'worker0',
  SVC_ADMIN_PASSWORD: 'admin0',
  API_KEY_PEPPER: Buffer.alloc(32, 1).toString('base64'),
  DATA_KEYS: `k1:${Buffer.alloc(32, 2).toString('base64')}`,
};

/** The interpolation of the compose specification, as far as the file uses it: ${NAME:-default} and ${NAME:?message}. */
function interpolate(source: string, env: Record<string, string>): string {
  return source.replace(/\$(\$|\{(\w+)(?:(:[-?])([^}]*))?\})?/g, (whole, _rest, name?: string, operator?: string, word = '') => {
    if (whole === '$$') return '$';
    if (name === undefined || operator === undefined) throw new Error(`${whole} is not \${NAME:-default} or \${NAME:?message}`);
    const value = env[name];
    if (value !== undefined && value !== '') return value;
    if (operator === ':?') throw new Error(`required variable ${name} is missing a value: ${word}`);
    return word;
  });
}

const variables = [...body.matchAll(/\$\{(\w+)(:[-?])([^}]*)\}/g)].map(([, name = '', operator = '', word = '']) => ({
  name,
  operator,
  word,
}));
const compose = parse(interpolate(body, SAMPLE), { merge: true, uniqueKeys: true, strict: true }) as ComposeFile;
const services = Object.entries(compose.services);

function seconds(duration: string | undefined): number {
  const match = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(duration ?? '');
  if (!match || duration === '') throw new Error(`${duration} is not a duration`);
  return Number(match[1] ?? 0) * 60 + Number(match[2] ?? 0);
}

const isOneShot = ({ restart }: Service): boolean => restart === 'no';

describe('docker-compose.yml', () => {
  test('has the services that it should have and no key that compose does not know', () => {
    expect(Object.keys(compose.services).toSorted()).toEqual(['api', 'migrate', 'postgres', 'redis', 'worker']);
    const known = new Set(['name', 'services', 'networks', 'volumes']);
    expect(Object.keys(compose).filter((key) => !known.has(key) && !key.startsWith('x-'))).toEqual([]);
    const knownOfService = new Set(
      (
        'build cap_drop command depends_on environment healthcheck image networks ports read_only restart ' +
        'security_opt shm_size stop_grace_period tmpfs user volumes'
      ).split(' '),
    );
    for (const [name, service] of services) {
      expect([name, Object.keys(service).filter((key) => !knownOfService.has(key))]).toEqual([name, []]);
    }
  });

  test('documents every variable in its head, and nothing that it does not use', () => {
    const documented = [...header.matchAll(/^# {3}([A-Z_]+) {2,}\S/gm)].map(([, name = '']) => name);
    expect(documented.toSorted()).toEqual([...new Set(variables.map(({ name }) => name))].toSorted());
  });

  test('has no default for a secret, and a message for each that is missing', () => {
    const secrets = variables.filter(({ name }) => /PASSWORD|PEPPER|KEYS|SECRET|TOKEN/.test(name));
    expect([...new Set(secrets.map(({ name }) => name))].toSorted()).toEqual(Object.keys(SAMPLE).toSorted());
    for (const { name, operator, word } of secrets) {
      expect(operator).toBe(':?');
      expect(word).toContain(`set ${name}`);
      expect(() => interpolate(body, { ...SAMPLE, [name]: '' })).toThrow(
        `required variable ${name} is missing a value: set ${name}`,
      );
    }
    // What looks like a credential in the file itself comes from a variable.
    for (const [, user, password] of body.matchAll(/\w+:\/\/(\w+):([^@\s]+)@/g)) {
      expect([user, password?.startsWith('${')]).toEqual([user, true]);
    }
  });

  test('depends only on services that exist and can meet the condition', () => {
    for (const [name, { depends_on = {} }] of services) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        const target = compose.services[other];
        expect([name, other, target !== undefined]).toEqual([name, other, true]);
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

  test('gives postgres 18 its volume where that image keeps its data', () => {
    expect(compose.services['postgres']).toMatchObject({ image: 'postgres:18', volumes: ['postgres-data:/var/lib/postgresql'] });
  });

  test('publishes the API only, to this machine by default, and keeps the rest on a network without a way out', () => {
    expect(services.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]))).toEqual([
      ['api', '127.0.0.1:3000:3000'],
    ]);
    expect(compose.networks['data']?.internal).toBe(true);
    for (const [name, { networks }] of services) expect(networks).toEqual(name === 'api' ? ['data', 'front'] : ['data']);
  });

  test('gives the API a configuration it accepts, in production, with the app role only', () => {
    const environment = compose.services['api']?.environment ?? {};
    expect(Object.keys(environment).filter((name) => !(name in configSchema.shape))).toEqual([]);
    const config = loadConfig(environment);
    expect(config).toMatchObject({
      NODE_ENV: 'production',
      embedded: false,
      host: '0.0.0.0',
      PORT: 3000,
      REDIS_URL: 'redis://redis:6379',
    });
    expect(config.DATABASE_URL).toBe('postgres://svc_app:app0@postgres:5432/svc');
    expect(JSON.stringify(environment)).not.toMatch(/owner0|admin0|worker0/);
    expect(config.JOBS).toBe('off');
  });

  test('stops the API only after its own shutdown had its time', () => {
    const { environment = {}, stop_grace_period } = compose.services['api'] ?? {};
    const config = loadConfig(environment);
    expect(config.SHUTDOWN_DELAY_MS).toBe(3_000);
    expect(seconds(stop_grace_period) * 1000).toBeGreaterThan(config.SHUTDOWN_DELAY_MS + config.SHUTDOWN_TIMEOUT_MS);
  });

  describe('the worker', () => {
    const worker = compose.services['worker'];
    const environment = worker?.environment ?? {};

    test('runs npm run worker with a configuration it accepts, in production, with the worker role only', () => {
      expect(worker?.command?.join(' ')).toBe(
        (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts['worker']?.replace(/^exec /, ''),
      );
      expect(Object.keys(environment).filter((name) => !(name in configSchema.shape))).toEqual([]);
      const config = loadConfig(environment);
      expect(config).toMatchObject({ NODE_ENV: 'production', embedded: false });
      expect(config.DATABASE_WORKER_URL ?? config.DATABASE_URL).toBe('postgres://svc_worker:worker0@postgres:5432/svc');
      expect(JSON.stringify(environment)).not.toMatch(/owner0|admin0|app0/);
    });

    test('is watched by the file that it touches, in a directory it may write to', () => {
      const { WORKER_ALIVE_FILE = '' } = environment;
      expect(worker?.tmpfs).toContain(path.dirname(WORKER_ALIVE_FILE));
      expect(worker?.healthcheck?.test?.join(' ')).toContain(`'${WORKER_ALIVE_FILE}'`);
    });

    test('is stopped only after its jobs had their time', () => {
      expect(seconds(worker?.stop_grace_period) * 1000).toBeGreaterThan(loadConfig(environment).SHUTDOWN_TIMEOUT_MS + 2_000);
    });

    test('shares the documents of the API', () => {
      const api = compose.services['api'];
      expect(worker?.volumes).toEqual(['documents:/data']);
      expect(api?.volumes).toEqual(worker?.volumes);
      expect([environment['DATA_DIR'], api?.environment?.['DATA_DIR']]).toEqual(['/data', '/data']);
      expect(read('Dockerfile')).toContain('chown 1000:1000 /data');
    });

    test('shares the secrets of the API', () => {
      const api = compose.services['api']?.environment ?? {};
      for (const name of ['API_KEY_PEPPER', 'DATA_KEYS']) expect([name, environment[name]]).toEqual([name, api[name]]);
    });
  });

  test('migrates once, as the owner, making the roles of the other three URLs', () => {
    const { environment = {}, command } = compose.services['migrate'] ?? {};
    expect(command).toEqual(['node', 'src/cli.ts', 'migrate', '--create-roles']);
    expect(environment).toEqual({
      DATABASE_OWNER_URL: 'postgres://postgres:owner0@postgres:5432/svc',
      DATABASE_URL: 'postgres://svc_app:app0@postgres:5432/svc',
      DATABASE_WORKER_URL: 'postgres://svc_worker:worker0@postgres:5432/svc',
      DATABASE_ADMIN_URL: 'postgres://svc_admin:admin0@postgres:5432/svc',
    });
    expect(compose.services['postgres']?.environment).toEqual({ POSTGRES_PASSWORD: 'owner0', POSTGRES_DB: 'svc' });
  });
});

/** The instructions of the Dockerfile, continued lines joined. */
const instructions = read('Dockerfile')
  .replace(/^#.*$/gm, '')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .flatMap((line) => {
    const [, name, value] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    return name === undefined || value === undefined ? [] : [{ name, value: value.replace(/\s+/g, ' ') }];
  });
const valuesOf = (name: string): string[] => instructions.filter((one) => one.name === name).map(({ value }) => value);
const copied = valuesOf('COPY').flatMap((value) => value.split(' ').slice(0, -1));

describe('Dockerfile', () => {
  const packageJson = JSON.parse(read('package.json')) as {
    scripts: Record<string, string>;
    dependencies: Record<string, string>;
  };

  test('starts what npm start starts, on Node 24, and stops by SIGTERM', () => {
    expect(valuesOf('FROM')).toEqual(['node:24-slim']);
    expect((JSON.parse(valuesOf('CMD').join('')) as string[]).join(' ')).toBe(
      packageJson.scripts['start']?.replace(/^exec /, ''),
    );
    expect(valuesOf('STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(valuesOf('RUN').filter((value) => value.startsWith('npm ci --omit=dev'))).toHaveLength(1);
  });

  test('leaves root before it starts anything, by number, and is asked for its health', () => {
    expect(valuesOf('USER')).toEqual(['1000:1000']);
    const order = instructions.map(({ name }) => name);
    expect(order.indexOf('USER')).toBeGreaterThan(order.lastIndexOf('RUN'));
    expect(valuesOf('HEALTHCHECK').join('')).toContain('/healthz');
    expect(copied.filter((source) => /env|secret|\.data/.test(source))).toEqual([]);
  });

  test('copies only what exists and what .dockerignore lets through', () => {
    const [everything, ...exceptions] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(everything).toBe('*');
    expect(exceptions.toSorted()).toEqual(copied.map((source) => `!${source}`).toSorted());
    expect(copied.filter((source) => !existsSync(path.join(root, source)))).toEqual([]);
  });

  test('holds everything that main.ts, worker.ts, cli.ts and the migrations import at run time', () => {
    const roots = [
      'src/main.ts',
      'src/worker.ts',
      'src/cli.ts',
      ...readdirSync(path.join(root, 'migrations')).map((file) => `migrations/${file}`),
    ];
    const { files, packages } = walkImports(roots);
    expect(files.length).toBeGreaterThan(40);
    expect(files.filter((file) => !copied.some((source) => file.startsWith(`${source}/`)))).toEqual([]);
    expect(packages).toContain('express');
    expect(packages).toContain('swagger-ui-dist'); // found by require.resolve, not by import
    expect(packages.filter((name) => !(name in packageJson.dependencies))).toEqual([]);
  });
});

/** Every file reached by imports that stay at run time (`import type` does not), and every package they name. */
function walkImports(roots: string[]): { files: string[]; packages: string[] } {
  const packages = new Set<string>();
  const files = new Set<string>(roots);
  for (const file of files) {
    const source = read(file);
    const named = [
      ...source.matchAll(/^(?:import|export)\s+(?!type\b)[^;'"]*?\bfrom\s+'([^']+)'/gm),
      ...source.matchAll(/^import\s+'([^']+)'/gm),
      ...source.matchAll(/\bimport\('([^']+)'\)/g),
      ...source.matchAll(/\.resolve\('([^'.][^']*)'\)/g),
    ].flatMap(([, specifier]) => specifier ?? []);
    for (const specifier of named) {
      if (specifier.startsWith('.')) files.add(path.posix.join(path.posix.dirname(file), specifier));
      else if (!isBuiltin(specifier))
        packages.add(
          specifier
            .split('/')
            .slice(0, specifier.startsWith('@') ? 2 : 1)
            .join('/'),
        );
    }
  }
  return { files: [...files], packages: [...packages] };
}
