/** The feature that docs/architecture.md shows is compiled, mounted and called: whoever copies it has one that works. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOwnerKnex } from '../../src/db/migrate.ts';
import { house } from '../../src/features.ts';
import type { Feature } from '../../src/house/feature.ts';
import { migrateService } from '../../src/service.ts';
import { apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';

const root = path.join(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');
/** Of those of a language: the last is the feature's. */
const block = (language: string): string =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].at(-1)?.[1] ?? '';

/** A house beside ours: its src has our files, by links, and the one feature more. The text is compiled as it stands. */
const beside = mkdtempSync(path.join(tmpdir(), 'svc-example-'));
const folder = path.join(beside, 'src/features/notes');
const file = path.join(folder, 'notes-feature.ts');
/** What the command that the page names would write into src/db/tables.ts. */
const columns = path.join(folder, 'tables.d.ts');
mkdirSync(folder, { recursive: true });
for (const name of ['node_modules', 'package.json']) symlinkSync(path.join(root, name), path.join(beside, name));
for (const name of readdirSync(path.join(root, 'src'))) {
  if (name !== 'features') symlinkSync(path.join(root, 'src', name), path.join(beside, 'src', name));
}
for (const name of readdirSync(path.join(root, 'src/features'))) {
  symlinkSync(path.join(root, 'src/features', name), path.join(beside, 'src/features', name));
}
let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  writeFileSync(file, block('ts'));
  const table = 'note: { tenant_id: string; environment: string; id: string; member_id: string; text: string }';
  writeFileSync(columns, `export {};\ndeclare module '../../db/tables.ts' {\n  interface TenantTables { ${table} }\n}\n`);
  const { notesFeature } = (await import(file)) as { notesFeature: Feature<unknown, unknown> };
  house.add(notesFeature);
  database = await createTestDatabase();
  const owner = openOwnerKnex(database.ownerUrl);
  await owner.raw(block('sql'));
  await owner.destroy();
  await migrateService(database.ownerUrl);
  app = await startTestApp({}, database);
});
afterAll(async () => {
  rmSync(beside, { recursive: true, force: true });
  await app.close();
  await database.drop();
});

test('the query file that the page shows is the one that there is', () => {
  expect(page).toContain(`\`\`\`ts\n${readFileSync(path.join(root, 'src/features/auth/identities-queries.ts'), 'utf8')}\`\`\``);
});

test('it compiles under the settings of the service', () => {
  const config = path.join(folder, 'tsconfig.json');
  const settings = { extends: path.join(root, 'tsconfig.json'), include: [file, columns] };
  writeFileSync(config, JSON.stringify(settings));
  const { status, stdout } = spawnSync(path.join(root, 'node_modules/.bin/tsc'), ['--noEmit', '-p', config], {
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});

test('it answers: written once, refused twice, not for strangers nor for weaker keys', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const client = apiClient(app, liveKey);
  const member = await client.newMember();
  const address = `/api/v1/members/${member.id}/notes`;
  const first = await client.post(address, { text: 'Likes tea' });
  expect([first.status, first.body]).toEqual([201, { id: expect.any(String), text: 'Likes tea' }]);
  expect((await client.post(address, { text: 'Likes tea' })).body.code).toBe('NOTE_EXISTS');
  expect((await client.post(`/api/v1/members/${randomUUID()}/notes`, { text: 'x' })).body.code).toBe('USER_NOT_FOUND');
  expect((await client.post(address, { text: '' })).body.code).toBe('VALIDATION_ERROR');
  const stranger = await app.newTenant();
  expect((await apiClient(app, stranger.liveKey).post(address, { text: 'x' })).body.code).toBe('USER_NOT_FOUND');
  const { apiKey } = await app.tenants.createKey({ tenantId, environment: 'LIVE', scopes: ['members:read'] });
  expect((await apiClient(app, apiKey).post(address, { text: 'x' })).status).toBe(403);
});

test('it is known to the document, to API keys and to the reset of a SANDBOX', async () => {
  const { tenantId, sandboxKey } = await app.newTenant();
  const client = apiClient(app, sandboxKey);
  const member = await client.newMember();
  expect((await client.post(`/api/v1/members/${member.id}/notes`, { text: 'Soon gone' })).status).toBe(201);
  expect((await client.post('/api/v1/sandbox/reset', {})).status).toBe(200);
  expect(await database.asSuperuser('select from note where tenant_id = $1', [tenantId])).toEqual([]);
  const { body } = await app.http.get('/api/v1/openapi.json');
  expect(body.paths['/api/v1/members/{userId}/notes'].post).toMatchObject({ operationId: 'addNote', tags: ['Notes'] });
  expect(body.tags.at(-1)).toEqual({ name: 'Notes', description: 'What a tenant notes of its members' });
  expect(body.components.schemas.ErrorResponse.properties.code.enum).toContain('NOTE_EXISTS');
});
