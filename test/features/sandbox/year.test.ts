/**
 * Golden scenario (j) and a 90-day holding, lived through by the sandbox clock in order:
 * docs/specification/sandbox.md#clock, docs/specification/commissions.md#recurring,
 * docs/specification/commissions.md#holding.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { balanceOf, purchaseOf, refundOf } from '../../support/money/money-calls.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let member: MemberBody | undefined;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant({ timeZone: 'Pacific/Auckland' });
  client = apiClient(app, tenant.sandboxKey);
  [member] = await newUpline(client, 'O');
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

const setClock = async (frozenAt: string) => {
  const answer = await client.post('/api/v1/sandbox/clock', { frozenAt });
  expect([answer.status, answer.body.now]).toEqual([200, new Date(frozenAt).toISOString()]);
};

/** The plan of this test, published by the operations and in force from the clock's present reading. */
async function publish(change: object): Promise<void> {
  const { body: list } = await client.get('/api/v1/commission-plans');
  const [plan] = list.data as { id: string }[];
  const { body } = await client.get(`/api/v1/commission-plans/${plan?.id}`);
  const { definition } = body.versions[0];
  const patched = await client.patch(`/api/v1/commission-plans/${plan?.id}`, { definition: { ...definition, ...change } });
  expect(patched.status).toBe(200);
  const published = await client.post(`/api/v1/commission-plans/${plan?.id}/publish`, {});
  expect(published.status).toBe(201);
}

test('a year of renewals: twelve months are paid, each clears after 90 days, the thirteenth pays nothing', async () => {
  await setClock('2027-01-31T10:00:00+13:00');
  await publish({ recurring: { enabled: true, maxMonths: 12, maxEvents: null }, holding: { days: 90 } });
  const paid: number[] = [];
  for (let month = 0; month <= 12; month++) {
    // The 31st, or the last day of a shorter month: renewals as a shop would charge them.
    const last = new Date(Date.UTC(2027, month + 1, 0)).getUTCDate();
    const at = new Date(Date.UTC(2027, month, Math.min(31, last)) - 3 * 3_600_000);
    await setClock(at.toISOString());
    const sale = await purchaseOf(client, {
      type: month === 0 ? 'subscription_initial' : 'subscription_renewal',
      customer: { external_id: 'subscriber' },
      attribution: { user_id: member?.id },
    });
    paid.push(sale.commissions[0]?.amount_minor ?? 0);
  }
  expect(paid).toEqual([...Array.from({ length: 12 }, () => 1_000), 0]);

  // It is 31 January 2028. The renewal of 31 October cleared yesterday, 91 local days later; those of November and December wait.
  expect(await balanceOf(client, member)).toEqual({ pending: 20, cleared: 100, paid: 0, total: 120 });
  await client.post('/api/v1/sandbox/clock', { advanceSeconds: 100 * 86_400 });
  expect(await balanceOf(client, member)).toEqual({ pending: 0, cleared: 120, paid: 0, total: 120 });
});

test('what is recorded carries the clock: default times, bounds, journals and balances as of a time', async () => {
  const { body: clock } = await client.get('/api/v1/sandbox/clock');
  const sale = await purchaseOf(client, { attribution: { user_id: member?.id } });
  const { body: event } = await client.get(`/api/v1/events/${sale.event_id}`);
  expect([event.occurred_at, event.recorded_at]).toEqual([clock.now, clock.now]);
  const beyond = new Date(Date.parse(clock.now) + 11 * 60_000).toISOString();
  const late = await client.post('/api/v1/events/purchase', client.purchaseBody({ occurred_at: beyond }));
  expect([late.status, late.body.details?.fields?.[0]?.field]).toEqual([400, 'occurred_at']);
  // By the database's clock this is a year ahead; by the tenant's it is now.
  expect((await refundOf(client, sale, { occurred_at: clock.now })).status).toBe(201);
});

test('the clearing time is midnight of the tenant’s zone, and a line is due in that instant', async () => {
  await setClock('2029-03-31T23:30:00+13:00');
  await publish({ holding: { days: 1 } });
  const [other] = await newUpline(client, 'O');
  const sale = await purchaseOf(client, { attribution: { user_id: other?.id } });
  // Local 31 March + 1 day + 1: the start of 2 April, when Auckland's clocks have been set back.
  expect(sale.commissions[0]?.clears_at).toBe('2029-04-01T12:00:00.000Z');
  await setClock('2029-04-01T11:59:59.999Z');
  expect(await balanceOf(client, other)).toMatchObject({ pending: 10, cleared: 0 });
  await setClock('2029-04-01T12:00:00.000Z');
  expect(await balanceOf(client, other)).toMatchObject({ pending: 0, cleared: 10 });
});
