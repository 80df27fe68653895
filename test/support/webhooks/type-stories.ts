/** What happens to a tenant, told by every type of event: by operations, jobs, sweeps and the word of vendors. */
import { expect } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { importCsv, sendCsv } from '../../features/imports/csv-imports.ts';
import { type ApiClient, apiClient, type MemberBody } from '../app/api-client.ts';
import type { TestApp } from '../app/test-app.ts';
import { runJobs } from '../jobs/run-jobs.ts';
import { eventually } from '../jobs/test-jobs.ts';
import { sampleDocument, sendDocument } from '../kyc/kyc-documents.ts';
import { plantKycSettings } from '../kyc/kyc-settings.ts';
import { kycPath, startPath } from '../kyc/kyc-world.ts';
import { tamper } from '../money/ledger-books.ts';
import { plantPaymentSettings } from '../payments/payment-settings.ts';
import { accountsPath, newAccount, newPayee, sepaAccount } from '../payments/payout-accounts.ts';
import { createPayoutVendorDouble } from '../payments/payout-vendor-double.ts';
import { act, checkAll, draft, execute, payable, runJobs as runPayoutJobs, startPayouts } from '../payments/payout-world.ts';
import { US_PROFILE } from '../payments/plant-payout-account.ts';
import { startFakeReceiver } from './fake-receiver.ts';
import { plantEndpoint } from './plant-webhooks.ts';
import { createSendWorker, whileSending } from './send-worker.ts';
import { tellPayouts } from './told-events.ts';

/** The SANDBOX of a tenant of which nothing has been told but its keys. */
export interface Side {
  app: TestApp;
  scope: Scope;
  key: string;
  client: ApiClient;
}

export async function openSide(app: TestApp): Promise<Side> {
  const { tenantId, sandboxKey: key } = await app.newTenant();
  return { app, scope: { tenantId, environment: 'SANDBOX' }, key, client: apiClient(app, key) };
}

const USERS = '/api/v1/users';
const DAY = 86_400;

async function done(answer: Promise<{ status: number; text: string; body: unknown }>): Promise<Record<string, string>> {
  const { status, text, body } = await answer;
  expect(status, text).toBeLessThan(300);
  return body as Record<string, string>;
}

/** Purchases, each by an order of its own; they pay one member. */
function sell({ client }: Side, member: MemberBody, order: string): Promise<Record<string, string>> {
  const body = {
    external_event_id: order,
    amount_minor: 10_000,
    currency: 'USD',
    customer: { external_id: `customer-${order}` },
  };
  return done(client.post('/api/v1/events/purchase', { ...body, attribution: { user_id: member.id } }));
}

async function ofMembers({ client }: Side): Promise<void> {
  const sponsor = await client.newMember({ email: 'ada@shop.example', name: 'Ada' });
  const other = await client.newMember({ email: 'cora@shop.example', name: 'Cora' });
  const bea = { email: 'bea@shop.example', name: 'Bea', external_id: 'customer-7', parent_id: sponsor.id };
  const path = `${USERS}/${(await client.newMember(bea)).id}`;
  await done(client.patch(path, { name: 'Bea Example' }));
  await done(client.patch(path, { email: 'bea@new.example' }));
  await done(client.post(`${path.replace('users', 'members')}/sponsor`, { sponsorId: other.id }));
  await done(client.post('/api/v1/groups', { key: 'vip', name: 'VIP partners' }));
  await done(client.patch(path, { group: 'vip' }));
  const targetId = path.slice(USERS.length + 1);
  await done(client.post('/api/v1/rate-overrides', { target: 'member', targetId, pay: { rateBps: 1500 } }));
  await done(client.patch(path, { is_active: false }));
}

/** What was told of the member before is taken back. */
async function ofAnErasure({ client }: Side): Promise<void> {
  const { id } = await client.newMember({ email: 'ada@shop.example', name: 'Ada' });
  await done(client.post(`/api/v1/members/${id}/erasure`, {}));
}

async function ofLeads({ client }: Side): Promise<void> {
  const capture = (fields: object) => done(client.post('/api/v1/leads/capture', fields));
  const lead = await capture({ email: 'dan@shop.example', source: 'newsletter' });
  await capture({ email: 'dan@shop.example', name: 'Dan' });
  await done(client.post(`/api/v1/leads/${lead['id']}/convert`, {}));
  await capture({ email: 'eve@shop.example', source: 'newsletter' });
  await done(client.post('/api/v1/sandbox/clock', { advanceSeconds: 400 * DAY }));
}

async function ofSales(side: Side): Promise<void> {
  const { client } = side;
  const top = await client.newMember({ email: 'ada@shop.example', membership_tier: 'DIRECTOR' });
  const member = await client.newMember({ email: 'bea@shop.example', membership_tier: 'DIRECTOR', parent_id: top.id });
  await sell(side, member, 'order-1');
  const bonus = { external_event_id: 'bonus-1', type: 'adjustment', description: 'Prize of the month', actor: 'Kim' };
  await done(client.post('/api/v1/events/commission', { ...bonus, user_id: top.id, amount_minor: 2_000, currency: 'USD' }));
  const of = { purchase_external_event_id: 'order-1' };
  const dispute = { ...of, dispute_id: 'dispute-1', amount_minor: 5_000 };
  await done(client.post('/api/v1/events/chargeback', { ...dispute, external_event_id: 'dispute-1-opened', stage: 'opened' }));
  await done(client.post('/api/v1/events/chargeback', { ...dispute, external_event_id: 'dispute-1-won', stage: 'won' }));
  await done(client.post('/api/v1/events/refund', { ...of, external_event_id: 'refund-1', amount_minor: 2_500 }));
  await sell(side, member, 'order-2');
  const { body } = await client.get(`/api/v1/commissions?userId=${member.id}`);
  const line = (body.data as { id: string }[]).at(-1)?.id ?? '';
  for (const deed of ['hold', 'release', 'void']) {
    await done(client.post(`/api/v1/commissions/${line}/${deed}`, { reason: 'Looks odd' }));
  }
  await done(client.post('/api/v1/sandbox/clock', { advanceSeconds: 60 * DAY }));
}

/** A month whose second sale reaches the step that the first is paid by in the end. */
async function ofALadder(side: Side): Promise<void> {
  const { app, scope, client } = side;
  const member = await client.newMember({ email: 'ada@shop.example', membership_tier: 'DIRECTOR' });
  const steps = [
    { from: { USD: 0 }, rateBps: 1_000 },
    { from: { USD: 10_000 }, rateBps: 1_200 },
  ];
  const { id } = await done(
    client.post('/api/v1/commission-plans', {
      name: 'Climbers',
      definition: {
        mode: 'unilevel',
        base: 'net_of_tax_shipping',
        compression: 'compress',
        personalPurchase: 'sponsor_first',
        holding: { days: 14 },
        tierRules: { ORDINARY: {}, SENIOR: {}, MANAGER: {}, DIRECTOR: {} },
        scope: { priority: 10 },
        levels: [{ level: 1, ladder: 'monthly' }],
        ladders: [{ id: 'monthly', measure: 'base', period: 'month', settle: 'whole_period', steps }],
      },
    }),
  );
  await done(client.post(`/api/v1/commission-plans/${id}/publish`, {}));
  await sell(side, member, 'order-1');
  await sell(side, member, 'order-2');
  await done(client.post('/api/v1/sandbox/clock', { advanceSeconds: 60 * DAY }));
  await app.runSweep('settle-ladders', scope);
}

async function ofImports({ app, scope, key }: Side): Promise<void> {
  await importCsv(app, key, 'email,name\nfay@shop.example,Fay\nnone,Gil\n');
  await sendCsv(app, key, 'email,name\nhal@shop.example,Hal\n');
  // As if no worker had come to it for days.
  await app.database.asSuperuser('update import_run set tidy_at = now() where tenant_id = $1 and finished_at is null', [
    scope.tenantId,
  ]);
  await app.runSweep('tidy-imports', scope);
}

async function ofTheLedger(side: Side): Promise<void> {
  const { app, scope, client } = side;
  await sell(side, await client.newMember(), 'order-1');
  await app.runSweep('seal-ledger', scope);
  const posting = `select tenant_id, environment, journal_id, seq from posting where tenant_id = '${scope.tenantId}' order by seq limit 1`;
  await tamper(
    app,
    `update posting set amount_minor = amount_minor + 1 where (tenant_id, environment, journal_id, seq) in (${posting})`,
  );
  await runJobs(app, 'check-ledger');
  // The check is repeated before the tenant is told.
  await app.database.asSuperuser("update pgboss.job set start_after = now() where name = 'check-ledger' and state = 'retry'");
  await runJobs(app, 'check-ledger');
}

async function ofVerifications({ app, scope, client }: Side): Promise<void> {
  await plantKycSettings(app, scope, { provider: 'manual' });
  await done(client.patch('/api/v1/admin/settings', { kyc: { approvalValidDays: 30 } }));
  const { id: memberId } = await client.newMember({ email: 'ada@shop.example' });
  const send = (documentType: 'government_id_front' | 'government_id_back' | 'selfie') =>
    sendDocument(client, memberId, sampleDocument({ documentType }));
  await done(client.post(startPath(memberId), {}));
  for (const type of ['government_id_front', 'government_id_back', 'selfie'] as const) await send(type);
  const { body: record } = await client.get(kycPath(memberId));
  const decide = (deed: string, fields: object = {}) => done(client.post(`/api/v1/admin/kyc/${record.id}/${deed}`, fields));
  await decide('approve');
  await decide('request-resubmit', { reason: 'The picture is blurred', documents: ['selfie'] });
  await send('selfie');
  await decide('approve');
  await done(client.post('/api/v1/sandbox/clock', { advanceSeconds: 31 * DAY }));
  for (const type of ['government_id_front', 'government_id_back', 'selfie'] as const) await send(type);
  await decide('reject', { reason: 'The document is not genuine' });
}

async function ofPayoutsByHand({ app, scope, client }: Side): Promise<void> {
  await payable(app, scope, client, 10_000);
  const run = await execute(client);
  await tellPayouts(app);
  await startPayouts(app, scope);
  const path = `/api/v1/payouts/${run.payouts[0]?.id}`;
  await done(client.post(`${path}/return`, { reason: 'No such account' }));
  await done(client.post(`${path}/retry`, {}));
  await done(client.post(`${path}/cancel`, {}));
  const next = await draft(client);
  await done(act(client, next.id, 'cancel'));
  await tellPayouts(app);
  const last = await execute(client);
  await startPayouts(app, scope);
  const paid = `/api/v1/payouts/${last.payouts[0]?.id}`;
  await done(client.post(`${paid}/settle`, { reference: 'SEPA-1' }));
  await done(client.post(`${paid}/return`, { reason: 'Account closed' }));
}

async function ofPayoutsByVendor({ app, scope, client }: Side): Promise<void> {
  const vendor = createPayoutVendorDouble();
  await plantPaymentSettings(app, scope, {});
  await payable(app, scope, client, 6_000, { provider: 'payvendor' });
  await execute(client);
  await startPayouts(app, scope);
  vendor.failNext('createTransfer', 'unauthorized', 'unauthorized');
  await runPayoutJobs(app, vendor);
  await checkAll(app, scope, vendor);
}

async function ofPayoutAccounts({ app, scope, client }: Side): Promise<void> {
  const member = await newPayee(client);
  const first = await newAccount(client, member.id, sepaAccount('DE89370400440532013000'));
  await newAccount(client, member.id, sepaAccount('DE02120300000000202051', { isPrimary: true }));
  await done(client.patch(accountsPath(member.id, first.id), { displayName: 'Savings' }));
  await done(client.delete(accountsPath(member.id, first.id)));
  await plantPaymentSettings(app, scope, {});
  const payee = await newPayee(client, US_PROFILE);
  const bankAccount = { accountHolderName: 'Ada Lovelace', routingNumber: '110000000', accountNumber: '000123456789' };
  const account = await newAccount(client, payee.id, { methodType: 'us_bank_transfer', currency: 'USD', bankAccount });
  for (const outcome of ['action_required', 'rejected']) {
    const kind = 'payout_account';
    await done(client.post('/api/v1/sandbox/vendor-events', { kind, accountId: account.id, outcome }));
  }
}

async function ofTheTenant({ client }: Side): Promise<void> {
  const key = await done(client.post('/api/v1/admin/api-keys', { name: 'Shop', scopes: ['users:read', 'events:read'] }));
  await done(client.delete(`/api/v1/admin/api-keys/${key['id']}`));
  await done(client.patch('/api/v1/admin/settings', { mail: { payouts: true } }));
}

async function ofEndpoints({ app, scope, client }: Side): Promise<void> {
  const receiver = await startFakeReceiver();
  try {
    receiver.reply = () => ({ status: 410 });
    const { id } = await plantEndpoint(app, scope, { url: receiver.url, eventTypes: ['member.*'] });
    await client.newMember();
    await whileSending(createSendWorker(app, [receiver]), () =>
      eventually(async () => (await client.get(`/api/v1/webhook-endpoints/${id}`)).body.enabled === false),
    );
  } finally {
    receiver.close();
  }
}

/** Each by itself, on a side of its own. */
export const TYPE_STORIES: Readonly<Record<string, (side: Side) => Promise<void>>> = {
  members: ofMembers,
  'an erasure': ofAnErasure,
  leads: ofLeads,
  'sales and commissions': ofSales,
  'a ladder of a whole month': ofALadder,
  imports: ofImports,
  'the ledger': ofTheLedger,
  verifications: ofVerifications,
  'payouts by hand': ofPayoutsByHand,
  'payouts by the vendor': ofPayoutsByVendor,
  'payout accounts': ofPayoutAccounts,
  'keys and settings': ofTheTenant,
  endpoints: ofEndpoints,
};
