/** Snapshots: what is in them, as of which number, who may have them, and when they go: docs/specification/webhooks.md#snapshot. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Frames } from '../../../src/db/frame.ts';
import type { Scope } from '../../../src/db/scope.ts';
import { SNAPSHOT_KINDS, SNAPSHOT_SCOPES, snapshotKey } from '../../../src/features/webhooks/snapshot/event-snapshot.ts';
import { openSnapshotKinds } from '../../../src/features/webhooks/snapshot/snapshot-kinds.ts';
import type { KeyedRoute } from '../../../src/http/route.ts';
import type { LeasedHandler } from '../../../src/jobs/job.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';
import { sealAll, toldEvents } from '../../support/webhooks/told-events.ts';
import { storedFiles } from '../exports/export-calls.ts';
import {
  newSnapshot,
  readSnapshot,
  runSnapshots,
  snapshotPath,
  snapshotsPath,
  snapshotUrl,
  takeSnapshot,
} from './snapshot-calls.ts';

let app: TestApp;
let tenant: TestTenant;
let scope: Scope;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' };
  client = apiClient(app, tenant.sandboxKey);
});
afterAll(() => app.close());

const never = new AbortController().signal;
const handlerOf = (name: string) => app.composition.background.handlers.find((one) => one.name === name) as LeasedHandler;
const make = (id: string, frames: Frames = app.composition.background.frames, attempt = 1) =>
  handlerOf('make-snapshot').run(frames, { id: 'job', name: 'make-snapshot', scope, ids: { snapshotId: id }, attempt }, never);
const read = async (id: string) => (await client.get(`${snapshotsPath}/${id}`)).body;

async function sale(sponsor: { referral_code: string }) {
  const { body } = await client.post(
    '/api/v1/events/purchase',
    client.purchaseBody({ attribution: { referral_code: sponsor.referral_code } }),
  );
  return body as { event_id: string };
}

async function removeDue(): Promise<void> {
  await app.runSweep('remove-snapshots');
  await runJobs(app, 'remove-snapshots');
}

test('has every object as the API shows it, as of the last number', async () => {
  const sponsor = await client.newMember({ name: 'Zoë' });
  const { body: lead } = await client.post('/api/v1/leads/capture', { email: 'lead@snap.example' });
  const { event_id } = await sale(sponsor);
  const asked = await client.post(snapshotPath, {});
  expect(asked.status).toBe(202);
  expect(asked.headers['location']).toBe(`${snapshotsPath}/${asked.body.id}`);
  expect(asked.body).toMatchObject({ kinds: SNAPSHOT_KINDS, status: 'queued', sequence: null, byteCount: null, rowCount: 0 });
  await runSnapshots(app);
  const { head, lines } = await readSnapshot(client, asked.body.id);
  const told = await toldEvents(app, scope);
  expect(head).toMatchObject({ kind: 'snapshot', environment: 'SANDBOX', sequence: told.length, kinds: SNAPSHOT_KINDS });
  expect(await read(asked.body.id)).toMatchObject({
    status: 'completed',
    sequence: told.length,
    rowCount: lines.length,
    failure: null,
  });
  const kinds = Map.groupBy(lines, ({ kind }) => kind);
  expect([...kinds.keys()]).toEqual(['members', 'leads', 'events', 'commissions', 'balances']);
  const shown = async (path: string) => (await client.get(`/api/v1/${path}`)).body;
  const { data: commissions } = await shown(`commissions?eventId=${event_id}`);
  expect(kinds.get('members')).toEqual([{ kind: 'members', objectId: sponsor.id, data: await shown(`users/${sponsor.id}`) }]);
  expect(kinds.get('leads')).toEqual([{ kind: 'leads', objectId: lead.id, data: await shown(`leads/${lead.id}`) }]);
  expect(kinds.get('events')).toEqual([{ kind: 'events', objectId: event_id, data: await shown(`events/${event_id}`) }]);
  expect(kinds.get('commissions')?.map(({ data }) => data)).toEqual(commissions);
  const { balances } = await shown(`members/${sponsor.id}/balances`);
  expect(kinds.get('balances')).toMatchObject([{ objectId: sponsor.id, data: { balances } }]);
});

test('has the kinds that were asked for, in its own order', async () => {
  await client.newMember();
  const { head, lines } = await takeSnapshot(app, tenant.sandboxKey, ['balances', 'members', 'members']);
  expect(head.kinds).toEqual(['members', 'balances']);
  expect(lines.map(({ kind }) => kind)).toEqual(['members', 'balances']);
  expectRefusal(await client.post(snapshotPath, { kinds: [] }), 400, 'VALIDATION_ERROR');
  expectRefusal(await client.post(snapshotPath, { kinds: ['staff'] }), 400, 'VALIDATION_ERROR');
});

test('reads on behind the first page', async () => {
  await app.database.asSuperuser(
    `insert into member (tenant_id, environment, id, email, email_norm, membership_tier, is_active, can_recruit, is_test_user, pay_currency, created_at, updated_at)
     select $1, 'SANDBOX', uuidv7(), 'm' || n || '@pages.example', 'm' || n || '@pages.example', 'ORDINARY', true, true, false, 'USD', now(), now() from generate_series(1, 1101) n`,
    [tenant.tenantId],
  );
  const { lines } = await takeSnapshot(app, tenant.sandboxKey, ['balances']);
  const ids = lines.map(({ objectId }) => objectId);
  expect([ids.length, new Set(ids).size]).toEqual([1101, 1101]);
});

test('is exact while others write: it has what events up to its number tell of, and nothing else', async () => {
  const sponsor = await client.newMember();
  const over = new AbortController();
  const writers = Array.from({ length: 4 }, async (_, n) => {
    while (!over.signal.aborted) await (n % 2 === 0 ? client.newMember() : sale(sponsor));
  });
  const sealing = (async () => {
    while (!over.signal.aborted) await sealAll(app, scope);
  })();
  try {
    for (let round = 0; round < 6; round++) {
      const { head, lines } = await takeSnapshot(app, tenant.sandboxKey, ['members', 'events', 'commissions', 'balances']);
      await sealAll(app, scope);
      const told = (await toldEvents(app, scope)).filter(({ sequence }) => sequence !== null && sequence <= head.sequence);
      const ids = (kind: string) => lines.filter((line) => line.kind === kind).map(({ objectId }) => objectId);
      const toldOf = (type: string) => told.filter((event) => event.type === type);
      expect(new Set(ids('members'))).toEqual(new Set(toldOf('member.created').map(({ objectId }) => objectId)));
      expect(new Set(ids('events'))).toEqual(new Set(toldOf('event.purchase_recorded').map(({ objectId }) => objectId)));
      const paid = toldOf('commissions.created').flatMap(
        ({ data }) => data['commissions'] as { id: string; amountMinor: number }[],
      );
      expect(new Set(ids('commissions'))).toEqual(new Set(paid.map(({ id }) => id)));
      const balance = lines.find((line) => line.kind === 'balances' && line.objectId === sponsor.id)?.data['balances'][0];
      expect(balance.totalMinor).toBe(paid.reduce((sum, { amountMinor }) => sum + amountMinor, 0));
    }
  } finally {
    over.abort();
    await Promise.all([...writers, sealing]);
  }
});

test('counts what was committed without a number, and not what is still open', async () => {
  const { frames } = app.composition;
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: finish, resolve: end } = Promise.withResolvers<void>();
  const first = await client.newMember();
  const slow = frames.write(scope, async (db) => {
    await db.rows({
      text: `insert into member (tenant_id, environment, id, email, email_norm, membership_tier, is_active, can_recruit, is_test_user, pay_currency, created_at, updated_at)
             values ('${tenant.tenantId}', 'SANDBOX', uuidv7(), 'slow@snap.example', 'slow@snap.example', 'ORDINARY', true, true, false, 'USD', now(), now())`,
      values: [],
    });
    open();
    await finish;
  });
  await opened;
  const second = await client.newMember();
  const taken = await takeSnapshot(app, tenant.sandboxKey, ['members']);
  end();
  await slow;
  expect(taken.lines.map(({ objectId }) => objectId)).toEqual([first.id, second.id]);
  expect(taken.head.sequence).toBe((await toldEvents(app, scope)).length);
});

test('of an empty environment begins at 0, or where the numbers of a reset one are', async () => {
  await app.database.asSuperuser('delete from outgoing_unsealed where tenant_id = $1', [tenant.tenantId]);
  await app.database.asSuperuser('delete from outgoing_event where tenant_id = $1', [tenant.tenantId]);
  expect((await takeSnapshot(app, tenant.sandboxKey)).head.sequence).toBe(0);
  await client.newMember();
  await sealAll(app, scope);
  expect((await client.post('/api/v1/sandbox/reset', {})).status).toBeLessThan(300);
  const behind = await takeSnapshot(app, tenant.sandboxKey);
  expect(behind.lines).toEqual([]);
  expect(behind.head.sequence).toBeGreaterThan(0);
});

describe('who may have one', () => {
  test('a key needs the scope of each kind, to ask and to download', async () => {
    const scopes = ['webhooks:read', 'webhooks:write', 'users:read'];
    const { body: key } = await client.post('/api/v1/admin/api-keys', { scopes });
    const narrow = apiClient(app, key.apiKey);
    for (const kind of SNAPSHOT_KINDS.filter((one) => one !== 'members')) {
      expectRefusal(await narrow.post(snapshotPath, { kinds: ['members', kind] }), 403, 'FORBIDDEN');
    }
    expectRefusal(await narrow.post(snapshotPath, {}), 403, 'FORBIDDEN');
    const all = await takeSnapshot(app, tenant.sandboxKey);
    expectRefusal(await narrow.post(`${snapshotsPath}/${all.id}/download-url`, {}), 403, 'FORBIDDEN');
    const own = await newSnapshot(narrow, ['members']);
    await runSnapshots(app);
    expect((await readSnapshot(narrow, own)).head.kinds).toEqual(['members']);
  });

  test('the scopes are those of the operations', async () => {
    const { body: document } = await app.http.get('/api/v1/openapi.json');
    const asked: string[] = [];
    const kinds = openSnapshotKinds({
      routeOf(operationId) {
        asked.push(operationId);
        return {} as KeyedRoute;
      },
    });
    const operations = Object.values(
      document.paths as Record<string, Record<string, { operationId: string; 'x-required-scopes': string[] }>>,
    ).flatMap((path) => Object.values(path));
    for (const kind of SNAPSHOT_KINDS) {
      kinds[kind].route();
      const shown = operations.find(({ operationId }) => operationId === asked.at(-1));
      expect(shown?.['x-required-scopes'], kind).toEqual([SNAPSHOT_SCOPES[kind]]);
    }
  });

  test('five are unfinished at most, of each environment, also when many ask at once', async () => {
    const answers = [];
    for (let n = 0; n < 3; n++) answers.push(await client.post(snapshotPath, {}));
    // Few, for each waits for all before it, and for a lock no longer than two seconds.
    answers.push(...(await Promise.all(Array.from({ length: 5 }, () => client.post(snapshotPath, {})))));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(5);
    for (const answer of answers.filter(({ status }) => status !== 202)) expectRefusal(answer, 409, 'STATE_CONFLICT');
    expect((await apiClient(app, tenant.liveKey).post(snapshotPath, {})).status).toBe(202);
    await runSnapshots(app);
    expect((await client.post(snapshotPath, {})).status).toBe(202);
  });

  test('without a file there is no address', async () => {
    const id = await newSnapshot(client);
    expectRefusal(await client.post(`${snapshotsPath}/${id}/download-url`, {}), 409, 'STATE_CONFLICT');
  });
});

describe('the file goes', () => {
  const files = async () => (await storedFiles(app, tenant.tenantId)).filter((name) => name.includes('event-snapshots'));
  const expectGone = async (id: string, url: string) => {
    expect(await read(id)).toMatchObject({ status: 'expired' });
    expectRefusal(await client.post(`${snapshotsPath}/${id}/download-url`, {}), 409, 'STATE_CONFLICT');
    expect((await fetch(url)).status).toBe(404);
    expect(await files()).toEqual([]);
  };

  test('after a day', async () => {
    const { id } = await takeSnapshot(app, tenant.sandboxKey);
    const url = await snapshotUrl(client, id);
    await removeDue();
    expect((await fetch(url)).status).toBe(200);
    await app.database.asSuperuser("update event_snapshot set remove_at = now() - interval '1 second' where id = $1", [id]);
    await removeDue();
    await expectGone(id, url);
    const [row] = await app.database.asSuperuser('select remove_at, storage_key from event_snapshot where id = $1', [id]);
    expect(row).toEqual({ remove_at: null, storage_key: null });
  });

  test('when a member is erased, also one that is being made', async () => {
    const member = await client.newMember({ name: 'Gone Soon' });
    const { id } = await takeSnapshot(app, tenant.sandboxKey);
    const url = await snapshotUrl(client, id);
    const making = await newSnapshot(client);
    const erase = async () => {
      expect((await client.post(`/api/v1/members/${member.id}/erasure`, {})).status).toBeLessThan(300);
      await removeDue();
    };
    const { frames } = app.composition.background;
    let erased: Promise<void> | undefined;
    await make(making, {
      ...frames,
      async read(of, fn, options) {
        const made = await frames.read(of, fn, options);
        erased ??= erase();
        await erased;
        return made;
      },
    });
    expect(await read(making)).toMatchObject({ status: 'expired', sequence: null });
    await expectGone(id, url);
  });

  test('when the SANDBOX is reset', async () => {
    const { id } = await takeSnapshot(app, tenant.sandboxKey);
    const url = await snapshotUrl(client, id);
    expect((await client.post('/api/v1/sandbox/reset', {})).status).toBe(200);
    await removeDue();
    await expectGone(id, url);
  });

  test('when the job has failed for good, and another can be asked for', async () => {
    const id = await newSnapshot(client);
    const { frames } = app.composition.background;
    const broken: Frames = { ...frames, read: () => Promise.reject(new Error('no such luck')) };
    await expect(make(id, broken, 4)).rejects.toThrow('no such luck');
    expect(await read(id)).toMatchObject({ status: 'running' });
    await expect(make(id, broken, 5)).rejects.toThrow('no such luck');
    expect(await read(id)).toMatchObject({ status: 'failed', failure: expect.stringContaining('again and again') });
    await make(id);
    await removeDue();
    expect(await files()).toEqual([]);
    expect((await client.post(snapshotPath, {})).status).toBe(202);
  });
});

test('a worker that dies behind the file begins anew, and its key is the same', async () => {
  const id = await newSnapshot(client);
  const { frames } = app.composition.background;
  let writes = 0;
  const dying: Frames = {
    ...frames,
    write(of, fn, options) {
      writes += 1;
      // Beginning, numbering, completing.
      if (writes === 3) return Promise.reject(new Error('killed'));
      return frames.write(of, fn, options);
    },
  };
  await expect(make(id, dying)).rejects.toThrow('killed');
  expect(await read(id)).toMatchObject({ status: 'running' });
  const member = await client.newMember();
  await make(id);
  expect((await readSnapshot(client, id)).lines[0]?.objectId).toBe(member.id);
  const own = (await storedFiles(app, tenant.tenantId)).filter((name) => name.includes(snapshotKey(scope, id)));
  expect(own).toHaveLength(1);
});

test.each([
  ['a worker that dies behind the end', 0],
  ['a worker whose lease was lost while another made it', 1],
])('the file of a snapshot that is complete stays, whatever comes of %s', async (_name, writesBefore) => {
  const id = await newSnapshot(client);
  const { frames } = app.composition.background;
  let writes = 0;
  const overtaken: Frames = {
    ...frames,
    async write(of, fn, options) {
      if (writes === writesBefore) await make(id);
      writes += 1;
      return frames.write(of, fn, options);
    },
  };
  await make(id, overtaken);
  expect((await read(id)).status).toBe('completed');
  const { head } = await readSnapshot(client, id);
  expect(head.sequence).toBe((await read(id)).sequence);
});

test('an end whose answer was lost is an end', async () => {
  const id = await newSnapshot(client);
  const { frames } = app.composition.background;
  await make(id, {
    ...frames,
    // As a frame does that is repeatable.
    write: async (of, fn, options) => {
      await frames.write(of, fn, options);
      return frames.write(of, fn, options);
    },
  });
  expect((await readSnapshot(client, id)).lines).toEqual([]);
});
