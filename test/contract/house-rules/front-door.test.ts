/** A feature has one front door: what others import of it, and what may stand in its `open/` folder. */
import { describe, expect, test } from 'vitest';
import { facades } from './facades.ts';
import { innerImports, openFaults } from './front-door.ts';
import { plant, readSources } from './source-files.ts';

const sources = readSources();

test('from outside a feature its description, its service and its open/ folder are imported, and nothing else', () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(
    innerImports(sources),
    'Ask the feature through its service, which features.ts hands over as a need. Types, pure rules and SQL fragments that others may hold go into its open/ folder.',
  ).toEqual([]);
});

test('an open/ folder holds types, pure rules and fragments of SQL', () => {
  expect(
    openFaults(sources),
    'Move into open/ what the file needs of its feature, or move the file out of open/. What is open declares no statement, takes no connection and reaches nothing outside the process.',
  ).toEqual([]);
});

test('no module only passes calls on', () => {
  expect(facades(sources), 'Delete the module. Its callers import what it passes on, or ask the service of the feature.').toEqual(
    [],
  );
});

describe('an import from outside', () => {
  const imports = (target: string, from = 'src/features/leads/leads-service.ts', how = 'import { x } from'): string[] =>
    innerImports(plant({ [from]: `${how} '${target}';` }));

  test.each([
    ['../users/users-queries.ts', undefined, undefined],
    ['../users/users-queries.ts', undefined, 'import type { X } from'],
    ['../users/users-queries.ts', undefined, 'import { type X } from'],
    ['../users/users-queries.ts', undefined, 'export { x } from'],
    ['../users/users-queries.ts', undefined, 'import'],
    ['../kyc/vendor/kyc-service.ts', undefined, undefined],
    ['../kyc/vendor/open-check.ts', undefined, undefined],
    ['../users/leads-service.ts', undefined, undefined],
    ['./features/users/users-queries.ts', 'src/app.ts', undefined],
    ['../features/users/users-queries.ts', 'src/http/server.ts', undefined],
  ])('%s is an inner one', (target, from, how) => {
    expect(imports(target, from, how)).toHaveLength(1);
  });

  test.each([
    ['const x = await import("../users/users-queries.ts");'],
    ['type X = import("../users/users-queries.ts").X;'],
    ['const x = new URL("../users/users-queries.ts", import.meta.url);'],
  ])('of the shape %s is an inner one', (text) => {
    expect(innerImports(plant({ 'src/features/leads/leads-service.ts': text }))).toEqual([
      'src/features/leads/leads-service.ts -> src/features/users/users-queries.ts',
    ]);
  });

  test.each([
    ['../users/users-service.ts', undefined],
    ['../users/users-feature.ts', undefined],
    ['../users/open/member-rows.ts', undefined],
    ['./leads-queries.ts', undefined],
    ['./features/users/users-feature.ts', 'src/features.ts'],
    ['../../http/schemas.ts', undefined],
  ])('%s is none', (target, from) => {
    expect(imports(target, from)).toEqual([]);
  });
});

describe('a file in open/', () => {
  const others = {
    'src/db/frame.ts': "import pg from 'pg'; export interface Db { row(): void }",
    'src/db/statement.ts': "import pg from 'pg'; export const prepared = () => pg;",
    'src/http/schemas.ts': "import { z } from 'zod'; import type { Db } from '../db/frame.ts'; export const uuid = z.uuid();",
    'src/http/client.ts': "import { fetch } from 'undici';",
    'src/http/calls.ts': "import { f } from './client.ts'; export const g = f;",
    'src/features/users/users-service.ts': 'export const x = 1;',
    'src/features/users/open/codes.ts': 'export const x = 1;',
  };
  const faults = (text: string): string[] => openFaults(plant({ ...others, 'src/features/leads/open/rule.ts': text }));

  test.each([
    ["import { x } from '../leads-status.ts';", 'imports src/features/leads/leads-status.ts, which is not open'],
    ["import type { X } from '../leads-service.ts';", 'imports src/features/leads/leads-service.ts, which is not open'],
    ["import { x } from '../../users/users-service.ts';", 'imports src/features/users/users-service.ts, which is not open'],
    ["import { prepared } from '../../../db/statement.ts';", 'imports src/db/statement.ts, which imports pg'],
    [
      "import { g } from '../../../http/calls.ts';",
      'imports src/http/calls.ts, which imports src/http/client.ts, which imports undici',
    ],
    ["import { readFileSync } from 'node:fs';", 'imports node:fs'],
    ["import type { Db } from '../../../db/frame.ts'; export const f = (db: Db) => 1;", 'has a function that takes a Db'],
    [
      "import type { Db as Connection } from '../../../db/frame.ts'; export function f({ db }: { db: Connection }) {}",
      'has a function that takes a Connection',
    ],
    ['export const f: F = (db, scope) => db.row(scope);', 'sends a statement by row()'],
    ['export const f = () => fetch("https://example.com");', 'calls fetch()'],
  ])('may not say %s', (text, fault) => {
    expect(faults(text)).toContain(`src/features/leads/open/rule.ts ${fault}`);
  });

  test.each([
    ["import { uuid } from '../../../http/schemas.ts'; export const f = (id: string) => uuid.parse(id);"],
    ["import { x } from '../../users/open/codes.ts'; export const y = x;"],
    ["import type { Db } from '../../../db/frame.ts'; export interface Part { read(db: Db): Promise<void> }"],
    ["import { createHash } from 'node:crypto'; export const f = (t: string) => createHash('sha256').update(t).digest();"],
    ["export const insertLead = 'insert into lead (id) values (:id)';"],
  ])('may say %s', (text) => {
    expect(faults(text)).toEqual([]);
  });
});

describe('a facade', () => {
  const found = (text: string): boolean => facades(plant({ 'src/features/leads/thing.ts': text })).length > 0;
  const head = "import { find, type Row } from './leads-queries.ts';\nimport * as all from './capture-queries.ts';\n";

  test.each([
    ['export const look = find;'],
    ['export { find };'],
    ['export default find;'],
    ['export const leads = { find, get: find } satisfies Leads;'],
    ['const leads = { find };\nexport interface Leads { find: typeof find }\nexport { leads };'],
    ['export const look = (db: Db, scope: Scope, id: string): Promise<Row> => find(db, scope, id);'],
    ['export async function look(db: Db, ...ids: string[]) { return await find(db, ...ids); }'],
    ['export function look(db: Db, id: string): void { find(db, id); }'],
    ['export const look = (db: Db, scope: Scope, id: string) => db.row(find(scope.tenantId, scope.environment, id));'],
    ['export const leads = { look(db: Db) { return all.capture(db); } };'],
    ['export class Leads { look(db: Db) { return find(db); } }'],
  ])('is %s', (text) => {
    expect(found(head + text)).toBe(true);
  });

  test.each([
    ['export type { Row };'],
    ['export const look = (db: Db, scope: Scope, id: string) => find(db, id, scope);'],
    ["export const look = (db: Db) => find(db, 'captured');"],
    ['export const look = (db: Db, id: string) => find(db, id.toLowerCase().trim());\nexport const LIMIT = 5;'],
    [
      'export async function look(db: Db, id: string) { const row = await find(db, id); if (!row) throw notFound(); return row; }',
    ],
    ['export const leadRoutes = (leads: LeadsService): Route[] => [route(find, leads.find)];'],
    ["export const leadsFeature = defineFeature({ name: 'leads', open: () => ({ offers: {} }) });"],
    [
      'export function createLeads({ frames }: Kit) { return { find: (scope: Scope) => frames.read(scope, (db) => find(db, scope)) }; }',
    ],
    ["const own = prepared('find', 'select 1');\nexport const look = (db: Db, id: string) => db.row(own(id));"],
    ['export const look = find(LIMIT);'],
  ])('is not %s', (text) => {
    expect(found(head + text)).toBe(false);
  });
});
