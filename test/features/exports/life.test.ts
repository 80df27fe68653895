/** The life of an export: asked for, made, broken off, cancelled, downloaded, gone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Frames } from '../../../src/db/frame.ts';
import type { Scope } from '../../../src/db/scope.ts';
import { AppError } from '../../../src/errors.ts';
import type { LeasedHandler } from '../../../src/jobs/job.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';
import { downloadUrl, exportFile, exportsPath, linesOf, newExport, readExport, runExports, storedFiles } from './export-calls.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let live: Scope;

beforeAll(async () => {
  app = await startTestApp({ EXPORT_PAGE_ROWS: '2' });
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  live = { tenantId: tenant.tenantId, environment: 'LIVE' };
});
afterAll(() => app.close());

const DAY = 86_400;
const never = new AbortController().signal;
const members = (count: number, key = tenant.liveKey) =>
  Promise.all(Array.from({ length: count }, () => apiClient(app, key).newMember()));
const read = (id: string, key = tenant.liveKey) => readExport(app, key, id);
const cancel = (id: string) => client.post(`${exportsPath}/${id}/cancel`, {});
const wanted = { kind: 'members' };

const jobOf = (): LeasedHandler => {
  const job = app.composition.background.handlers.find(
    (one): one is LeasedHandler => one.name === 'run-export' && one.kind === 'leased',
  );
  if (!job) throw new Error('there is no such job');
  return job;
};
const runOnce = (id: string, frames: Frames = app.composition.background.frames, attempt = 1) =>
  jobOf().run(frames, { id: 'job', name: 'run-export', scope: live, ids: { exportId: id }, attempt }, never);

/** Does something before each write of the job, which is told how many there were. */
function meddling(onWrite: (writes: number) => unknown): Frames {
  const { frames } = app.composition.background;
  let writes = 0;
  return {
    ...frames,
    async write(scope, fn, options) {
      writes += 1;
      await onWrite(writes);
      return frames.write(scope, fn, options);
    },
  };
}

/** All that is due to be removed goes from the storage, as the workers would do it. */
async function removeDue(): Promise<void> {
  await app.runSweep('remove-export-files');
  await runJobs(app, 'remove-export-files');
}
const laterBy = (interval: string) =>
  app.database.asSuperuser(
    `update export_object set remove_after = remove_after - $2::interval, writable_until = writable_until - $2::interval where tenant_id = $1`,
    [tenant.tenantId, interval],
  );
const objects = () =>
  app.database.asSuperuser<{ kept: boolean }>('select remove_after is null as kept from export_object where tenant_id = $1', [
    tenant.tenantId,
  ]);

test('an export is queued, made and complete, and says how far it has come', async () => {
  await members(5);
  const answer = await client.post(exportsPath, { kind: 'members', format: 'csv' });
  expect(answer.status).toBe(201);
  expect(answer.headers['location']).toBe(`${exportsPath}/${answer.body.id}`);
  expect(answer.body).toMatchObject({
    kind: 'members',
    format: 'csv',
    filters: {},
    status: 'queued',
    rowCount: 0,
    byteCount: null,
    startedAt: null,
    expiresAt: null,
  });
  const seen: unknown[] = [];
  await runOnce(
    answer.body.id,
    meddling(async () => {
      const { status, rowCount } = await read(answer.body.id);
      seen.push([status, rowCount]);
    }),
  );
  expect(seen).toEqual([
    ['queued', 0],
    ['running', 0],
    ['running', 2],
    ['running', 4],
    ['running', 5],
  ]);
  const done = await read(answer.body.id);
  expect(done).toMatchObject({ status: 'completed', rowCount: 5, failure: null });
  expect(Date.parse(done.expiresAt ?? '') - Date.now()).toBeGreaterThan(6.9 * DAY * 1000);
  expect((await client.get(exportsPath)).body).toMatchObject({ data: [{ id: answer.body.id }], hasMore: false });
});

test('with an Idempotency-Key it is one export', async () => {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const ask = () => client.post(exportsPath, { kind: 'events', format: 'csv' }, headers);
  const first = await ask();
  expect(first.status).toBe(201);
  expect((await ask()).body).toEqual(first.body);
  expect((await client.get(exportsPath)).body.data).toHaveLength(1);
});

test('five may be unfinished, of each environment, also when six come at once', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => client.post(exportsPath, { ...wanted, format: 'csv' })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const answer of refused) expectRefusal(answer, 409, 'STATE_CONFLICT');
  expect((await apiClient(app, tenant.sandboxKey).post(exportsPath, { ...wanted, format: 'csv' })).status).toBe(201);
  const one = answers.find(({ status }) => status === 201)?.body.id as string;
  expect((await cancel(one)).status).toBe(200);
  await newExport(app, tenant.liveKey, wanted);
});

describe('a row that comes into being after the start', () => {
  test.each(['members', 'ledger'])('is not in the file: %s', async (kind) => {
    const [root] = await members(3);
    const buy = () => client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: root?.id } }));
    await buy();
    const known = linesOf((await exportFile(app, tenant.liveKey, { kind })).text);
    const { id } = await newExport(app, tenant.liveKey, { kind });
    await runOnce(
      id,
      meddling(async (writes) => {
        if (writes !== 2) return;
        await members(3);
        await buy();
      }),
    );
    const text = await (await fetch(await downloadUrl(app, tenant.liveKey, id))).text();
    expect(linesOf(text)).toEqual(known);
    expect((await exportFile(app, tenant.liveKey, { kind })).run.rowCount).toBeGreaterThan(known.length);
  });
});

describe('a run that breaks off', () => {
  test('anywhere leaves no file, and the next one makes it whole', async () => {
    await members(5);
    const whole = (await exportFile(app, tenant.liveKey, { ...wanted, format: 'csv' })).text;
    let broke = true;
    for (let at = 1; broke; at++) {
      const { id } = await newExport(app, tenant.liveKey, { ...wanted, format: 'csv' });
      // Nothing can be written any more, as after a kill.
      const dying = meddling((writes) => {
        if (writes >= at) throw new Error('killed');
      });
      broke = await runOnce(id, dying).then(
        () => false,
        () => true,
      );
      if (!broke) break;
      expect((await client.post(`${exportsPath}/${id}/download-url`, {})).status).toBe(409);
      await runOnce(id);
      const run = await read(id);
      expect(run).toMatchObject({ status: 'completed', rowCount: 5, byteCount: Buffer.byteLength(whole) });
      expect(await (await fetch(await downloadUrl(app, tenant.liveKey, id))).text()).toBe(whole);
      if (at > 20) throw new Error('it never ends');
    }
    const files = await storedFiles(app, tenant.tenantId);
    expect(files.length).toBeGreaterThan((await objects()).filter(({ kept }) => kept).length);
    await laterBy('2 days');
    await removeDue();
    // What was left behind is gone, what is complete is not.
    const kept = await objects();
    expect(kept.every((object) => object.kept)).toBe(true);
    expect(await storedFiles(app, tenant.tenantId)).toHaveLength(kept.length);
  });

  test('for good has failed, without a file', async () => {
    await members(3);
    const { id } = await newExport(app, tenant.liveKey, wanted);
    const dying = meddling((writes) => {
      if (writes === 3) throw new Error('broken');
    });
    await expect(runOnce(id, dying, 5)).rejects.toThrow('broken');
    expect(await read(id)).toMatchObject({ status: 'failed', failure: 'The export met an unexpected error again and again' });
    await runOnce(id);
    expect(await read(id)).toMatchObject({ status: 'failed' });
    await removeDue();
    expect(await storedFiles(app, tenant.tenantId)).toEqual([]);
  });

  test('and is never heard of again has failed after a day', async () => {
    const { id } = await newExport(app, tenant.liveKey, wanted);
    await app.runSweep('end-standing-exports');
    expect(await read(id)).toMatchObject({ status: 'queued' });
    await app.database.asSuperuser(`update export_run set stands_at = now() - interval '1 second' where id = $1`, [id]);
    await app.runSweep('end-standing-exports');
    expect(await read(id)).toMatchObject({ status: 'failed', failure: 'The export came to a standstill' });
  });
});

test('two runs at once make one file, the last one’s', async () => {
  await members(7);
  const { id } = await newExport(app, tenant.liveKey, wanted);
  await runOnce(
    id,
    meddling(async (writes) => {
      if (writes === 3) await runOnce(id);
    }),
  );
  const { status, rowCount } = await read(id);
  expect({ status, rowCount }).toEqual({ status: 'completed', rowCount: 7 });
  expect(linesOf(await (await fetch(await downloadUrl(app, tenant.liveKey, id))).text())).toHaveLength(7);
  await removeDue();
  expect(await storedFiles(app, tenant.tenantId)).toHaveLength(1);
  await Promise.all([runOnce(id), runOnce(id)]);
  expect(await read(id)).toMatchObject({ status: 'completed', rowCount: 7 });
});

describe('cancelling', () => {
  test('a queued one leaves nothing to do', async () => {
    const { id } = await newExport(app, tenant.liveKey, { ...wanted, filters: { email: 'ada@', tier: 'SENIOR' } });
    const { status, filters } = (await cancel(id)).body;
    expect({ status, filters }).toEqual({ status: 'cancelled', filters: { tier: 'SENIOR' } });
    await runExports(app);
    expect(await read(id)).toMatchObject({ status: 'cancelled', rowCount: 0 });
    expectRefusal(await cancel(id), 409, 'STATE_CONFLICT');
    expectRefusal(await client.post(`${exportsPath}/${id}/download-url`, {}), 409, 'STATE_CONFLICT');
  });

  test('a running one stops it at the next page, and there is no file', async () => {
    await members(9);
    const { id } = await newExport(app, tenant.liveKey, wanted);
    let writes = 0;
    await runOnce(
      id,
      meddling(async (count) => {
        writes = count;
        if (count === 3) await cancel(id);
      }),
    );
    // Begun, a page, the page that found out, the object dropped, what has become of the export.
    expect(writes).toBe(5);
    expect(await read(id)).toMatchObject({ status: 'cancelled', rowCount: 2 });
    await removeDue();
    expect([await storedFiles(app, tenant.tenantId), await objects()]).toEqual([[], []]);
  });

  test('one whose file is stored already removes the file', async () => {
    await members(2);
    const { id } = await newExport(app, tenant.liveKey, wanted);
    let stored = 0;
    await runOnce(
      id,
      meddling(async () => {
        const files = await storedFiles(app, tenant.tenantId);
        if (files.some((file) => file.includes(id)) && stored++ === 0) await cancel(id);
      }),
    );
    expect(stored).toBeGreaterThan(0);
    expect(await read(id)).toMatchObject({ status: 'cancelled' });
    await removeDue();
    expect(await storedFiles(app, tenant.tenantId)).toEqual([]);
  });
});

describe('after seven days', () => {
  test('by the clock of the SANDBOX, the file is gone', async () => {
    const sandbox = apiClient(app, tenant.sandboxKey);
    await members(3, tenant.sandboxKey);
    const filters = { email: 'zoe@', isActive: true };
    const { run } = await exportFile(app, tenant.sandboxKey, { ...wanted, filters });
    expect(run.filters).toEqual(filters);
    const url = await downloadUrl(app, tenant.sandboxKey, run.id);
    await sandbox.post('/api/v1/sandbox/clock', { advanceSeconds: 7 * DAY - 60 });
    expect((await read(run.id, tenant.sandboxKey)).status).toBe('completed');
    await sandbox.post('/api/v1/sandbox/clock', { advanceSeconds: 61 });
    const gone = await read(run.id, tenant.sandboxKey);
    expect([gone.status, gone.filters]).toEqual(['expired', { isActive: true }]);
    expectRefusal(await sandbox.post(`${exportsPath}/${run.id}/download-url`, {}), 409, 'STATE_CONFLICT');
    await removeDue();
    expect(await storedFiles(app, tenant.tenantId)).toEqual([]);
    expect((await fetch(url)).status).toBe(404);
    // Once more when nobody may write it any more: then it is forgotten.
    expect(await objects()).toHaveLength(1);
    await laterBy('1 hour');
    await removeDue();
    expect(await objects()).toEqual([]);
  });

  test('it is asked for again while the storage does not answer', async () => {
    await members(1);
    const { run } = await exportFile(app, tenant.liveKey, wanted);
    await app.database.asSuperuser(`update export_run set expires_at = now() where id = $1`, [run.id]);
    await app.runSweep('expire-exports');
    await app.runSweep('remove-export-files');
    const { storage } = app.composition;
    const { remove } = storage;
    storage.remove = () => Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'away'));
    await runJobs(app, 'remove-export-files');
    storage.remove = remove;
    expect(await storedFiles(app, tenant.tenantId)).toHaveLength(1);
    await laterBy('10 minutes');
    await removeDue();
    expect(await storedFiles(app, tenant.tenantId)).toEqual([]);
  });
});

describe('the reset of a SANDBOX', () => {
  test('takes the exports and their files, also of one that is being made', async () => {
    const sandbox = apiClient(app, tenant.sandboxKey);
    await members(3, tenant.sandboxKey);
    await members(1);
    await exportFile(app, tenant.liveKey, wanted);
    await exportFile(app, tenant.sandboxKey, wanted);
    const { id } = await newExport(app, tenant.sandboxKey, wanted);
    const scope: Scope = { ...live, environment: 'SANDBOX' };
    const frames = meddling(async (writes) => {
      if (writes === 2) expect((await sandbox.post('/api/v1/sandbox/reset', {})).status).toBe(200);
    });
    await jobOf().run(frames, { id: 'job', name: 'run-export', scope, ids: { exportId: id }, attempt: 1 }, never);
    expect((await sandbox.get(exportsPath)).body.data).toEqual([]);
    expect((await client.get(exportsPath)).body.data).toHaveLength(1);
    await removeDue();
    const left = await storedFiles(app, tenant.tenantId);
    expect(left.map((file) => file.includes('/live/'))).toEqual([true]);
  });
});

describe('the erasure of a member', () => {
  const erase = (id: string | undefined) => client.post(`/api/v1/members/${id}/erasure`, { acknowledgeOwed: true });

  test('takes the files that hold persons, and no others', async () => {
    const [member] = await members(2);
    await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: member?.id } }));
    const ids: Record<string, string> = {};
    for (const kind of ['members', 'events', 'auditLogs', 'commissions', 'ledger'])
      ids[kind] = (await exportFile(app, tenant.liveKey, { kind })).run.id;
    const other = await app.newTenant();
    await members(1, other.liveKey);
    const theirs = (await exportFile(app, other.liveKey, wanted)).run.id;
    expect((await erase(member?.id)).status).toBe(200);
    const statuses = await Promise.all(Object.values(ids).map(async (id) => (await read(id)).status));
    expect(statuses).toEqual(['expired', 'expired', 'expired', 'completed', 'completed']);
    expect((await read(theirs, other.liveKey)).status).toBe('completed');
    await removeDue();
    expect(await storedFiles(app, tenant.tenantId)).toHaveLength(2);
  });

  test('begins anew what is being made', async () => {
    const all = await members(5);
    const { id } = await newExport(app, tenant.liveKey, { ...wanted, format: 'csv' });
    let done = false;
    await runOnce(
      id,
      meddling(async (writes) => {
        // The first page, with the first member, is written.
        if (writes === 3 && !done) {
          done = true;
          expect((await erase(all[0]?.id)).status).toBe(200);
        }
      }),
    );
    expect(await read(id)).toMatchObject({ status: 'completed', rowCount: 5 });
    const text = await (await fetch(await downloadUrl(app, tenant.liveKey, id))).text();
    expect(text).toContain(all[0]?.id);
    expect(text).not.toContain(all[0]?.email);
    await removeDue();
    expect(await storedFiles(app, tenant.tenantId)).toHaveLength(1);
  });
});

test('its deeds are in the audit log with the key that did them', async () => {
  await members(1);
  const filters = { email: 'secret-name@', isActive: true };
  const { run } = await exportFile(app, tenant.liveKey, { ...wanted, filters });
  await downloadUrl(app, tenant.liveKey, run.id);
  const second = await newExport(app, tenant.liveKey, wanted);
  await cancel(second.id);
  await sleep(1);
  const log = (await client.get('/api/v1/admin/audit-logs?limit=100')).body.data as Record<string, unknown>[];
  const mine = log.filter((entry) => String(entry['action']).startsWith('export.'));
  expect(mine.map(({ action }) => String(action)).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'export.cancelled',
    'export.created',
    'export.created',
    'export.downloaded',
    'export.downloaded',
  ]);
  expect(JSON.stringify(mine)).not.toContain('secret-name');
  const [key] = await app.database.asSuperuser<{ id: string }>(
    `select id from api_key where tenant_id = $1 and environment = 'LIVE'`,
    [tenant.tenantId],
  );
  for (const entry of mine) expect(JSON.stringify(entry)).toContain(key?.id);
});
