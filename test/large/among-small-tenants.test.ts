/**
 * A deep tree among thousands of small tenants. By what the database knows of them a tenant has few
 * members; plans that were made for any tenant, as all are after a few calls, must serve this one too.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { countAnew, type Planted, plantMembers } from '../support/tree/plant-tree.ts';

vi.setConfig({ testTimeout: 300_000 });

const LENGTH = 10_000;
/** Statements are planned anew for each call until the sixth. */
const CALLS = 7;

let app: TestApp;
let client: ApiClient;
let chain: Planted;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_POOL_SIZE: '1' });
  await app.database.asSuperuser(`
    begin;
    set local session_replication_role = replica;
    insert into member (tenant_id, environment, email, email_norm, membership_tier, is_active, can_recruit, is_test_user, pay_currency)
      select md5((n / 5)::text)::uuid, 'LIVE', n || '@shop.example', n || '@shop.example', 'ORDINARY', true, true, false, 'USD'
      from generate_series(1, 15000) n;
    commit`);
  const tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  chain = await plantMembers(app, tenant, { count: LENGTH, sponsor: 'nullif(n - 1, 0)' });
  await countAnew(app, tenant);
  await app.database.asSuperuser('analyze');
});
afterAll(() => app.close());

const member = (n: number) => `/api/v1/members/${chain.id(n)}`;

type Send = (call: number) => ReturnType<ApiClient['get']>;

/** Of a fault what it says. */
async function statusesOf(send: Send): Promise<(number | string)[]> {
  const statuses: (number | string)[] = [];
  for (let call = 0; call < CALLS; call++) {
    const { status, text } = await send(call);
    statuses.push(status < 500 ? status : text);
  }
  return statuses;
}

test.each<[string, number, Send]>([
  ['a tree', 200, () => client.get(`${member(1)}/genealogy?depth=10`)],
  ['an upline', 200, () => client.get(`${member(LENGTH)}/upline?limit=100`)],
  ['a relationship', 200, () => client.get(`${member(LENGTH)}/relationship/${chain.id(1)}`)],
  ['a downline by depth', 200, () => client.get(`${member(1)}/downline?sort=depth`)],
  [
    'a new member',
    201,
    (call) => client.post('/api/v1/users', { email: `new-${call}@shop.example`, parent_id: chain.id(LENGTH) }),
  ],
  ['activity', 200, (call) => client.patch(`/api/v1/users/${chain.id(LENGTH)}`, { is_active: call % 2 > 0 })],
  ['a move', 200, (call) => client.post(`${member(9_000)}/sponsor`, { sponsorId: chain.id(8_000 - call) })],
])('%s is answered each time', async (_name, status, send) => {
  expect(await statusesOf(send)).toEqual(Array(CALLS).fill(status));
});

test.each(['joinedAt', '-joinedAt', 'totalDownline'])('a downline by %s is answered each time', async (sort) => {
  expect(await statusesOf(() => client.get(`${member(1)}/downline?sort=${sort}`))).toEqual(Array(CALLS).fill(200));
});
