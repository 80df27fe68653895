/**
 * C-8 and C-14 (docs/specification/reliability.md#at-once) over several API processes: each purchase refunded
 * twice at once is refunded once; journals of many members under caps meet no deadlock; the sweep runs through
 * refunds, holds and disputes. THOROUGH=1 takes larger counts.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { countStatuses, type Load, openLoad, type RawAnswer, type RawRequest } from '../../support/app/model-load.ts';
import { type ApiProcess, startApiProcess } from '../../support/app/model-process.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import type { Sale } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';

const THOROUGH = process.env['THOROUGH'] !== undefined;
vi.setConfig({ testTimeout: 300_000 }); // a busy machine takes its time

let database: TestDatabase;
let app: TestApp;
let processes: ApiProcess[] = [];
let load: Load;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  // Nobody breaks a deadlock here before those in it have given up: each would show as a 503.
  database = await createTestDatabase();
  for (const setting of ["deadlock_timeout = '120s'", "lock_timeout = '30s'", "statement_timeout = '30s'"]) {
    await database.asSuperuser(`alter role svc_app in database ${database.name} set ${setting}`);
  }
  app = await startTestApp({}, database);
  processes = await Promise.all([1, 2].map(() => startApiProcess(app, { DATABASE_POOL_SIZE: '8' })));
  load = openLoad();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(async () => {
  load.close();
  await Promise.all(processes.map((process) => process.stop()));
  await expectSoundBooks(app);
  await app.close();
  await database.drop();
});

type Post = Pick<RawRequest, 'path' | 'body'> & { of?: TestTenant };

/** All of them at once, over the processes in turn. */
const sendAll = (posts: readonly Post[]): Promise<RawAnswer[]> =>
  load.sendAll(
    posts.map(({ path, body, of = tenant }, index) => ({
      baseUrl: processes[index % processes.length]?.baseUrl ?? '',
      key: of.liveKey,
      path,
      body,
    })),
  );

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Sales of 100.00, made in batches. */
async function recordSales(as: ApiClient, count: number, fieldsOf: (n: number) => object): Promise<Sale[]> {
  const events = Array.from({ length: count }, (_, n) => ({ kind: 'purchase', ...as.purchaseBody(fieldsOf(n)) }));
  const sales: Sale[] = [];
  for (let from = 0; from < count; from += 250) {
    const { body } = await as.post('/api/v1/events/batch', { events: events.slice(from, from + 250) });
    expect(body.failed).toBe(0);
    sales.push(...body.results.map((result: { body: Sale }) => result.body));
  }
  return sales;
}

const refund = (sale: Sale, fields: object = {}): Post => ({
  path: '/api/v1/events/refund',
  body: { external_event_id: randomUUID(), purchase_external_event_id: sale.external_event_id, ...fields },
});
const dispute = (sale: Sale, stage: string): Post => ({
  path: '/api/v1/events/chargeback',
  body: { ...(refund(sale).body as object), dispute_id: `d-${sale.event_id}`, stage },
});
const act = (sale: Sale, action: string): Post => ({
  path: `/api/v1/commissions/${sale.commissions[0]?.id}/${action}`,
  body: {},
});

test('C-8: every purchase is refunded twice at once, half under one id, half under two: each is refunded once', async () => {
  const count = THOROUGH ? 2_000 : 500;
  const chain = await newUpline(client, 'D D');
  const sales = await recordSales(client, count, (n) => ({
    customer: { external_id: `c${n % 50}` },
    attribution: { user_id: chain[0]?.id },
  }));
  const pairs = sales.flatMap((sale, n) => {
    const first = refund(sale);
    return [first, n % 2 === 0 ? first : refund(sale)];
  });
  const answers = await sendAll(shuffled(pairs));
  // Under one id: 201 and its repeat. Under two: 201, and nothing is left for the other.
  expect(countStatuses(answers)).toEqual({ 201: count, 200: count / 2, 422: count / 2 });
  const [row] = await database.asSuperuser(
    `select (select count(*)::int from event where tenant_id = $1 and kind = 'refund') as refunds,
            (select count(distinct purchase_id)::int from event where tenant_id = $1 and kind = 'refund') as purchases,
            (select count(*)::int from journal_entry where tenant_id = $1) as journals,
            (select coalesce(sum(amount_minor), 0)::int from posting where tenant_id = $1 and member_id is not null) as owed`,
    [tenant.tenantId],
  );
  expect(row).toEqual({ refunds: count, purchases: count, journals: 2 * count, owed: 0 });
});

test('C-14: random sales, refunds and disputes of many members under caps, all at once, meet no deadlock', async () => {
  const count = THOROUGH ? 2_000 : 120;
  const capped = await app.newTenant();
  await publishPlan(app, capped, {
    recurring: { maxEvents: 10_000 },
    caps: { perMemberPeriodMinor: { USD: 200_000 }, perCustomerLifetimeMinor: { USD: 100_000 } },
  });
  const own = apiClient(app, capped.liveKey);
  const [top] = await newUpline(own, 'D D');
  const sellers = await Promise.all(Array.from({ length: 6 }, () => newUpline(own, 'D D', top)));
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;
  const fields = () => ({
    customer: { external_id: `c${Math.floor(Math.random() * 5)}` },
    type: pick(['one_time', 'subscription_initial', 'subscription_renewal']),
    attribution: { user_id: pick(pick(sellers)).id },
  });
  const sales = await recordSales(own, 40, fields);
  const posts = Array.from({ length: count }, (_, n): Post => {
    const sale = pick(sales);
    const kind = n % 4;
    const post =
      kind < 2
        ? { path: '/api/v1/events/purchase', body: own.purchaseBody(fields()) }
        : kind === 2
          ? refund(sale, { amount_minor: 1 + Math.floor(Math.random() * 500) })
          : pick([dispute(sale, 'opened'), dispute(sale, 'lost'), dispute(sale, 'won'), act(sale, 'hold'), act(sale, 'release')]);
    return { ...post, of: capped };
  });
  const answers = await sendAll(posts);
  const odd = answers.filter(({ status }) => ![200, 201, 409, 422].includes(status));
  expect(odd.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
  expect(answers.filter((_, n) => n % 4 < 2).every(({ status }) => status === 201)).toBe(true);
});

test('the sweep runs while refunds, holds and disputes fall on the lines that it clears', async () => {
  const count = THOROUGH ? 1_000 : 90;
  const chain: MemberBody[] = await newUpline(client, 'D D');
  const occurredAt = new Date(Date.now() - 60 * 86_400_000).toISOString();
  const sales = await recordSales(client, count, (n) => ({
    occurred_at: occurredAt,
    customer: { external_id: `s${n % 50}` },
    attribution: { user_id: chain[0]?.id },
  }));
  const posts = sales.flatMap((sale, n) => {
    const both = [refund(sale, { amount_minor: 1 + (n % 9_000) }), act(sale, n % 2 === 0 ? 'hold' : 'void')];
    return n % 3 === 0
      ? [...both, dispute(sale, 'opened')]
      : n % 3 === 1
        ? [...both, dispute(sale, 'lost')]
        : [...both, act(sale, 'release')];
  });
  const end = new AbortController();
  const sweep = () => app.runSweep('clear-commissions', { tenantId: tenant.tenantId, environment: 'LIVE' });
  const sweepOn = async (): Promise<number> => {
    let cleared = 0;
    while (!end.signal.aborted) cleared += await sweep();
    return cleared;
  };
  const sweeping = Promise.all([sweepOn(), sweepOn()]);
  const answers = await sendAll(shuffled(posts)).finally(() => end.abort());
  const cleared = await sweeping;
  const odd = answers.filter(({ status }) => ![200, 201, 409, 422].includes(status));
  expect(odd.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
  expect(Math.max(...cleared)).toBeGreaterThan(0);
  await sweep();
  const pending = await database.asSuperuser("select id from commission_line where status = 'pending' and clears_at <= now()");
  expect(pending).toEqual([]);
});
