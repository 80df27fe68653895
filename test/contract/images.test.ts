/** The images of docker-compose.yml without an engine: what they are made of. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCompose } from '../support/compose/compose-file.ts';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

describe('deploy/front.Dockerfile', () => {
  test('is built of its folder, without rights, on ports that need none', () => {
    const { build, user } = readCompose().services['front'] ?? {};
    expect(build).toEqual({ context: 'deploy', dockerfile: 'front.Dockerfile' });
    const text = read('deploy/front.Dockerfile');
    expect(user).toBe(/^USER (.+)$/m.exec(text)?.[1]);
    for (const [, file = ''] of text.matchAll(/^COPY (\S+) /gm)) expect(existsSync(path.join(root, 'deploy', file))).toBe(true);
    const ports = readCompose().services['front']?.ports?.map((port) => port.split(':')[1]);
    const [, http, https] =
      /http_port \{\$HTTP_PORT:(\d+)\}\s+https_port \{\$HTTPS_PORT:(\d+)\}/.exec(read('deploy/Caddyfile')) ?? [];
    expect(ports).toEqual([http, https]);
  });

  test('has a front with a setting for each variable of its file', () => {
    const named = [...read('deploy/Caddyfile').matchAll(/\{\$(\w+):/g)].map(([, name = '']) => name);
    const given = Object.keys(readCompose().services['front']?.environment ?? {});
    expect(given.filter((name) => !named.includes(name))).toEqual([]);
    expect([...new Set(named)].filter((name) => !given.includes(name)).toSorted()).toEqual(['HTTPS_PORT', 'HTTP_PORT']);
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
    expect(valuesOf('FROM')).toEqual([expect.stringMatching(/^node:24\.[\d.]+-slim$/)]);
    expect((JSON.parse(valuesOf('CMD').join('')) as string[]).join(' ')).toBe(
      packageJson.scripts['start']?.replace(/^NODE_COMPILE_CACHE=\S+ exec /, ''),
    );
    expect(valuesOf('STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(valuesOf('RUN').filter((value) => value.startsWith('npm ci --omit=dev'))).toHaveLength(1);
  });

  test('keeps what Node makes of the sources, as the user that it runs as would read it, and lets nobody write it', () => {
    expect(valuesOf('ENV')).toContain('NODE_COMPILE_CACHE=/app/.compiled');
    const [fill = ''] = valuesOf('RUN').filter((value) => value.includes('.compiled'));
    expect(fill).toContain(`setpriv --reuid=${valuesOf('USER')[0]?.split(':')[0]} `);
    expect(fill).toMatch(/chown -R 0:0 \.compiled && chmod -R a=rX \.compiled$/);
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
    // What `--demo-idp` loads, which needs the embedded database and so is refused in production.
    const forTrials = ['oidc-provider', '@peculiar/x509', 'reflect-metadata'];
    const missing = packages.filter((name) => !(name in packageJson.dependencies));
    expect(missing.toSorted()).toEqual(forTrials.toSorted());
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
