/** Matching what the vendor and the bank have paid with a restored database. Source: docs/specification/payouts.md#reconcile. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { readBankFile } from '../../../src/features/payouts/reconcile/bank-file.ts';
import type { ReconcileInput, ReconcileService } from '../../../src/features/payouts/reconcile/reconcile-service.ts';
import { payouts } from '../../../src/features.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { examineBooks } from '../../support/app/examine-books.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { type FakePaymentVendor, startFakePaymentVendor } from '../../support/payments/fake-payment-vendor.ts';
import { plantPaymentSettings } from '../../support/payments/payment-settings.ts';
import { act, draft, earn, payable, payoutOf, runOf } from '../../support/payments/payout-world.ts';

let app: TestApp;
let vendor: FakePaymentVendor;
let service: ReconcileService;
let scope: Scope;
let client: ApiClient;

const SINCE = new Date(Date.now() - 86_400_000);

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
  const { secretKey, baseUrl } = vendor.account;
  await plantPaymentSettings(app, scope, { secretKey, baseUrl, requireKyc: false });
});

/** But for P-6, which tells of the freeze. */
async function brokenBooks(): Promise<string[]> {
  const broken = (await examineBooks(app.database.adminUrl)).filter(({ breaches }) => breaches.length > 0);
  return broken.map(({ id }) => id).filter((id) => id !== 'P-6');
}

const payee = (amountMinor = 6_000): Promise<MemberBody> => payable(app, scope, client, amountMinor, { provider: 'payvendor' });

/** As the service has made it before the database went back. */
function transferred(
  member: MemberBody,
  fields: { payoutId?: string; attempt?: number; amount?: number; reversed?: number; of?: Scope } = {},
) {
  const { payoutId = randomUUID(), attempt = 1, amount = 6_000, reversed = 0, of = scope } = fields;
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
    amount,
    amount_reversed: reversed,
    created: Math.floor(Date.now() / 1000) - 60,
    currency: 'usd',
    destination: `acct_${member.id.replaceAll('-', '')}`,
    livemode: false,
    metadata: {
      tenant_id: of.tenantId,
      environment: of.environment,
      user_id: member.id,
      payout_id: payoutId,
      attempt: `${attempt}`,
    },
    reversals: { object: 'list', data: reversed > 0 ? [reversal] : [], has_more: false, url: '' },
    reversed: reversed === amount,
    transfer_group: payoutId,
  });
  return { id, payoutId };
}

async function reconcile(input: Partial<ReconcileInput> = {}) {
  const freeze = await service.freeze.read();
  return service.reconcile(scope, freeze, { since: SINCE, apply: true, ...input });
}

const verdicts = ({ findings }: { findings: { verdict: string; why: string | null }[] }): string[] =>
  findings.map(({ verdict, why }) => (why ? `${verdict} ${why}` : verdict));

test('a payout that the database does not know is recorded under its id, and its commissions are not drafted again', async () => {
  const member = await payee();
  const { payoutId } = transferred(member);
  expect(verdicts(await reconcile({ apply: false }))).toEqual(['recorded']);
  expect((await client.get(`/api/v1/payouts/${payoutId}`)).status).toBe(404);
  const done = await reconcile();
  expect([verdicts(done), done.vendor]).toEqual([['recorded'], 'matched']);
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'processing', attempt: 1, amountMinor: 6_000 });
  expect((await draft(client)).payoutCount).toBe(0);
  expect(verdicts(await reconcile())).toEqual(['agrees']);
  expect(await brokenBooks()).toEqual([]);
});

test('what was drafted since the restore makes way', async () => {
  const member = await payee();
  const run = await draft(client);
  const { payoutId } = transferred(member);
  expect(verdicts(await reconcile())).toEqual(['recorded']);
  expect(await payoutOf(client, run.payouts[0]?.id ?? '')).toMatchObject({ status: 'cancelled', failureCode: 'RESTORED' });
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'processing' });
  expect(await brokenBooks()).toEqual([]);
});

test('a run that was executed behind the backup: what was sent is recorded, the rest can be drafted again', async () => {
  const [sent] = [await payee(), await payee()];
  const run = await draft(client);
  await act(client, run.id, 'approve');
  const [first, second] = run.payouts.toSorted((one) => (one.userId === sent?.id ? -1 : 1));
  transferred(sent, { payoutId: first?.id ?? '' });
  expect(verdicts(await reconcile())).toEqual(['recorded']);
  expect((await runOf(client, run.id)).status).toBe('executing');
  expect(await payoutOf(client, first?.id ?? '')).toMatchObject({ status: 'processing', attempt: 1 });
  expect(await payoutOf(client, second?.id ?? '')).toMatchObject({ status: 'cancelled', failureCode: 'RESTORED' });
  expect((await draft(client)).payoutCount).toBe(1);
  expect(await brokenBooks()).toEqual([]);
});

test('a transfer of it that was taken back whole: the payout has failed, and can be retried under the next attempt', async () => {
  const member = await payee();
  const run = await draft(client);
  const payoutId = run.payouts[0]?.id ?? '';
  transferred(member, { payoutId, reversed: 6_000 });
  expect(verdicts(await reconcile())).toEqual(['recorded']);
  expect(await payoutOf(client, payoutId)).toMatchObject({ status: 'failed', attempt: 1 });
  expect(await brokenBooks()).toEqual([]);
});

test('the list of payouts tells which were judged, and how', async () => {
  const [sent] = [await payee(), await payee()];
  const run = await draft(client);
  const [first, second] = run.payouts.toSorted((one) => (one.userId === sent?.id ? -1 : 1));
  transferred(sent, { payoutId: first?.id ?? '' });
  const unknown = await payee();
  const { payoutId: lost } = transferred(unknown);
  const judgedAs = async (reconciled: string): Promise<string[]> => {
    const { status, body, text } = await client.get(`/api/v1/payouts?reconciled=${reconciled}&sort=-createdAt`);
    expect(status, text).toBe(200);
    return (body.data as { id: string }[]).map(({ id }) => id).toSorted();
  };
  expect(await judgedAs('recorded')).toEqual([]);
  await reconcile();
  expect(await judgedAs('recorded')).toEqual([first?.id ?? '', lost].toSorted());
  expect(await judgedAs('not_sent')).toEqual([second?.id]);
  expect(await judgedAs('unanswered')).toEqual([]);
  await app.database.asSuperuser('update payout_attempt set transfer_id = null where payout_id = $1', [lost]);
  expect(await judgedAs('unanswered')).toEqual([lost]);
  expect((await client.get('/api/v1/payouts/freeze')).body.unanswered).toBe(1);
  await app.database.asSuperuser("update payout_attempt set transfer_id = 'tr_again' || payout_id where payout_id = $1", [lost]);
  expect((await client.get('/api/v1/payouts?reconciled=odd')).status).toBe(400);
  const other = await app.newTenant();
  expect((await apiClient(app, other.liveKey).get('/api/v1/payouts?reconciled=recorded')).body.data).toEqual([]);
});

test('two payouts of one member, one after the other, on the second page of the list', async () => {
  const member = await payee();
  transferred(member);
  await earn(app, scope, client, member, 7_000);
  transferred(member, { amount: 7_000 });
  for (let i = 0; i < 120; i++) transferred(member, { of: { tenantId: randomUUID(), environment: 'LIVE' } });
  const done = await reconcile();
  expect([verdicts(done), done.foreign]).toEqual([['recorded', 'recorded'], 120]);
  expect(await brokenBooks()).toEqual([]);
});

test('what does not agree is left to a person, whose judgement holds the member', async () => {
  const member = await payee();
  const { id } = transferred(member, { amount: 5_999 });
  const partly = transferred(member, { reversed: 100 });
  const done = await reconcile();
  expect([verdicts(done).toSorted(), done.vendor]).toEqual([['unmatched no_lines', 'unmatched partly_reversed'], 'unmatched']);
  expect(service.isDone(done)).toBe(false);
  const freeze = await service.freeze.read();
  if (!freeze) throw new Error('not frozen');
  await service.accept(scope, freeze, id, member.id);
  await service.accept(scope, freeze, partly.id, member.id);
  expect(service.isDone(await reconcile())).toBe(true);
  expect((await client.get(`/api/v1/members/${member.id}/payout-hold`)).body.payoutHold).not.toBeNull();
  expect(await service.thaw({ ...freeze, freezeId: 'another' }, null)).toBe(false);
  expect(await service.thaw(freeze, null)).toBe(true);
  expect(await service.freeze.read()).toBeUndefined();
});

test('two at once record it once', async () => {
  const member = await payee();
  transferred(member);
  const done = await Promise.all([reconcile(), reconcile()]);
  expect(done.flatMap(verdicts).toSorted()).toEqual(['agrees', 'recorded']);
  expect(await brokenBooks()).toEqual([]);
});

test('a payout that the vendor does not list, and a vendor that cannot be asked', async () => {
  const member = await payee();
  const { id } = transferred(member);
  await reconcile();
  vendor.transfers.delete(id);
  expect(verdicts(await reconcile())).toEqual(['unmatched unknown_to_vendor']);
  vendor.failNext(/GET/, { status: 401 }, { status: 401 }, { status: 401 });
  expect((await reconcile()).vendor).toBe('unreachable');
});

test('the file of the bank: by the end of the account, once, and settled on its day', async () => {
  await plantPaymentSettings(app, scope, { provider: 'manual', requireKyc: false });
  const member = await payable(app, scope, client, 6_000);
  await app.database.asSuperuser("update payout_account set last_four = '6789' where member_id = $1", [member.id]);
  expect((await reconcile()).bank).toBe('to_ask');
  const bank = readBankFile('reference,account,amount,currency,date\nbank-7,****6789,60.00,USD,2026-01-02\n');
  const done = await reconcile({ bank });
  expect([verdicts(done), done.bank]).toEqual([['recorded'], 'matched']);
  expect(await payoutOf(client, done.findings[0]?.payoutId ?? '')).toMatchObject({
    status: 'paid',
    reference: 'bank-7',
    paidAt: '2026-01-02T12:00:00.000Z',
  });
  expect(verdicts(await reconcile({ bank }))).toEqual(['agrees']);
  expect(await brokenBooks()).toEqual([]);
});

test.each([
  ['no column', 'reference,account,amount,currency\n', 'x,1,1,USD\n', 'no column date'],
  ['an amount with too many digits', 'reference,account,amount,currency,date\n', 'x,1,1.5,JPY,2026-01-02\n', 'line 2: amount'],
  ['an amount of nothing', 'reference,account,amount,currency,date\n', 'x,1,0,USD,2026-01-02\n', 'line 2: amount'],
])('a file of the bank with %s is refused by its line', (_what, head, row, message) => {
  expect(() => readBankFile(head + row)).toThrow(message);
});
