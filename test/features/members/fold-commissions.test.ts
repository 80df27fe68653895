/** The sweep fold-commissions and the rollups it keeps: the answers are those of the lines at any moment. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { takeLock } from '../../../src/db/lock-classes.ts';
import type { Scope } from '../../../src/db/scope.ts';
import { foldCommissions, rebuildCommissions } from '../../../src/features/members/fold-commissions.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { newUpline } from '../../support/money/model-upline.ts';

const SWEEP = 'fold-commissions';
let app: TestApp;
let scope: Scope;
let client: ApiClient;
let chain: MemberBody[];

beforeAll(async () => {
  app = await startTestApp({ DATABASE_POOL_SIZE: '12' });
});
beforeEach(async () => {
  const tenant = await app.newTenant({ timeZone: 'Pacific/Auckland' });
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  chain = await newUpline(client, 'D D D');
});
afterEach(() => expectCleanBooks(app));
afterAll(() => app.close());

async function sell(fields: object = {}): Promise<{ external: string; lines: { id: string }[] }> {
  const answer = await client.post(
    '/api/v1/events/purchase',
    client.purchaseBody({ attribution: { user_id: chain[0]?.id }, ...fields }),
  );
  expect(answer.status).toBe(201);
  return { external: answer.body.external_event_id, lines: answer.body.commissions };
}

async function breakdown(query = ''): Promise<unknown[]> {
  const answers = await Promise.all(
    chain.map((member) => client.get(`/api/v1/members/${member.id}/commissions/breakdown${query}`)),
  );
  return answers.map(({ body }) => body);
}

async function waiting(): Promise<number> {
  const [row] = await app.database.asSuperuser<{ count: number }>(
    'select count(*)::int as count from commission_pending where tenant_id = $1 and environment = $2',
    [scope.tenantId, scope.environment],
  );
  return row?.count ?? 0;
}

async function stateOf(): Promise<unknown> {
  return app.database.asSuperuser(
    'select rollup, time_zone, rebuilt_at is not null as rebuilt from rollup_state where tenant_id = $1',
    [scope.tenantId],
  );
}

const setZone = (zone: string) =>
  app.database.asSuperuser('update tenant set reporting_time_zone = $2 where id = $1', [scope.tenantId, zone]);

/** At both sides of the end of a month in Auckland, in UTC and in Apia. */
const MONTH_ENDS = [
  '2026-03-31T09:59:00Z',
  '2026-03-31T10:59:59Z',
  '2026-03-31T11:00:00Z',
  '2026-03-31T23:59:00Z',
  '2026-04-01T00:00:00Z',
];

test('folding changes no answer and consumes what waits', async () => {
  for (const occurred_at of MONTH_ENDS) await sell({ occurred_at });
  const { external } = await sell();
  await client.post('/api/v1/events/refund', {
    external_event_id: randomUUID(),
    purchase_external_event_id: external,
    amount_minor: 3_333,
  });
  const before = [await breakdown(), await breakdown('?period=2026-03'), await breakdown('?period=2026-04')];
  const rows = await waiting();
  expect(rows).toBe(21);
  expect(await app.runSweep(SWEEP)).toBe(rows);
  expect(await waiting()).toBe(0);
  expect([await breakdown(), await breakdown('?period=2026-03'), await breakdown('?period=2026-04')]).toEqual(before);
  expect(await app.runSweep(SWEEP, scope)).toBe(0);
  expect(await stateOf()).toEqual([{ rollup: 'commissions', time_zone: 'Pacific/Auckland', rebuilt: false }]);
});

test('what is taken back after it was folded leaves nothing behind', async () => {
  const { external } = await sell();
  await app.runSweep(SWEEP, scope);
  await client.post('/api/v1/events/refund', { external_event_id: randomUUID(), purchase_external_event_id: external });
  const gone = { totalAmount: 0, byLevel: [], trend: [] };
  expect(await breakdown()).toEqual(chain.map(() => expect.objectContaining(gone)));
  await app.runSweep(SWEEP, scope);
  expect(await breakdown()).toEqual(chain.map(() => expect.objectContaining(gone)));
});

test('a scope without lines has no state and nothing to fold', async () => {
  expect(await app.runSweep(SWEEP, scope)).toBe(0);
  expect(await stateOf()).toEqual([]);
});

test('rebuilt from nothing, from everything, and over rollups that were tampered with', async () => {
  for (const occurred_at of MONTH_ENDS) await sell({ occurred_at });
  const before = await breakdown();
  const rebuild = () => app.composition.background.frames.write(scope, (db) => rebuildCommissions(db, scope));
  expect(await rebuild()).toBe(15);
  expect(await waiting()).toBe(0);
  expect(await breakdown()).toEqual(before);
  await sell({ occurred_at: MONTH_ENDS[0] });
  const after = await breakdown();
  await app.database.asSuperuser('update commission_rollup set amount_minor = amount_minor + 1 where tenant_id = $1', [
    scope.tenantId,
  ]);
  await app.database.asSuperuser('delete from commission_leg where tenant_id = $1', [scope.tenantId]);
  expect(await rebuild()).toBe(18);
  expect(await breakdown()).toEqual(after);
  expect(await stateOf()).toEqual([{ rollup: 'commissions', time_zone: 'Pacific/Auckland', rebuilt: true }]);
});

test('the service may rebuild as svc_app too', async () => {
  await sell();
  expect(await app.composition.frames.write(scope, (db) => rebuildCommissions(db, scope))).toBe(3);
});

test('when the tenant reports in another zone, answers follow at once, and again once the rollups do', async () => {
  for (const occurred_at of MONTH_ENDS) await sell({ occurred_at });
  const trend = (counts: Record<string, number>) =>
    chain.map(() =>
      expect.objectContaining({
        trend: Object.entries(counts).map(([period, count]) => expect.objectContaining({ period, count })),
      }),
    );
  const inAuckland = trend({ '2026-03': 2, '2026-04': 3 });
  const inUtc = trend({ '2026-03': 4, '2026-04': 1 });
  await app.runSweep(SWEEP, scope);
  expect(await breakdown()).toEqual(inAuckland);

  await setZone('UTC');
  expect(await breakdown()).toEqual(inUtc);
  expect(await breakdown('?period=2026-03')).toEqual(trend({ '2026-03-31': 4 }));
  // What comes in meanwhile is counted once, before it is folded and after.
  await sell({ occurred_at: MONTH_ENDS[4] });
  const both = trend({ '2026-03': 4, '2026-04': 2 });
  expect(await breakdown()).toEqual(both);
  expect(await app.runSweep(SWEEP)).toBe(0);
  expect(await stateOf()).toEqual([{ rollup: 'commissions', time_zone: 'UTC', rebuilt: true }]);
  expect(await breakdown()).toEqual(both);
  expect(await waiting()).toBe(0);

  // There and back before anybody folded: the rollups still fit.
  await setZone('Pacific/Apia');
  await setZone('UTC');
  await sell({ occurred_at: MONTH_ENDS[4] });
  expect(await app.runSweep(SWEEP, scope)).toBe(3);
  expect(await breakdown()).toEqual(trend({ '2026-03': 4, '2026-04': 3 }));
});

test('without rollups yet the present zone rules, also after it changed', async () => {
  for (const occurred_at of MONTH_ENDS) await sell({ occurred_at });
  await setZone('UTC');
  const answers = await breakdown();
  expect(answers[0]).toMatchObject({
    trend: [
      { period: '2026-03', count: 4 },
      { period: '2026-04', count: 1 },
    ],
  });
  expect(await app.runSweep(SWEEP, scope)).toBe(15);
  expect(await breakdown()).toEqual(answers);
});

test('nobody waits for a fold, and a rebuild does', async () => {
  await sell();
  const other = new pg.Client({ connectionString: app.database.workerUrl });
  await other.connect();
  await other.query("begin; select set_config('app.tenant_id', '', true)");
  await other.query("select pg_advisory_xact_lock(hashtextextended($1 || ':' || $2, 6))", [scope.tenantId, scope.environment]);
  expect(await app.runSweep(SWEEP, scope)).toBe(0);
  const rebuilding = app.composition.frames.write(scope, (db) => rebuildCommissions(db, scope));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await waiting()).toBe(3);
  await other.query('commit');
  await other.end();
  expect(await rebuilding).toBe(3);
});

test('a rollup that is being built holds up no batch of events', async () => {
  const other = new pg.Client({ connectionString: app.database.workerUrl });
  await other.connect();
  await other.query(`begin; select ${takeLock('commissionRollups', `'${scope.tenantId}:${scope.environment}'`)}`);
  const event = { kind: 'purchase', ...client.purchaseBody({ attribution: { user_id: chain[0]?.id } }) };
  const started = performance.now();
  const answer = await client.post('/api/v1/events/batch', { events: [event] });
  expect([answer.status, answer.body.results[0].status]).toEqual([207, 201]);
  expect(performance.now() - started).toBeLessThan(10_000);
  await other.query('rollback');
  await other.end();
});

test('folds and rebuilds at once with writers lose and double nothing', async () => {
  const sales: Awaited<ReturnType<typeof sell>>[] = [];
  const written = new AbortController();
  const writer = async (n: number) => {
    for (let i = 0; i < 12; i++) {
      const sale = await sell({ amount_minor: 10_000 + 100 * n + i });
      sales.push(sale);
      if (i % 3 === 0) {
        await client.post('/api/v1/events/refund', {
          external_event_id: randomUUID(),
          purchase_external_event_id: sale.external,
          amount_minor: 1_000,
        });
      }
      if (i % 4 === 1) await client.post(`/api/v1/commissions/${sale.lines[1]?.id}/hold`, {});
      if (i % 4 === 2) await client.post(`/api/v1/commissions/${sale.lines[2]?.id}/void`, {});
    }
  };
  const { frames } = app.composition.background;
  const folder = async (work: typeof foldCommissions) => {
    for (let turns = 0; !written.signal.aborted || turns < 2; turns++) {
      await frames.write(scope, (db) => work(db, scope));
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
  };
  const folders = [folder(foldCommissions), folder(foldCommissions), folder(rebuildCommissions)];
  await Promise.all([0, 1, 2, 3].map(writer));
  // Read from both, from the rollups alone, and from the lines: one and the same.
  const during = await breakdown();
  written.abort();
  await Promise.all(folders);
  await app.runSweep(SWEEP, scope);
  expect(await waiting()).toBe(0);
  const folded = await breakdown();
  expect(during).toEqual(folded);
  await app.database.asSuperuser("update rollup_state set time_zone = 'UTC' where tenant_id = $1", [scope.tenantId]);
  expect(await breakdown()).toEqual(folded);
  await app.runSweep(SWEEP, scope);
  expect(await breakdown()).toEqual(folded);
  expect(sales).toHaveLength(48);
});
