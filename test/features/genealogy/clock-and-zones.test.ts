/** When members joined: by the SANDBOX's clock; and the months that their uplines count them in. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { idsOf, readList, readPage, readTree } from '../../support/tree/tree-calls.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant({ timeZone: 'Pacific/Kiritimati' });
  client = apiClient(app, tenant.sandboxKey);
});
afterAll(() => app.close());

const DAY_S = 86_400;

test('who is created on a clock that was moved joined by it, everywhere', async () => {
  const top = await client.newMember();
  const before = await client.newMember({ parent_id: top.id });
  const { body: advanced } = await client.post('/api/v1/sandbox/clock', { advanceSeconds: 40 * DAY_S });
  const running = await client.newMember({ parent_id: before.id });
  const frozenAt = new Date(Date.parse(advanced.now) + 400 * DAY_S * 1_000).toISOString();
  await client.post('/api/v1/sandbox/clock', { frozenAt });
  const still = [await client.newMember({ parent_id: top.id }), await client.newMember({ parent_id: top.id })];

  const ids = [before.id, running.id, ...still.map(({ id }) => id)];
  const { members } = await readList(client, top.id, 'downline', 'sort=joinedAt', () => 1);
  expect(idsOf(members)).toEqual(ids);
  const newest = await readList(client, top.id, 'downline', 'sort=-joinedAt', () => 1);
  expect(idsOf(newest.members)).toEqual(ids.toReversed());
  const [, second, ...last] = members.map(({ joinedAt }) => Date.parse(joinedAt));
  expect(second).toBeGreaterThanOrEqual(Date.parse(advanced.now));
  expect(second).toBeLessThan(Date.parse(advanced.now) + 60_000);
  expect(last).toEqual([Date.parse(frozenAt), Date.parse(frozenAt)]);
  const { tree } = await readTree(client, top.id);
  expect(tree.children.slice(1).map(({ joinedAt }) => Date.parse(joinedAt))).toEqual(last);

  const live = apiClient(app, tenant.liveKey);
  const { id: alive } = await live.newMember();
  const child = await live.newMember({ parent_id: alive });
  const [listed] = (await readPage(live, alive, 'downline', '')).data;
  expect([listed?.userId, Math.abs(Date.parse(listed?.joinedAt ?? '') - Date.now()) < 60_000]).toEqual([child.id, true]);
  await expectCleanBooks(app);
});

const reportIn = (zone: string) =>
  app.database.asSuperuser('update tenant set reporting_time_zone = $2 where id = $1', [tenant.tenantId, zone]);

// Months begin a day apart in these two: a move notes a month by its first instant in the zone of then.
test.each([
  ['before the first fold', false],
  ['after a fold', true],
])('a move, then another time zone, %s: months are counted in the new one', async (_name, folded) => {
  const scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' } as const;
  await client.post('/api/v1/sandbox/clock', { frozenAt: '2027-06-15T12:00:00Z' });
  const [left, joined] = [await client.newMember(), await client.newMember()];
  const moved = await client.newMember({ parent_id: left.id });
  await client.newMember({ parent_id: moved.id });
  if (folded) await app.runSweep('fold-downline', scope);
  await client.post(`/api/v1/members/${moved.id}/sponsor`, { sponsorId: joined.id });
  await reportIn('Pacific/Pago_Pago');
  for (let times = 0; times < 3; times++) {
    await expectCleanBooks(app);
    await app.runSweep('fold-downline');
  }
  const months = await app.database.asSuperuser(
    'select member_id, month::text, joined from downline_month where tenant_id = $1 and joined <> 0 order by joined desc',
    [tenant.tenantId],
  );
  expect(months).toEqual([
    { member_id: joined.id, month: '2027-06-01', joined: 2 },
    { member_id: moved.id, month: '2027-06-01', joined: 1 },
  ]);
});
