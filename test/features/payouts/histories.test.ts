/** Random histories of sales, refunds, runs and failures: the books, the lines and the vendor always agree. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { booksOf } from '../../support/money/debts.ts';
import { purchaseOf, refundOf, type Sale } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { expectPaidByVendor, expectSoundPayouts } from '../../support/payments/payout-books.ts';
import { createPayoutVendorDouble, type PayoutVendorDouble } from '../../support/payments/payout-vendor-double.ts';
import { act, checkAll, draft, earn, payable, runJobs, startPayouts } from '../../support/payments/payout-world.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface World {
  scope: Scope;
  client: ApiClient;
  vendor: PayoutVendorDouble;
  members: MemberBody[];
  sales: Sale[];
  runs: string[];
}

const OLD = new Date(Date.now() - 60 * 86_400_000).toISOString();

async function newWorld(provider: 'manual' | 'payvendor'): Promise<World> {
  await app.database.asSuperuser("delete from pgboss.job where name = 'advance-payouts'");
  const tenant = await app.newTenant();
  const scope = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
  const client = apiClient(app, tenant.liveKey);
  await plantPaymentSettings(app, scope, { provider });
  const members = [];
  for (let i = 0; i < 2; i++) members.push(await payable(app, scope, client, 0, { provider }));
  return { scope, client, vendor: createPayoutVendorDouble(), members, sales: [], runs: [] };
}

const pick = <T>(items: readonly T[], n: number): T | undefined => items[n % Math.max(1, items.length)];

async function payoutsIn({ client }: World, status: string): Promise<string[]> {
  const { body } = await client.get(`/api/v1/payouts?status=${status}&limit=100`);
  return body.data.map((payout: { id: string }) => payout.id);
}

async function change(world: World, n: number, status: string, deed: string, body: object = {}): Promise<void> {
  const payoutId = pick(await payoutsIn(world, status), n);
  if (payoutId === undefined) return;
  const answer = await world.client.post(`/api/v1/payouts/${payoutId}/${deed}`, body);
  expect([200, 409]).toContain(answer.status);
}

/** What can happen, each by a number that says to whom. */
const DEEDS = {
  async sell(world, n) {
    const member = pick(world.members, n);
    world.sales.push(
      await purchaseOf(world.client, { attribution: { user_id: member?.id }, amount_minor: 30_000 + 7 * n, occurred_at: OLD }),
    );
    await app.runSweep('clear-commissions', world.scope);
  },
  async refund(world, n) {
    const sale = pick(world.sales, n);
    if (sale) expect([201, 422]).toContain((await refundOf(world.client, sale, { amount_minor: 1_000 + n * 400 })).status);
  },
  async earn(world, n) {
    const member = pick(world.members, n);
    if (member) await earn(app, world.scope, world.client, member, n % 3 === 0 ? -500 - n : 4_000 + n);
  },
  async hold(world, n) {
    const { body } = await world.client.get('/api/v1/commissions?status=cleared&limit=100');
    const line = pick(body.data as { id: string }[], n);
    if (line) await world.client.post(`/api/v1/commissions/${line.id}/hold`, {});
  },
  async release(world, n) {
    const { body } = await world.client.get('/api/v1/commissions?status=held&limit=100');
    const line = pick(body.data as { id: string }[], n);
    if (line) await world.client.post(`/api/v1/commissions/${line.id}/release`, {});
  },
  async run(world: World) {
    const { id } = await draft(world.client);
    world.runs.push(id);
    await act(world.client, id, 'approve');
  },
  async pay(world) {
    await DEEDS.run(world);
    await DEEDS.execute(world, world.runs.length - 1);
    await DEEDS.start(world);
  },
  async execute(world: World, n: number) {
    const runId = pick(world.runs, n);
    if (runId !== undefined) await act(world.client, runId, 'execute');
  },
  async drop(world, n) {
    const runId = pick(world.runs, n);
    if (runId !== undefined) await act(world.client, runId, 'cancel');
  },
  async start(world: World) {
    await startPayouts(app, world.scope);
  },
  async send(world, n) {
    world.vendor.lostRate = [0, 0.3, 0.6][n % 3] ?? 0;
    await runJobs(app, world.vendor);
    world.vendor.lostRate = 0;
  },
  async check(world) {
    await checkAll(app, world.scope, world.vendor);
  },
  async tell(world, n) {
    const payoutId = pick([...(await payoutsIn(world, 'processing')), ...(await payoutsIn(world, 'paid'))], n);
    if (payoutId !== undefined) world.vendor.tell(payoutId, n % 3 === 0 ? 'failed' : 'paid', 'account_closed');
    await app.database.asSuperuser("update payout set check_at = now() where status = 'paid' and provider_type = 'payvendor'");
  },
  retry: (world, n) => change(world, n, 'failed', 'retry'),
  cancel: (world, n) => change(world, n, 'queued', 'cancel'),
  settle: (world, n) => change(world, n, 'processing', 'settle', { reference: 'BANK' }),
  giveBack: (world, n) => change(world, n, n % 2 === 0 ? 'paid' : 'processing', 'return', { reason: 'Closed' }),
} satisfies Record<string, (world: World, n: number) => Promise<void>>;

const step = fc.record({
  deed: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('sell', 'earn', 'refund') },
    { weight: 4, arbitrary: fc.constantFrom('run', 'execute', 'start', 'send', 'check', 'pay', 'pay') },
    { weight: 2, arbitrary: fc.constantFrom('tell', 'settle', 'giveBack', 'retry') },
    { weight: 1, arbitrary: fc.constantFrom('hold', 'release', 'cancel', 'drop') },
  ),
  n: fc.nat(17),
});

test.each(['manual', 'payvendor'] as const)('whatever happens, everything agrees: %s', async (provider) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      const world = await newWorld(provider);
      await DEEDS.sell(world, 1);
      for (const { deed, n } of [...steps, ...END]) await DEEDS[deed](world, n);
      await expectSoundPayouts(app);
      await expectSoundBooks(app);
      await expectPaidByVendor(app, world.scope.tenantId, world.vendor);
      // Nobody was paid but by payouts.
      for (const member of world.members) {
        const [row] = await app.database.asSuperuser(
          "select coalesce(sum(amount_minor), 0)::int as paid from payout where member_id = $1 and status = 'paid'",
          [member.id],
        );
        expect(await booksOf(app, member)).toMatchObject({ paid: row?.['paid'] });
      }
    }),
    { numRuns: Number(process.env['PAYOUT_HISTORIES'] ?? 6), endOnFailure: true },
  );
});

/** What is under way is carried to its end, if it has one. */
const END: { deed: keyof typeof DEEDS; n: number }[] = [
  { deed: 'start', n: 0 },
  { deed: 'send', n: 0 },
  { deed: 'check', n: 0 },
];
