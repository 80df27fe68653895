/**
 * What is told at once by two: whoever applies the events in the order of their numbers has what the API shows.
 * Source: docs/specification/webhooks.md#events.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { purchaseOf, refundOf, type Sale } from '../../support/money/money-calls.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { newAccount, newPayee } from '../../support/payments/payout-accounts.ts';
import { US_PROFILE } from '../../support/payments/plant-payout-account.ts';
import { foldEvent, type State } from '../../support/webhooks/fold-events.ts';
import { plantTellingHold, whileTelling } from '../../support/webhooks/hold-telling.ts';
import { sealAll, tellPayouts, toldEvents } from '../../support/webhooks/told-events.ts';

let app: TestApp;
let database: TestDatabase;
let scope: Scope;
let client: ApiClient;

beforeAll(async () => {
  // What is held here, and who waits for it, has to outlast what happens meanwhile, on a busy machine too.
  database = await createTestDatabase();
  for (const role of ['svc_app', 'svc_worker']) {
    for (const setting of ['lock_timeout', 'statement_timeout']) {
      await database.asSuperuser(`alter role ${role} in database ${database.name} set ${setting} = '60s'`);
    }
  }
  app = await startTestApp({}, database);
  await plantTellingHold(app);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
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

describe('accounts of which the verified name changed', () => {
  const bank = (lastFour: string) => ({
    methodType: 'us_bank_transfer',
    currency: 'USD',
    bankAccount: { accountHolderName: 'Ada Lovelace', routingNumber: '110000000', accountNumber: `00012345${lastFour}` },
  });
  let memberId: string;
  let ids: string[];

  beforeEach(async () => {
    await plantPaymentSettings(app, scope, {});
    memberId = (await newPayee(client, US_PROFILE)).id;
    ids = [];
    for (const lastFour of ['6789', '6780']) ids.push((await newAccount(client, memberId, bank(lastFour))).id);
  });

  const rename = () => done(client.patch(`/api/v1/members/${memberId}/profile`, { businessName: 'Acme' }));
  const isWaitedFor = async () =>
    (
      await app.database.asSuperuser(
        `select from pg_stat_activity where wait_event_type = 'Lock' and wait_event <> 'advisory' and datname = current_database()`,
      )
    ).length > 0;
  const updated = async (): Promise<string[]> =>
    (await toldEvents(app, scope)).filter(({ type }) => type === 'payout_account.updated').map(({ objectId }) => objectId);

  test('are told as they stand beside what the vendor says of them meanwhile', async () => {
    let isDone = false;
    let changing: Promise<void> = Promise.resolve();
    await whileTelling(
      app,
      'payout_account.updated',
      async () => {
        await rename();
        await tellPayouts(app);
      },
      async () => {
        const [accountId] = ids;
        const said = { kind: 'payout_account', accountId, outcome: 'action_required' };
        changing = done(client.post('/api/v1/sandbox/vendor-events', said)).finally(() => {
          isDone = true;
        });
        changing.catch(() => undefined); // awaited below
        await eventually(async () => isDone || (await isWaitedFor()));
        await sealAll(app, scope);
      },
    );
    await changing;
    const state = await folded();
    const { body } = await client.get(`/api/v1/members/${memberId}/payout-accounts`);
    expect(body.accounts.map(({ status }: { status: string }) => status)).toContain('action_required');
    for (const account of body.accounts) expect(state.get(`payoutAccounts ${account.id}`)).toEqual(account);
  });

  test('are passed over while somebody holds them, and told behind that', async () => {
    await rename();
    const before = (await updated()).length;
    const [held] = ids;
    const { frames } = app.composition.background;
    const { telling } = await frames.write(scope, async (db) => {
      await db.rows({ text: "update payout_account set display_name = 'meanwhile' where id = $1", values: [held] });
      const telling = tellPayouts(app);
      telling.catch(() => undefined); // awaited below
      await eventually(async () => (await updated()).length > before && (await isWaitedFor()));
      expect((await updated()).slice(before)).toEqual(ids.slice(1));
      return { telling };
    });
    await telling;
    expect((await updated()).slice(before)).toEqual(ids.toReversed());
    expect((await toldEvents(app, scope)).at(-1)?.data).toMatchObject({ displayName: 'meanwhile' });
  });
});
