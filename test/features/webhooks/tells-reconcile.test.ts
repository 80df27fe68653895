/** What a reconciliation tells of payouts that it records: docs/specification/payouts.md#reconcile. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { readBankFile } from '../../../src/features/payouts/reconcile/bank-file.ts';
import type { ReconcileInput, ReconcileService } from '../../../src/features/payouts/reconcile/reconcile-service.ts';
import { payouts } from '../../../src/features.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { type FakePaymentVendor, startFakePaymentVendor } from '../../support/payments/fake-payment-vendor.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { act, draft, payable } from '../../support/payments/payout-world.ts';
import { openEar, type ToldRow } from '../../support/webhooks/told-events.ts';

let app: TestApp;
let vendor: FakePaymentVendor;
let service: ReconcileService;
let scope: Scope;
let client: ApiClient;
let ear: ReturnType<typeof openEar>;

beforeAll(async () => {
  vendor = await startFakePaymentVendor();
  app = await startTestApp({ OUTGOING_ALLOWED_HOSTS: vendor.host }, 'own');
  service = app.composition.offer(payouts).reconcile;
});
afterAll(async () => {
  await app.close();
  vendor.close();
});

beforeEach(async () => {
  vendor.transfers.clear();
  await app.database.asSuperuser('update payout_freeze set frozen_at = now()');
  const tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  ear = openEar(app, scope);
  await app.database.asSuperuser(
    "insert into webhook_hearing (tenant_id, environment, patterns) values ($1, 'LIVE', '{payout.*,payouts.*,payout_run.*}')",
    [tenant.tenantId],
  );
  const { secretKey, baseUrl } = vendor.account;
  await plantPaymentSettings(app, scope, { secretKey, baseUrl, requireKyc: false });
});

const payee = (): Promise<MemberBody> => payable(app, scope, client, 6_000, { provider: 'payvendor' });

/** As the service has made it before the database went back. */
function transferred(member: MemberBody, payoutId: string = randomUUID(), reversed = 0): string {
  const id = `tr_${randomUUID().replaceAll('-', '')}`;
  const reversal = {
    id: `trr_${id}`,
    object: 'transfer_reversal',
    amount: reversed,
    currency: 'usd',
    created: 0,
    metadata: {},
    transfer: id,
  } as const;
  vendor.transfers.set(id, {
    id,
    object: 'transfer',
    amount: 6_000,
    amount_reversed: reversed,
    created: Math.floor(Date.now() / 1000) - 60,
    currency: 'usd',
    destination: `acct_${member.id.replaceAll('-', '')}`,
    livemode: false,
    metadata: {
      tenant_id: scope.tenantId,
      environment: scope.environment,
      user_id: member.id,
      payout_id: payoutId,
      attempt: '1',
    },
    reversals: { object: 'list', data: reversed > 0 ? [reversal] : [], has_more: false, url: '' },
    reversed: reversed === 6_000,
    transfer_group: payoutId,
  });
  return payoutId;
}

async function reconcile(input: Partial<ReconcileInput> = {}) {
  const freeze = await service.freeze.read();
  return service.reconcile(scope, freeze, { since: new Date(Date.now() - 86_400_000), apply: true, ...input });
}

const inShort = (events: readonly ToldRow[]) => events.map(({ type, data }) => `${type} ${data['status'] ?? ''}`.trim());

test('a payout that is recorded is told, one that is only looked for is not', async () => {
  const payoutId = transferred(await payee());
  await reconcile({ apply: false });
  expect(await ear.heard()).toEqual([]);
  await reconcile();
  const events = await ear.heard();
  expect(inShort(events)).toEqual(['payout_run.updated executing', 'payout.processing processing']);
  expect(new Set(events.map(({ actor }) => actor))).toEqual(new Set(['operator']));
  expect(events[1]?.data).toEqual((await client.get(`/api/v1/payouts/${payoutId}`)).body);
  await reconcile();
  expect(await ear.heard()).toEqual([]);
});

test('what makes way for it is told to be cancelled', async () => {
  const member = await payee();
  const run = await draft(client);
  await ear.heard();
  transferred(member);
  await reconcile();
  const events = await ear.heard();
  expect(inShort(events)).toEqual(['payout.cancelled cancelled', 'payout_run.updated executing', 'payout.processing processing']);
  expect(events[0]).toMatchObject({ objectId: run.payouts[0]?.id, data: { failureCode: 'RESTORED' } });
});

test('a run that it finds executed is told so, with those of its payouts that were not sent', async () => {
  const [sent] = [await payee(), await payee()];
  const run = await draft(client);
  await act(client, run.id, 'approve');
  await ear.heard();
  const first = run.payouts.find(({ userId }) => userId === sent?.id)?.id ?? '';
  transferred(sent, first);
  await reconcile();
  const events = await ear.heard();
  expect(inShort(events)).toEqual(['payout_run.executed executing', 'payout.processing processing', 'payouts.cancelled']);
  expect(events[2]?.data['payouts'].map(({ id }: { id: string }) => id)).toEqual(
    run.payouts.map(({ id }) => id).filter((id) => id !== first),
  );
});

test('a transfer that was taken back is told as an execution that has failed', async () => {
  const member = await payee();
  const run = await draft(client);
  await ear.heard();
  transferred(member, run.payouts[0]?.id, 6_000);
  await reconcile();
  expect(inShort(await ear.heard())).toEqual([
    'payout_run.executed partially_failed',
    'payout.processing failed',
    'payout.failed failed',
    'payout_run.completed partially_failed',
  ]);
});

test('a payment of the bank is told as paid', async () => {
  await plantPaymentSettings(app, scope, { provider: 'manual', requireKyc: false });
  const member = await payable(app, scope, client, 6_000);
  await app.database.asSuperuser("update payout_account set last_four = '6789' where member_id = $1", [member.id]);
  const bank = readBankFile('reference,account,amount,currency,date\nbank-7,****6789,60.00,USD,2026-01-02\n');
  await reconcile({ bank });
  const events = await ear.heard();
  expect(inShort(events)).toEqual([
    'payout_run.updated completed',
    'payout.processing paid',
    'payout.paid paid',
    'payout_run.completed completed',
  ]);
  await reconcile({ bank });
  expect(await ear.heard()).toEqual([]);
});
