/**
 * What is derived from the descriptions of the features, held against lists in ./snapshots: a list changes only on
 * purpose, with `npx vitest run test/contract/house.test.ts -u`.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../src/canonical-json.ts';
import { house } from '../../src/features.ts';
import {
  allScopesOf,
  auditsOf,
  constraintsOf,
  envOf,
  errorsOf,
  faultPointsOf,
  groupsOf,
  jobsOf,
  scopesOf,
  sealedOf,
} from '../../src/house/house.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import type { OpenApiDocument } from '../support/openapi/openapi-document.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const lines = (list: readonly string[]): string => `${list.join('\n')}\n`;
const held = (name: string, list: readonly string[]): Promise<void> =>
  expect(lines(list)).toMatchFileSnapshot(`./snapshots/${name}.txt`);
const features = house.features;

describe('the house has, as before,', () => {
  test('the scopes of API keys with what they mean', async () => {
    const meanings = Object.assign({}, ...features.map(({ scopes = {} }) => scopes)) as Record<string, string>;
    await held(
      'scopes',
      scopesOf(house).map((scope) => `${scope}: ${meanings[scope]}`),
    );
  });

  test('the sections of the document', () => held('groups', Object.keys(groupsOf(house))));

  test('the error codes', () =>
    held(
      'errors',
      Object.entries(errorsOf(house)).map(([code, { status, meaning }]) => `${status} ${code}: ${meaning}`),
    ));

  test('the constraints that callers are told of', () =>
    held(
      'constraints',
      Object.entries(constraintsOf(house))
        .map(([name, { error, message }]) => `${name}: ${typeof error === 'string' ? error : error.code}: ${message}`)
        .toSorted(),
    ));

  test('the background jobs', () =>
    held(
      'jobs',
      jobsOf(house)
        .map((job) => canonicalJson(job))
        .toSorted(),
    ));

  test('the fault points', () => held('fault-points', faultPointsOf(house).toSorted()));

  test('the environment variables of features', () =>
    held(
      'environment',
      Object.entries(envOf(house)).map(
        ([name, schema]) => `${name}=${String(schema.safeParse(undefined).data)}: ${schema.description}`,
      ),
    ));

  test('the audits', () =>
    held(
      'audits',
      auditsOf(house)
        .map(({ id, title }) => `${id}: ${title}`)
        .toSorted(),
    ));

  test('the tables, and which of them the erasure of a SANDBOX keeps', () =>
    held(
      'tables',
      features.flatMap(({ name, tables = [], kept = [] }) =>
        tables.map((table) => `${table}: ${name}${kept.includes(table) ? ', kept' : ''}`),
      ),
    ));

  test('the sweeps with what is due for them', () => {
    const due = Object.assign({}, ...features.map((feature) => feature.due ?? {})) as Record<string, unknown>;
    return held(
      'sweeps',
      app.composition.background.sweeps.map(
        ({ name, batchSize }) => `${name}, ${batchSize} at once: ${canonicalJson(due[name])}`,
      ),
    );
  });

  test('what is held of a person: erased, and exported', () =>
    held(
      'personal',
      features.flatMap(({ name, personal }) => {
        if (!personal) return [];
        const { eraseSales, eraseBefore = eraseSales, erase = [], exported = [] } = personal;
        const said = exported.map((field) => `${field.name}${'list' in field ? ' (list)' : ''}`);
        return [`${name}: ${eraseBefore ? 'first, then ' : ''}${erase.length} statements; ${said.join(', ')}`];
      }),
    ));

  test('the sealed columns', () =>
    held(
      'sealed',
      sealedOf(house)
        .map((sealed) => canonicalJson(sealed))
        .toSorted(),
    ));

  test('the parts of the settings', () =>
    held(
      'settings',
      features.flatMap(({ settings }) => (settings ? [settings.name] : [])),
    ));

  test('the operations: each as the document describes it, with all that it refers to', async () => {
    const { body } = await app.http.get('/api/v1/openapi.json');
    const document = body as OpenApiDocument & { paths: Record<string, Record<string, { operationId: string }>> };
    const whole = (value: unknown, above: readonly string[] = []): unknown => {
      if (Array.isArray(value)) return value.map((item) => whole(item, above));
      if (typeof value !== 'object' || value === null) return value;
      const { $ref } = value as { $ref?: string };
      if ($ref === undefined) return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, whole(part, above)]));
      if (above.includes($ref) || $ref.endsWith('/ErrorResponse')) return { $ref };
      const found = $ref
        .slice(2)
        .split('/')
        .reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], document);
      return whole(found, [...above, $ref]);
    };
    const digest = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 16);
    const operations = Object.entries(document.paths).flatMap(([route, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => `${operation.operationId} ${method.toUpperCase()} ${route} ${digest(whole(operation))}`,
      ),
    );
    await held('operations', operations.toSorted());
  });
});

describe('a description', () => {
  test('names its folder, and every folder has one', () => {
    const folders = globSync('src/features/*/', { cwd: path.join(import.meta.dirname, '../..') }).map((folder) =>
      path.basename(folder),
    );
    const named = features.map(({ name }) => name).filter((name) => name !== 'platform');
    expect(named.toSorted()).toEqual(folders.toSorted());
  });

  test('declares the fault points that stand in its code, and no others', () => {
    const root = path.join(import.meta.dirname, '../..');
    const pointsIn = (pattern: string): string[] => {
      const texts = globSync(pattern, { cwd: root }).map((file) => readFileSync(path.join(root, file), 'utf8'));
      return [
        ...new Set(texts.flatMap((text) => [...text.matchAll(/\bfaultPoint\(\s*'([^']+)'/g)].map(([, name = '']) => name))),
      ];
    };
    for (const { name, faultPoints = [] } of features) {
      const code = name === 'platform' ? 'src/{http,jobs,db}/**/*.ts' : `src/features/${name}/**/*.ts`;
      expect(faultPoints.toSorted(), name).toEqual(pointsIn(code).toSorted());
    }
  });

  test('names scopes and sections that its operations use, and all that they use', () => {
    const operations = app.composition.app.operations;
    const named = operations.map(({ scope }) => scope).filter((scope) => scope !== 'none' && scope !== 'any');
    expect(named.filter((scope) => !allScopesOf(house).includes(scope))).toEqual([]);
    const used = operations.flatMap(({ scope, narrower, reveals = [] }) => [
      scope,
      narrower?.scope,
      ...reveals.map((one) => one.scope),
    ]);
    expect(allScopesOf(house).filter((scope) => !used.some((one) => one === scope))).toEqual([]);
    expect(new Set(operations.map(({ group }) => group))).toEqual(new Set(Object.keys(groupsOf(house))));
  });

  test('declares a job for each handler, of the same kind, and a handler for each job', () => {
    const ofKind = (jobs: readonly { name: string; kind: string }[]): string[] =>
      jobs.map(({ name, kind }) => `${name} ${kind}`).toSorted();
    expect(ofKind(app.composition.background.handlers)).toEqual(ofKind(jobsOf(house)));
  });
});
