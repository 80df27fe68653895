/** Sums of sales are turned on while sales come in: nothing is lost or counted twice (docs/decisions/0033-sales-sums.md). */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { raw, statement } from '../../../src/db/query.ts';
import { ofTenant } from '../../../src/db/tenant-condition.ts';
import { beginSales } from '../../../src/features/events/sales-sums/begin-sales.ts';
import { foldSales } from '../../../src/features/events/sales-sums/fold-sales.ts';
import { insertPendingSale, saleRow } from '../../../src/features/events/sales-sums/pending-sale-sql.ts';
import type { MemberBody } from '../../support/app/api-client.ts';
import { examineBooks } from '../../support/app/examine-books.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import type { Sale } from '../../support/money/money-calls.ts';
import { only, PERIODS, SalesShop } from './sales-shop.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_POOL_SIZE: '12' });
});
afterAll(() => app.close());

/** Of the sales that are copied. */
const AT = new Date(Date.now() - 1_000).toISOString();

const soon = () => new Date(Date.now() + 60_000);

async function expectSums(): Promise<void> {
  const audits = await examineBooks(app.database.adminUrl);
  expect(audits.find(({ id }) => id === 'R-2')?.breaches).toEqual([]);
}

/** A sale like one that there is, in the words of the statement that stores sales, which waits for a lock behind its snapshot. */
const copySale = statement<unknown, { likeId: string; externalId: string; sale: string | null; lock: number }>(
  'test_copy_sale',
  ({ likeId, externalId, sale, lock }) =>
    raw(
      `with late as materialized (select pg_advisory_xact_lock_shared(:lock::bigint) is null as had),
     made as (
       insert into event (tenant_id, environment, external_event_id, kind, type, occurred_at, recorded_at, amount_minor, currency, tax_minor, shipping_minor,
                          discount_minor, base_minor, customer_id, attributed_member_id, attribution_rule, status, plan_version_id, content_digests,
                          evaluation, created_by)
       select e.tenant_id, e.environment, :externalId, e.kind, e.type, e.occurred_at, e.recorded_at, e.amount_minor, e.currency, e.tax_minor, e.shipping_minor, e.discount_minor,
              e.base_minor, e.customer_id, e.attributed_member_id, e.attribution_rule, e.status, e.plan_version_id, e.content_digests,
              e.evaluation, e.created_by
       from event e cross join late where ${ofTenant('e')} and e.id = :likeId and late.had is not null
       returning currency),
     sold as (${insertPendingSale({ events: 'made', sale: ':sale' })})
     select from made`,
      { likeId, externalId, sale, lock },
    ),
);

function copyOf(shop: SalesShop, sale: Sale, member: MemberBody, grossMinor: number, lock: number) {
  const change = saleRow({
    memberId: member.id,
    occurredAt: new Date(AT),
    part: 'credited',
    baseMinor: BigInt(grossMinor),
    amountMinor: BigInt(grossMinor),
    sales: 1,
  });
  return copySale(shop.scope, { likeId: sale.event_id, externalId: randomUUID(), sale: JSON.stringify(change), lock });
}

test('nothing is read from sums that are begun until they are ready, and to begin again changes nothing', async () => {
  const shop = await SalesShop.open(app);
  const member = await shop.client.newMember();
  const before = await shop.sell(member, 1_000);
  await shop.begin();
  expect(await shop.states()).toEqual([{ ready: false, zone: 'UTC' }]);
  await shop.sell(member, 200);
  await shop.refund(before, 500);
  expect(await shop.waiting()).toEqual(['200 base 200 gross 1 credited', '-500 base -500 gross 0 credited']);
  const expected = [{ month: only('credited', 700, 700, 2) }];
  expect(await shop.read([member], ['month'], soon())).toEqual(expected);
  expect([await shop.fold(), (await shop.states())[0]?.ready]).toEqual([0, false]);
  await expect.poll(() => shop.rebuild(), { timeout: 60_000 }).toBe(2);
  expect([await shop.waiting(), await shop.states()]).toEqual([[], [{ ready: true, zone: 'UTC' }]]);
  await shop.begin();
  expect(await shop.states()).toEqual([{ ready: true, zone: 'UTC' }]);
  expect(await shop.read([member], ['month'], soon())).toEqual(expected);
  await expectSums();
});

test('a worker makes them ready of itself, also in a scope without sales', async () => {
  const shop = await SalesShop.open(app);
  await shop.begin();
  const swept = async () => {
    await app.runSweep('fold-sales');
    return shop.states();
  };
  await expect.poll(swept, { timeout: 60_000 }).toEqual([{ ready: true, zone: 'UTC' }]);
});

test('a plan that is not published after all turns nothing on', async () => {
  const shop = await SalesShop.open(app);
  const failed = app.composition.frames.write(shop.scope, async (db) => {
    await beginSales(db, shop.scope);
    throw new Error('refused');
  });
  await expect(failed).rejects.toThrow('refused');
  expect(await shop.states()).toEqual([]);
});

test('a sale that is under way when they are begun is waited for', async () => {
  const shop = await SalesShop.open(app);
  const member = await shop.client.newMember();
  const sale = await shop.sell(member, 1_000, 0, { occurred_at: AT });
  const stored = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const open = app.composition.frames.write(shop.scope, async (db) => {
    await db.rows(copyOf(shop, sale, member, 1_000, randomInt(2 ** 40)));
    stored.resolve();
    await release.promise;
  });
  await Promise.race([stored.promise, open]);
  await shop.begin();
  for (let turn = 0; turn < 3; turn++) expect([await shop.fold(), await shop.rebuild()]).toEqual([0, 0]);
  await shop.sell(member, 30);
  expect([await shop.states(), await shop.waiting()]).toMatchObject([[{ ready: false }], [expect.any(String)]]);
  expect(await shop.read([member], ['month'], soon())).toEqual([{ month: only('credited', 1_030, 1_030, 2) }]);
  release.resolve();
  await open;
  await shop.foldUntilReady();
  expect(await shop.waiting()).toEqual([]);
  expect(await shop.read([member], ['month'], soon())).toEqual([{ month: only('credited', 2_030, 2_030, 3) }]);
  await expectSums();
});

test('a sale whose statement began before them and writes when they are ready is noted down', async () => {
  const shop = await SalesShop.open(app);
  const member = await shop.client.newMember();
  const sale = await shop.sell(member, 1_000, 0, { occurred_at: AT });
  const lock = randomInt(2 ** 40);
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holder = app.composition.frames.write(shop.scope, async (db) => {
    await db.rows(holdLock(shop.scope, { lock }));
    held.resolve();
    await release.promise;
  });
  await Promise.race([held.promise, holder]);
  const late = app.composition.frames.write(shop.scope, (db) => db.rows(copyOf(shop, sale, member, 1_000, lock)));
  const waits = "select from pg_stat_activity where query like '%pg_advisory_xact_lock_shared%' and wait_event_type = 'Lock'";
  await expect.poll(() => app.database.asSuperuser(waits)).toHaveLength(1);
  // It has no number yet, so nothing waits for it.
  await shop.beginAndSum();
  expect(await shop.waiting()).toEqual([]);
  release.resolve();
  await Promise.all([holder, late]);
  expect(await shop.waiting()).toEqual(['1000 base 1000 gross 1 credited']);
  expect(await shop.read([member], ['month'], soon())).toEqual([{ month: only('credited', 2_000, 2_000, 2) }]);
  await expectSums();
});

const holdLock = statement<unknown, { lock: number }>('test_hold_lock', ({ lock }) =>
  raw(`select pg_advisory_xact_lock(:lock::bigint) from tenant t where t.id = :tenantId and :environment <> ''`, { lock }),
);

test('of data that was restored on another server nothing is under way', async () => {
  const shop = await SalesShop.open(app);
  await shop.begin();
  await shop.fold();
  await app.database.asSuperuser("update rollup_state set since_xid = '999999999999' where tenant_id = $1", [
    shop.scope.tenantId,
  ]);
  await shop.fold();
  expect(await shop.states()).toEqual([{ ready: true, zone: 'UTC' }]);
});

test('a SANDBOX that is reset sums up nothing any more', async () => {
  const shop = await SalesShop.open(app, { environment: 'SANDBOX' });
  await shop.beginAndSum();
  const sell = async () => shop.sell(await shop.client.newMember(), 100);
  await sell();
  await shop.fold();
  await sell();
  const answer = await shop.client.post('/api/v1/sandbox/reset', {});
  expect(answer.status, answer.text).toBe(200);
  expect([await shop.states(), await shop.waiting(), await shop.folded()]).toEqual([[], [], { days: [], years: [] }]);
  await sell();
  expect(await shop.waiting()).toEqual([]);
});

test('begun, folded and rebuilt at once with sales and refunds, they lose and double nothing', async () => {
  const shop = await SalesShop.open(app, { zone: 'Pacific/Auckland' });
  const members = await Promise.all([0, 1, 2].map(() => shop.client.newMember()));
  const written = new AbortController();
  const writer = async (member: MemberBody, n: number): Promise<void> => {
    for (let i = 0; i < 14; i++) {
      const sale = await shop.sell(member, 10_000 + 100 * n + i, 37);
      if (i % 3 === 0) await shop.refund(sale, 1_001);
      if (i % 5 === 0) await shop.refund(sale);
    }
  };
  const { frames } = app.composition.background;
  const folder = async (): Promise<void> => {
    for (let turns = 0; !written.signal.aborted || turns < 3; turns++) {
      await frames.write(shop.scope, (db) => foldSales(db, shop.scope));
      await pause(3);
    }
  };
  const rebuilder = async (): Promise<void> => {
    for (; !written.signal.aborted; await pause(40)) await shop.rebuild();
  };
  const others = [folder(), folder(), rebuilder(), pause(150).then(() => shop.begin())];
  await Promise.all([...members, ...members.slice(0, 1)].map(writer));
  written.abort();
  await Promise.all(others);
  await shop.foldUntilReady();
  expect(await shop.waiting()).toEqual([]);
  await expectSums();
  const events = await shop.events();
  const asOf = soon();
  expect(await shop.read(members, PERIODS, asOf)).toEqual(
    members.map((member) => Object.fromEntries(PERIODS.map((period) => [period, shop.plain(events, member, period, asOf)]))),
  );
});
