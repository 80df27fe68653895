/**
 * C-7 (docs/specification/reliability.md#c-7) and golden scenario (g): a thousand equal purchases over four
 * API processes make one journal.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { countStatuses, type Load, openLoad } from '../../support/app/model-load.ts';
import { type ApiProcess, startApiProcess } from '../../support/app/model-process.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { type CommissionBody, newUpline } from '../../support/money/model-upline.ts';

vi.setConfig({ testTimeout: 300_000 }); // a busy machine takes its time

let app: TestApp;
let processes: ApiProcess[] = [];
let load: Load;

beforeAll(async () => {
  app = await startTestApp();
  // 20 connections in all: each plans its statements anew, which is most of the work here.
  processes = await Promise.all([1, 2, 3, 4].map(() => startApiProcess(app, { DATABASE_POOL_SIZE: '5' })));
  load = openLoad();
});
afterAll(async () => {
  load.close();
  await Promise.all(processes.map((process) => process.stop()));
  await app.close();
});

test('1,000 x one purchase over 4 processes: one 201, 999 x 200 with its answer, one journal', async () => {
  const { tenantId, liveKey: key } = await app.newTenant();
  const client = apiClient(app, key);
  const chain = await newUpline(client, 'O O S M D D');
  const single = client.purchaseBody({ attribution: { user_id: chain[0]?.id }, customer: { external_id: 'single' } });
  const alone = await client.post('/api/v1/events/purchase', single);

  const body = { ...single, external_event_id: 'contended', customer: { external_id: 'contended', email: 'c@shop.example' } };
  const answers = await load.sendAllUntilTaken(
    Array.from({ length: 1_000 }, (_, index) => ({
      baseUrl: processes[index % 4]?.baseUrl ?? '',
      key,
      path: '/api/v1/events/purchase',
      body,
    })),
  );
  expect(countStatuses(answers)).toEqual({ 201: 1, 200: 999 });
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);

  const event = JSON.parse(answers[0]?.text ?? '{}');
  const withoutIds = (lines: CommissionBody[]) => lines.map(({ id: _id, ...line }) => line);
  expect(withoutIds(event.commissions)).toEqual(withoutIds(alone.body.commissions));
  const journals = await app.database.asSuperuser<{ cause_id: string; postings: number }>(
    `select j.cause_id, (select count(*)::int from posting p where p.journal_id = j.id) as postings
     from journal_entry j where j.tenant_id = $1`,
    [tenantId],
  );
  expect(new Map(journals.map((row) => [row.cause_id, row.postings]))).toEqual(
    new Map([
      [alone.body.event_id, 6],
      [event.event_id, 6],
    ]),
  );
  expect(journals).toHaveLength(2);
  await expectCleanBooks(app);
});

test('one id with two contents: one event, its own content 200, the other always 409', async () => {
  const { tenantId, liveKey: key } = await app.newTenant();
  const client = apiClient(app, key);
  const body = client.purchaseBody({ external_event_id: 'disputed' });
  const amounts = [10_000, 20_000];
  const answers = await load.sendAll(
    Array.from({ length: 100 }, (_, index) => ({
      baseUrl: processes[index % 4]?.baseUrl ?? '',
      key,
      path: '/api/v1/events/purchase',
      body: { ...body, amount_minor: amounts[Math.floor(index / 4) % 2] },
    })),
  );
  const rows = await app.database.asSuperuser<{ amount: string }>(
    'select amount_minor::text as amount from event where tenant_id = $1',
    [tenantId],
  );
  expect(rows).toHaveLength(1);
  const winner = amounts.indexOf(Number(rows[0]?.amount));
  const of = (content: number) => countStatuses(answers.filter((_, index) => Math.floor(index / 4) % 2 === content));
  expect(of(winner)).toEqual({ 200: of(winner)[200], 201: 1 });
  expect(of(1 - winner)).toEqual({ 409: answers.length - 1 - (of(winner)[200] ?? 0) });
});

test('100 different purchases of one new customer are all recorded, for one customer', async () => {
  const { tenantId, liveKey: key } = await app.newTenant();
  const client = apiClient(app, key);
  const answers = await load.sendAll(
    Array.from({ length: 100 }, (_, index) => ({
      baseUrl: processes[index % 4]?.baseUrl ?? '',
      key,
      path: '/api/v1/events/purchase',
      body: client.purchaseBody({ customer: { external_id: 'new', email: `c${index % 3}@shop.example` } }),
    })),
  );
  expect(countStatuses(answers)).toEqual({ 201: 100 });
  const rows = await app.database.asSuperuser('select count(*)::int as customers from customer where tenant_id = $1', [tenantId]);
  expect(rows).toEqual([{ customers: 1 }]);
});
