/** What POST /imports takes and refuses, and that nothing is left of what it refuses. */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Frames } from '../../../src/db/frame.ts';
import { createImportKinds } from '../../../src/features/imports/import-kinds.ts';
import { createImportsService } from '../../../src/features/imports/imports-service.ts';
import { events, leads, rates, users } from '../../../src/features.ts';
import { createCursors } from '../../../src/http/pagination.ts';
import { createScopeOf } from '../../../src/http/rights.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { testCaller } from '../../support/app/test-caller.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';
import { importCsv, listStored, readErrors, readImport, sendCsv } from './csv-imports.ts';

let app: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  app = await startTestApp({ IMPORT_MAX_BYTES: '300000' });
  tenant = await app.newTenant();
});
afterAll(() => app.close());

const stored = () => app.database.asSuperuser('select id from import_run union all select import_id from import_row');
const faultsOf = ({ body }: { body: Record<string, unknown> }) =>
  ((body['details'] as { fields?: { field: string; message: string }[] } | undefined)?.fields ?? []).map(
    ({ field, message }) => `${field}: ${message}`,
  );

describe('a file that is refused', () => {
  const many = `email\n${Array.from({ length: 3_000 }, (_, index) => `r${index}@bad.example`).join('\n')}\n`;
  const files: [string, string | Buffer, string][] = [
    ['empty', '', 'file: has no header line'],
    ['of blank lines', '\n\n', 'file: has no header line'],
    ['with an unknown column', 'email,iban\na@b.example,1\n', 'iban: is not a known column'],
    ['with a column twice', 'email,name,name\n', 'name: is given more than once'],
    ['without a required column', 'name\nx\n', 'email: is a required column'],
    ['with semicolons', 'email;name\na@b.example;x\n', 'email;name: is not a known column'],
    ['with a stray quote', `${many}a"b@c.example\n`, 'file: line 3002 has a quote in the wrong place'],
    ['with text behind a quote', 'email\n"a@b.example"x\n', 'file: line 2 has a quote in the wrong place'],
    ['with an open quote', 'email\na@b.example\n"c@d.example\n', 'file: line 3 begins a record with a quote that is not closed'],
    ['with a NUL', `${many}a\0@b.example\n`, 'file: line 3002 has a NUL character'],
    ['in Latin-1', Buffer.from(`${many}é@b.example\n`, 'latin1'), 'file: line 3002 is not valid UTF-8'],
    ['in Latin-1 to its end', Buffer.from('email\né@b.example', 'latin1'), 'file: line 2 is not valid UTF-8'],
    ['in UTF-16', Buffer.from('\ufeffemail\n', 'utf16le'), 'file: line 1 is not valid UTF-8'],
    [
      'with a record that is too long',
      `email,name\na@b.example,"${'x\n'.repeat(40_000)}"\n`,
      'file: line 2 begins a record of more than 65536 bytes, or a quote that is not closed',
    ],
    ['with a line that is too long', `email\n${'x'.repeat(200_000)}`, 'file: line 2'],
  ];
  test.each(files)('%s', async (_label, file, fault) => {
    const answer = await sendCsv(app, tenant.liveKey, file);
    expect([answer.status, answer.body['code']]).toEqual([400, 'VALIDATION_ERROR']);
    expect(faultsOf(answer).some((told) => told.startsWith(fault))).toBe(true);
    expect(await stored()).toEqual([]);
    // The connection is good for the next request.
    expect((await apiClient(app, tenant.liveKey).get('/api/v1/imports')).body).toEqual({
      data: [],
      hasMore: false,
      nextCursor: null,
    });
  });

  test('by its type, its encoding, its size and its parameters', async () => {
    const send = async (
      headers: Record<string, string>,
      body: string | Uint8Array<ArrayBuffer> = 'email\n',
      query = 'kind=members&mode=apply',
    ) => {
      const answer = await fetch(`${app.baseUrl}/api/v1/imports?${query}`, {
        method: 'POST',
        headers: { 'x-tenant-api-key': tenant.liveKey, ...headers },
        body,
      });
      return [answer.status, ((await answer.json()) as { code?: string }).code];
    };
    const csv = { 'content-type': 'text/csv' };
    const unsupported = [415, 'UNSUPPORTED_MEDIA_TYPE'];
    expect(await send({ 'content-type': 'application/json' })).toEqual(unsupported);
    expect(await send({ 'content-type': 'text/csv; charset=iso-8859-1' })).toEqual(unsupported);
    expect(await send({ ...csv, 'content-encoding': 'gzip' }, gzipSync('email\n'))).toEqual(unsupported);
    expect(await send(csv, 'x'.repeat(300_001))).toEqual([413, 'BODY_TOO_LARGE']);
    expect(await send(csv, 'email\n', 'kind=members')).toEqual([400, 'VALIDATION_ERROR']);
    expect(await send(csv, 'email\n', 'kind=members&mode=try')).toEqual([400, 'VALIDATION_ERROR']);
    expect(await send(csv, 'email\n', 'kind=members&mode=apply&x=1')).toEqual([400, 'VALIDATION_ERROR']);
    const endless = async function* () {
      yield Buffer.from('email\n');
      for (let row = 0; row < 20_000; row++) yield Buffer.from(`endless${row}@x.example\n`);
    };
    await sendCsv(app, tenant.liveKey, endless()).then(
      ({ status }) => expect(status).toBe(413),
      () => undefined, // the connection was closed before the answer was read
    );
    await expect.poll(stored, { timeout: 60_000 }).toEqual([]);
  });
});

test('a byte order mark, CRLF, quoted line ends and commas, blank lines, and columns in any order', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const file = '\ufeffname,"email"\r\n"a ""b"",\nc",one@csv.example\r\n\r\n,two@csv.example\r\nx,bad';
  const run = await importCsv(app, liveKey, file, { headers: { 'content-type': 'Text/CSV; charset="utf-8"' } });
  expect(run).toMatchObject({ status: 'completed', rowCount: 3, appliedCount: 2, byteCount: Buffer.byteLength(file) });
  expect(run.errors).toEqual([{ rowNumber: 5, faults: [{ field: 'email', message: 'must be an email address' }] }]);
  expect((await listStored(app, tenantId)).map(({ email, name }) => [email, name])).toEqual([
    ['one@csv.example', 'a "b",\nc'],
    ['two@csv.example', null],
  ]);
  const empty = await importCsv(app, liveKey, 'email\n');
  expect(empty).toMatchObject({ status: 'completed', rowCount: 0, progress: 1 });
});

test('bytes that come one by one make the same file', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const drops = async function* () {
    for (const byte of Buffer.from('email,name\ndrop@x.example,"ẞ\r\n😀"\n')) {
      yield Buffer.from([byte]);
      await sleep(1);
    }
  };
  const sent = await sendCsv(app, liveKey, drops());
  expect(sent.status).toBe(201);
  await runJobs(app, 'run-import');
  expect((await listStored(app, tenantId)).map(({ name }) => name)).toEqual(['ẞ\r\n😀']);
});

test('a repeat with the key gets the first answer; other bytes are refused; nothing is left of either', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const headers = { 'idempotency-key': randomUUID() };
  const file = 'email\nkeyed@x.example\n';
  const answers = await Promise.all([0, 1, 2].map(() => sendCsv(app, liveKey, file, { headers })));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === 'true').length).toBe(2);
  expect((await sendCsv(app, liveKey, `${file}x@x.example\n`, { headers })).body['code']).toBe('IDEMPOTENCY_KEY_REUSED');
  expect((await sendCsv(app, liveKey, file, { headers, mode: 'validate' })).body['code']).toBe('IDEMPOTENCY_KEY_REUSED');
  const [count] = await app.database.asSuperuser<{ runs: number; rows: number }>(
    `select (select count(*)::int from import_run where tenant_id = $1) as runs,
            (select count(*)::int from import_row where tenant_id = $1) as rows`,
    [tenantId],
  );
  expect(count).toEqual({ runs: 1, rows: 1 });
  await runJobs(app, 'run-import');
  expect((await listStored(app, tenantId)).length).toBe(1);
});

test('a transfer that breaks off leaves nothing, and one that died with its process is tidied away in an hour', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const abort = new AbortController();
  const broken = async function* () {
    yield Buffer.from(`email\n${Array.from({ length: 2_500 }, (_, index) => `b${index}@x.example`).join('\n')}\n`);
    await sleep(500);
    abort.abort();
    yield Buffer.from('late@x.example\n');
  };
  const sending = fetch(`${app.baseUrl}/api/v1/imports?kind=members&mode=apply`, {
    method: 'POST',
    headers: { 'x-tenant-api-key': liveKey, 'content-type': 'text/csv' },
    body: ReadableStream.from(broken()),
    duplex: 'half',
    signal: abort.signal,
  });
  await expect(sending).rejects.toThrow();
  const left = () => app.database.asSuperuser('select from import_run where tenant_id = $1', [tenantId]);
  await expect.poll(left, { timeout: 60_000 }).toEqual([]);

  const scope = { tenantId, environment: 'LIVE' } as const;
  await app.database.asSuperuser(
    `with run as (
       insert into import_run (tenant_id, environment, kind, mode, status, created_by, tidy_at, created_at, updated_at)
       values ($1, 'LIVE', 'members', 'apply', 'receiving', 'operator', now() + interval '1 hour', now(), now()) returning id)
     insert into import_row (tenant_id, environment, import_id, row_number, state, fields)
     select $1, 'LIVE', run.id, n, 'waiting', '{}' from run, generate_series(2, 6000) n`,
    [tenantId],
  );
  await app.runSweep('tidy-imports', scope);
  expect((await left()).length).toBe(1);
  await app.database.asSuperuser("update import_run set tidy_at = now() - interval '1 second' where tenant_id = $1", [tenantId]);
  await app.runSweep('tidy-imports');
  expect(await left()).toEqual([]);
  expect(await app.database.asSuperuser('select from import_row where tenant_id = $1', [tenantId])).toEqual([]);
});

test('a cancelled import stops, keeps what was applied, and its rows go; faults go after 30 days', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const client = apiClient(app, liveKey);
  const sent = await sendCsv(app, liveKey, 'email\nbad\nnever@x.example\n');
  const path = `/api/v1/imports/${String(sent.body['id'])}`;
  const cancelled = await client.post(`${path}/cancel`, {});
  expect(cancelled.body).toMatchObject({ status: 'cancelled', appliedCount: 0, failedCount: 1, progress: 0.5 });
  expect((await client.post(`${path}/cancel`, {})).body.code).toBe('STATE_CONFLICT');
  await runJobs(app, 'run-import');
  expect(await listStored(app, tenantId)).toEqual([]);
  await app.runSweep('tidy-imports');
  const rows = () => app.database.asSuperuser<{ state: string }>('select state from import_row where tenant_id = $1', [tenantId]);
  expect(await rows()).toEqual([{ state: 'failed' }]);
  expect((await readErrors(app, liveKey, sent.body['id'])).length).toBe(1);
  await app.database.asSuperuser(
    "update import_run set finished_at = finished_at - interval '31 days', tidy_at = tidy_at - interval '31 days' where tenant_id = $1",
    [tenantId],
  );
  await app.runSweep('tidy-imports');
  expect(await rows()).toEqual([]);
  expect(await readImport(app, liveKey, sent.body['id'])).toMatchObject({ status: 'cancelled', failedCount: 1 });
  const other = await app.newTenant();
  for (const key of [other.liveKey, tenant.sandboxKey]) {
    for (const end of ['', '/errors', '/errors.csv']) expect((await apiClient(app, key).get(path + end)).status).toBe(404);
    expect((await apiClient(app, key).post(`${path}/cancel`, {})).status).toBe(404);
  }
});

test('an import whose last commit went through, and whose answer was lost, is worked off in full', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const { frames, queue, offer } = app.composition;
  const scope = { tenantId, environment: 'LIVE' } as const;
  const forgetful: Frames = {
    ...frames,
    async write(of, fn, options) {
      const result = await frames.write(of, fn, options);
      if ((result as { status?: string } | undefined)?.status === 'queued') throw new Error('the answer was lost');
      return result;
    },
  };
  const imports = createImportsService({
    frames: forgetful,
    cursors: createCursors(Buffer.alloc(32)),
    queue,
    kinds: createImportKinds({ users: offer(users), leads: offer(leads), batches: offer(events).batches, rates: offer(rates) }),
    scopeOf: createScopeOf(app.composition.app.operations),
  });
  async function* file(): AsyncGenerator<Buffer> {
    yield Buffer.from('email\na@lost.example\nb@lost.example\n');
  }
  const context = { scope: testCaller(scope), guard: undefined };
  const bytes = { [Symbol.asyncIterator]: file, count: () => 37 };
  await expect(imports.receive(context, { kind: 'members', mode: 'apply' }, bytes)).rejects.toThrow('the answer was lost');
  await runJobs(app, 'run-import');
  expect((await listStored(app, tenantId)).map(({ email }) => email)).toEqual(['a@lost.example', 'b@lost.example']);
  const { body } = await apiClient(app, liveKey).get('/api/v1/imports');
  expect(body.data[0]).toMatchObject({ status: 'completed', rowCount: 2, appliedCount: 2, failedCount: 0 });
});

test('an import that nobody works on any more has failed after a day, and its rows go', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const sent = await sendCsv(app, liveKey, 'email\nbad\nstill@x.example\n');
  await app.runSweep('tidy-imports');
  expect(await readImport(app, liveKey, sent.body['id'])).toMatchObject({ status: 'queued' });
  await app.database.asSuperuser("update import_run set tidy_at = tidy_at - interval '1 day' where tenant_id = $1", [tenantId]);
  await app.runSweep('tidy-imports');
  expect(await readImport(app, liveKey, sent.body['id'])).toMatchObject({ status: 'failed', appliedCount: 0, failedCount: 1 });
  const rows = await app.database.asSuperuser(
    'select state, fields, email_norm, external_id from import_row where tenant_id = $1',
    [tenantId],
  );
  expect(rows).toEqual([{ state: 'failed', fields: null, email_norm: null, external_id: null }]);
  await runJobs(app, 'run-import');
  expect(await listStored(app, tenantId)).toEqual([]);
});

test('a formula in what a row said is not one in the exported faults', async () => {
  const { liveKey } = await app.newTenant();
  const run = await importCsv(app, liveKey, 'email,membership_tier\nx@x.example,=1+1\n');
  const csv = await apiClient(app, liveKey).get(`/api/v1/imports/${run.id}/errors.csv`);
  expect(csv.text).not.toMatch(/(^|,)"?=/m);
});

test('a key needs the right of what the rows make, and of codes of its choice; a refused file leaves nothing behind', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const keyWith = async (...scopes: string[]) =>
    (await app.tenants.createKey({ tenantId, environment: 'LIVE', scopes: ['imports:write', 'imports:read', ...scopes] })).apiKey;
  const weaker = await keyWith('leads:write', 'events:write', 'referrals:write');
  const refused = await sendCsv(app, weaker, 'email\na@rights.example\n');
  expect([refused.status, refused.body['code']]).toEqual([403, 'FORBIDDEN']);
  expect(refused.body['error']).toContain('the scope users:write,');
  const coded = await sendCsv(app, await keyWith('users:write'), 'email,referral_code\na@rights.example,RIGHTS-1\n');
  expect([coded.status, coded.body['code']]).toEqual([403, 'FORBIDDEN']);
  expect(coded.body['error']).toContain('the scope referrals:write,');
  expect(await app.database.asSuperuser('select id from import_run where tenant_id = $1', [tenantId])).toEqual([]);
  expect((await sendCsv(app, await keyWith('users:write'), 'email\na@rights.example\n')).status).toBe(201);
  const run = await sendCsv(app, liveKey, 'email\nb@rights.example\n');
  const path = `/api/v1/imports/${String(run.body['id'])}/cancel`;
  expect((await apiClient(app, weaker).post(path, {})).body.code).toBe('FORBIDDEN');
  expect((await readImport(app, liveKey, run.body['id'])).status).toBe('queued');
  expect((await apiClient(app, await keyWith('users:write')).post(path, {})).body.status).toBe('cancelled');
});

test('an import goes on with the rights it was taken with, also when its key has ended meanwhile', async () => {
  const { tenantId } = await app.newTenant();
  const scopes = ['imports:write', 'users:write'];
  const { apiKey, keyId } = await app.tenants.createKey({ tenantId, environment: 'LIVE', scopes });
  expect((await sendCsv(app, apiKey, 'email\na@ended.example\n')).status).toBe(201);
  await app.tenants.stopKey(keyId, 'revoke');
  await runJobs(app, 'run-import');
  expect((await listStored(app, tenantId)).map(({ email }) => email)).toEqual(['a@ended.example']);
});
