/**
 * Killed with -9 between the write and the commit: nothing half-written, and the retry succeeds
 * (docs/specification/reliability.md#f-1).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { type Load, openLoad } from '../../support/app/model-load.ts';
import { startApiProcess } from '../../support/app/model-process.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { newUpline } from '../../support/money/model-upline.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let chain: MemberBody[];
let load: Load;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  chain = await newUpline(client, 'D D D');
  load = openLoad();
});
afterAll(async () => {
  load.close();
  await expectCleanBooks(app);
  await app.close();
});

/** Every row of every tenant table that these calls could leave behind, for one marker. */
async function traces(marker: string): Promise<object[]> {
  return app.database.asSuperuser(
    `select 'member' as left_behind from member where email like $1 || '%'
     union all select 'event' from event where external_event_id = $1
     union all select 'customer' from customer where external_id = $1
     union all select 'line' from commission_line l join event e on e.id = l.event_id where e.external_event_id = $1
     union all select 'key' from idempotency_key where key = $1`,
    [marker],
  );
}

async function bookCounts() {
  return app.database.asSuperuser(
    `select (select count(*)::int from journal_entry) as journals, (select count(*)::int from posting) as postings,
            (select count(*)::int from referral_code) as codes, (select count(*)::int from downline_pending) as pending`,
  );
}

const purchaseOf = (marker: string) => ({
  path: '/api/v1/events/purchase',
  body: {
    external_event_id: marker,
    amount_minor: 10_000,
    currency: 'USD',
    customer: { external_id: marker },
    attribution: { user_id: chain[0]?.id },
  },
});
const memberOf = (marker: string) => ({
  path: '/api/v1/users',
  body: { email: `${marker}@shop.example`, parent_id: chain[0]?.id },
});

describe.each([
  ['purchase:decided', purchaseOf, false],
  ['member:written', memberOf, true],
  ['idempotency:claimed', purchaseOf, true],
  ['idempotency:sealed', purchaseOf, true],
  ['idempotency:sealed', memberOf, true],
] as const)('killed before the commit, at %s', (point, requestOf, withKey) => {
  test(withKey ? 'with an Idempotency-Key' : 'without a key', async () => {
    const marker = `crash-${point.replace(':', '-')}-${requestOf.name}-${withKey}`;
    const { path, body } = requestOf(marker);
    const headers: Record<string, string> = withKey ? { 'idempotency-key': marker } : {};
    const before = await bookCounts();
    const doomed = await startApiProcess(app, { FAULT_POINTS: `${point}=kill` });
    await expect(load.send({ baseUrl: doomed.baseUrl, key: tenant.liveKey, path, body, headers })).rejects.toThrow();
    expect(await doomed.ended).toBe('SIGKILL');
    expect(await traces(marker)).toEqual([]);
    expect(await bookCounts()).toEqual(before);

    const retry = await client.post(path, body, headers);
    expect([retry.status, retry.headers['idempotent-replayed']]).toEqual([201, undefined]);
    const again = await client.post(path, body, headers);
    if (withKey) expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, retry.text, 'true']);
    else if (path === '/api/v1/events/purchase') expect([again.status, again.text]).toEqual([200, retry.text]);
    else expect(again.status).toBe(409);
  });
});

describe('killed behind the commit, before the answer', () => {
  test('at purchase:written: the effect is whole and the retry finds it', async () => {
    const { path, body } = purchaseOf('crash-purchase-written');
    const doomed = await startApiProcess(app, { FAULT_POINTS: 'purchase:written=kill' });
    await expect(load.send({ baseUrl: doomed.baseUrl, key: tenant.liveKey, path, body, headers: {} })).rejects.toThrow();
    expect(await doomed.ended).toBe('SIGKILL');
    expect((await client.post(path, body)).status).toBe(200);
  });
});
