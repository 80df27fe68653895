/** Secrets that were planted are nowhere in the database or the log. Source: docs/specification/tenancy.md#sealed. */
import { randomBytes, randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { dumpDatabase, findForms, formsOf } from '../support/database/dump.ts';
import { type PlantedSecrets, plantSecrets } from '../support/database/planted-secrets.ts';

let app: TestApp;
let dump: string;
let visible: string;
let planted: PlantedSecrets[];
let secrets: Record<string, string | Buffer>;
let vendorSecrets: Record<string, string>;
let answers: string;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
  const tenant = await app.newTenant();
  visible = `Visible${randomBytes(6).toString('hex')}`;
  const client = apiClient(app, tenant.liveKey);
  const member = await client.newMember({ name: visible });
  planted = await plantSecrets({ app, tenant, client, member, visible });
  await client.get(`/api/v1/members?name=${visible}`);
  answers = [
    ...planted.flatMap((each) => each.answers ?? []),
    (await client.get('/api/v1/admin/settings')).text,
    (await client.get('/api/v1/admin/audit-logs')).text,
  ].join();
  vendorSecrets = Object.assign({}, ...planted.map((each) => each.vendorSecrets)) as typeof vendorSecrets;
  secrets = {
    ...(Object.assign({}, ...planted.map((each) => each.secrets)) as typeof secrets),
    'the LIVE key': tenant.liveKey,
    'the SANDBOX key': tenant.sandboxKey,
    'the LIVE key without its prefix': tenant.liveKey.replace('svc_live_', ''),
    'the pepper': app.config.secrets.apiKeyPepper,
    ...vendorSecrets,
    'the data key': app.config.secrets.dataKeys[0]?.key ?? Buffer.alloc(0),
  };
  dump = await dumpDatabase(app.database);
});
afterAll(() => app.close());

test('the dump has the rows, also of the tables with the secrets', () => {
  expect(dump).toContain(visible);
  for (const table of ['api_key', ...planted.flatMap(({ tables }) => tables)]) {
    expect(dump).toContain(`-- public.${table}\n`);
  }
  expect(dump).toMatch(/-- pgboss\./);
  expect(dump).toMatch(/\\x01\w{40,}/);
});

test('no secret is in the database, in any form', () => {
  const found = Object.entries(secrets).flatMap(([name, secret]) => findForms(dump, secret).map((form) => `${name}, ${form}`));
  expect(found).toEqual([]);
});

test('no secret of a vendor is in an answer', () => {
  for (const text of planted.flatMap(({ answered = [] }) => answered)) expect(answers).toContain(text);
  const found = Object.entries(vendorSecrets).flatMap(([name, secret]) =>
    findForms(answers, secret).map((form) => `${name}, ${form}`),
  );
  expect(found).toEqual([]);
});

test('no secret is in the log', () => {
  const log = app.logLines.join('\n');
  expect(app.logLines.length).toBeGreaterThan(3);
  const found = Object.entries(secrets).flatMap(([name, secret]) => findForms(log, secret).map((form) => `${name}, ${form}`));
  expect(found).toEqual([]);
});

describe('a secret that is left behind is found', () => {
  const leaks: [how: string, leave: (secret: string) => string | Buffer][] = [
    ['as it is', (secret) => `before ${secret} after`],
    ['in upper case', (secret) => secret.toUpperCase()],
    ['as bytes', (secret) => Buffer.from(`x${secret}y`)],
    ['as bytes in UTF-16', (secret) => Buffer.from(secret, 'utf16le')],
    ...[0, 1, 2].flatMap((shift): typeof leaks => [
      [`in base64 behind ${shift}`, (secret) => Buffer.from(`${'a'.repeat(shift)}${secret}`).toString('base64')],
      [`in base64 between ${shift}`, (secret) => Buffer.from(`${'b'.repeat(shift)}${secret}cd`).toString('base64url')],
    ]),
    ['percent-encoded', (secret) => encodeURIComponent(secret)],
    ...['md5', 'sha256'].map((name): (typeof leaks)[number] => [`by its ${name}`, (secret) => formsOf(secret).get(name) ?? '']),
  ];

  test.each(leaks)('%s', async (_how, leave) => {
    const secret = `ID/${randomInt(1e12, 1e13)}/Z`;
    const left = leave(secret);
    const [text, bytes] = typeof left === 'string' ? [left, null] : [null, left];
    await app.database.asSuperuser('insert into leak (text, bytes) values ($1, $2)', [text, bytes]);
    expect(findForms(await dumpDatabase(app.database), secret)).not.toEqual([]);
  });

  beforeAll(() => app.database.asSuperuser('create table leak (text text, bytes bytea)'));
});
