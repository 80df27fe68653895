/** Reliability C-7 and golden (g): a thousand equal purchases over four API processes make one journal. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { expectCleanBooks } from '../../support/model-books.ts';
import { countStatuses, type Load, openLoad } from '../../support/model-load.ts';
import { type ApiProcess, startApiProcess } from '../../support/model-process.ts';
import { type CommissionBody, newUpline } from '../../support/model-upline.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

vi.setConfig({ testTimeout: 120_000 }); // a busy machine takes its time

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
  const answers = await load.sendAll(
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
     from journal_entry j where j.tenant_id = $1 order by j.cause_id`,
    [tenantId],
  );
  const ids = [alone.body.event_id, event.event_id].toSorted();
  expect(journals).toEqual(ids.map((id) => ({ cause_id: id, postings: 6 })));
  await expectCleanBooks(app);
});
