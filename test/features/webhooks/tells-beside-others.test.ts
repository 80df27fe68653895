/**
 * What is told at once by two: whoever applies the events in the order of their numbers has what the API shows.
 * Source: docs/specification/webhooks.md#events.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { purchaseOf, refundOf, type Sale } from '../../support/money/money-calls.ts';
import { foldEvent, type State } from '../../support/webhooks/fold-events.ts';
import { plantTellingHold, whileTelling } from '../../support/webhooks/hold-telling.ts';
import { sealAll, toldEvents } from '../../support/webhooks/told-events.ts';

let app: TestApp;
let scope: Scope;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
  await plantTellingHold(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  const tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' };
  client = apiClient(app, tenant.sandboxKey);
});

async function done(answer: PromiseLike<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer;
  expect(status, text).toBeLessThan(300);
}

/** All that was told so far, in the order of its numbers. */
async function folded(): Promise<State> {
  await sealAll(app, scope);
  const state: State = new Map();
  const events = await toldEvents(app, scope);
  for (const event of events.toSorted((a, b) => Number(a.sequence) - Number(b.sequence))) foldEvent(state, event);
  return state;
}

describe('a void or a refund of one sale beside what becomes of other lines', () => {
  const old = new Date(Date.now() - 60 * 86_400_000).toISOString();
  const isOf = (sale: Sale, level: number): string => sale.commissions.find((line) => line.level === level)?.id ?? '';
  const act = (lineId: string, deed: 'hold' | 'release' | 'void') =>
    done(client.post(`/api/v1/commissions/${lineId}/${deed}`, { reason: 'look' }));

  /** Its lines are due, and not cleared yet. */
  async function saleOfTwo(): Promise<Sale> {
    const [seller] = await newUpline(client, 'SS');
    const sale = await purchaseOf(client, { attribution: { user_id: seller?.id }, occurred_at: old });
    expect(sale.commissions.map(({ level }) => level)).toEqual([1, 2]);
    return sale;
  }

  async function expectFolded(): Promise<void> {
    const state = await folded();
    const { body } = await client.get('/api/v1/commissions?limit=100');
    for (const line of body.data) expect(state.get(`commissions ${line.id}`)).toMatchObject({ status: line.status });
  }

  const MEANWHILE: Record<string, (sale: Sale) => Promise<unknown>> = {
    held: (sale) => act(isOf(sale, 2), 'hold'),
    voided: (sale) => act(isOf(sale, 2), 'void'),
    cleared: () => app.runSweep('clear-commissions', scope),
  };
  for (const [name, deed] of Object.entries(MEANWHILE)) {
    test(`a void tells nothing of a sibling that is ${name} meanwhile`, async () => {
      const sale = await saleOfTwo();
      await whileTelling(
        app,
        'commissions.reversed',
        () => act(isOf(sale, 1), 'void'),
        async () => {
          await deed(sale);
          await sealAll(app, scope);
        },
      );
      await expectFolded();
    });
  }

  test('a void tells of its family alone, the new line too', async () => {
    const sale = await saleOfTwo();
    await done(refundOf(client, sale, { amount_minor: 3_000 }));
    await act(isOf(sale, 1), 'void');
    const told = (await toldEvents(app, scope)).filter(({ type }) => type === 'commissions.reversed').at(-1);
    const { body } = await client.get('/api/v1/commissions?level=1&limit=100');
    expect(body.data).toHaveLength(3);
    expect(told).toMatchObject({ objectId: sale.event_id, data: { eventId: sale.event_id } });
    const lines = told?.data['commissions'] as { id: string }[];
    expect(lines.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(body.data);
  });

  test('a refund tells of lines that nobody else changes before its commit', async () => {
    const sale = await saleOfTwo();
    const other = await saleOfTwo();
    await whileTelling(
      app,
      'commissions.reversed',
      () => done(refundOf(client, sale, {})),
      async () => {
        await app.runSweep('clear-commissions', scope);
        await act(isOf(other, 1), 'hold');
        await sealAll(app, scope);
      },
    );
    await expectFolded();
  });
});
