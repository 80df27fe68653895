/**
 * The payment vendor's events are forgotten 400 days after they came, but for those that wait
 * (docs/specification/webhooks.md#memory, docs/specification/reliability.md#w-4).
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { forgetKycEvents } from '../../../src/features/kyc/vendor/forget-kyc-events.ts';
import { forgetPaymentEvents } from '../../../src/features/payouts/vendor-events/forget-payment-events.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { createTestWorker, workUntil } from '../../support/jobs/test-jobs.ts';
import { deliver, eventText, newEventId, nowSeconds, signatureOf } from '../../support/payments/payment-delivery.ts';
import { openShop, paidEvent, SECRETS } from '../../support/payments/payment-shop.ts';

const SWEEP = 'forget-payment-events';
const AGES = ['900 days', '401 days', '400 days 1 minute', '399 days 23 hours 59 minutes', '1 day'];

let app: TestApp;
let tenant: TestTenant;
let scope: Scope;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
});
afterAll(() => app.close());

/** Events of these ages; a parked one is tried again after `retryIn`, if it is. */
async function plantEvents(
  { tenantId, environment }: Scope,
  ages: string[],
  { outcome = 'applied', retryIn = null as string | null } = {},
): Promise<void> {
  await app.database.asSuperuser(
    `insert into payment_event (tenant_id, environment, provider, event_id, type, object_id, vendor_created_at, outcome, retry_at, body,
                                received_at)
     select $1, $2, 'payvendor', uuidv7()::text, 'account.updated', 'acct_1', now() - age.value::interval, $3, now() + $4::interval,
            '{}', now() - age.value::interval
     from unnest($5::text[]) age(value)`,
    [tenantId, environment, outcome, retryIn, ages],
  );
}

const agesOf = async ({ tenantId, environment }: Scope): Promise<number[]> => {
  const rows = await app.database.asSuperuser<{ age: number }>(
    `select round(extract(epoch from now() - received_at) / 86400)::int as age from payment_event
     where tenant_id = $1 and environment = $2 order by received_at`,
    [tenantId, environment],
  );
  return rows.map(({ age }) => age);
};

test('in both environments, of every tenant, and no younger ones', async () => {
  const scopes = [tenant, await app.newTenant()].flatMap(({ tenantId }) =>
    (['LIVE', 'SANDBOX'] as const).map((environment): Scope => ({ tenantId, environment })),
  );
  for (const one of scopes) await plantEvents(one, AGES);
  expect(await app.runSweep(SWEEP)).toBe(12);
  for (const one of scopes) expect(await agesOf(one)).toEqual([400, 1]);
  expect(await app.runSweep(SWEEP)).toBe(0);
});

test('of the tenant and environment that it runs for alone', async () => {
  const elsewhere: Scope[] = [
    { ...scope, environment: 'SANDBOX' },
    { tenantId: (await app.newTenant()).tenantId, environment: 'LIVE' },
  ];
  for (const one of [scope, ...elsewhere]) await plantEvents(one, ['500 days']);
  expect(await app.runSweep(SWEEP, scope)).toBe(1);
  for (const one of elsewhere) expect(await agesOf(one)).toEqual([500]);
  expect(await app.runSweep(SWEEP)).toBe(2);
});

test.each(['applied', 'no_change', 'older', 'ignored', 'foreign'])('those that were %s', async (outcome) => {
  await plantEvents(scope, AGES, { outcome });
  expect(await app.runSweep(SWEEP)).toBe(3);
});

test.each([
  ['are tried again', '1 hour'],
  ['were given up', null],
])('not those that were parked and %s', async (_name, retryIn) => {
  await plantEvents(scope, AGES, { outcome: 'parked', retryIn });
  expect([await app.runSweep(SWEEP), await app.runSweep(SWEEP, scope)]).toEqual([0, 0]);
  expect(await agesOf(scope)).toHaveLength(5);
});

test('by the real clock, though that of the SANDBOX is ahead', async () => {
  const sandbox: Scope = { ...scope, environment: 'SANDBOX' };
  await plantEvents(sandbox, ['1 day', '500 days']);
  const client = apiClient(app, tenant.sandboxKey);
  expect((await client.post('/api/v1/sandbox/clock', { frozenAt: '2100-01-01T00:00:00Z' })).status).toBe(200);
  expect(await agesOf(sandbox)).toEqual([1]);
});

test('a batch after the other, by several workers at once, each once', async () => {
  await plantEvents(scope, ['3 days', ...Array.from({ length: 2_300 }, (_, n) => `${401 + (n % 50)} days`)]);
  const counts = await Promise.all([1, 2, 3].map(() => app.runSweep(SWEEP, scope)));
  const rest = await app.runSweep(SWEEP, scope);
  expect(counts.reduce((sum, count) => sum + count, rest)).toBe(2_300);
  expect(await agesOf(scope)).toEqual([3]);
});

test("by a worker with the worker's rights, of both vendors", async () => {
  await plantEvents(scope, AGES);
  await app.database.asSuperuser(
    `insert into kyc_event (tenant_id, environment, provider, body_digest, type, vendor_created_at, outcome, body, received_at)
     select tenant_id, environment, 'kycvendor', sha256(uuid_send(id)), type, received_at, 'applied', '{}', received_at
     from payment_event where tenant_id = $1`,
    [scope.tenantId],
  );
  const worker = createTestWorker(app.database, [], { sweeps: [forgetKycEvents, forgetPaymentEvents] });
  const counts = () =>
    app.database.asSuperuser(
      `select (select count(*)::int from payment_event where tenant_id = $1) as payment,
              (select count(*)::int from kyc_event where tenant_id = $1) as kyc`,
      [scope.tenantId],
    );
  await workUntil(worker, async () => JSON.stringify(await counts()) === '[{"payment":2,"kyc":2}]');
  expect(worker.logLines.filter(({ level }) => level === 'error')).toEqual([]);
});

test('what somebody kept of a forgotten event is refused by its signature, and the effect it had stays', async () => {
  const shop = await openShop(app);
  const payout = await shop.pay();
  const text = eventText({ ...paidEvent(shop, payout), id: newEventId() });
  expect((await deliver(app, text, { signature: signatureOf(text, SECRETS[1] ?? '') })).status).toBe(200);
  await app.database.asSuperuser("update payment_event set received_at = now() - interval '401 days' where tenant_id = $1", [
    shop.scope.tenantId,
  ]);
  expect(await app.runSweep(SWEEP, shop.scope)).toBe(1);
  const signature = signatureOf(text, SECRETS[1] ?? '', nowSeconds() - 401 * 86_400);
  expect((await deliver(app, text, { signature })).status).toBe(401);
  expect(await agesOf(shop.scope)).toEqual([]);
  // Signed anew by the vendor, which does not: nothing is paid twice all the same.
  expect((await deliver(app, text, { signature: signatureOf(text, SECRETS[1] ?? '') })).status).toBe(200);
  const kept = await app.database.asSuperuser('select outcome from payment_event where tenant_id = $1', [shop.scope.tenantId]);
  expect(kept).toEqual([{ outcome: 'no_change' }]);
});
