/**
 * A tenant that asks for two pairs of hands, in LIVE: two roots with a key each, a second key that the first root made for
 * itself, and money at every stage on its way out. The first root is the one that tries to take it.
 */
import { expect } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import type { PaymentSettingsRow } from '../../../src/features/payouts/settings/payment-settings-queries.ts';
import { type ApiClient, apiClient, type MemberBody } from '../app/api-client.ts';
import type { TestApp } from '../app/test-app.ts';
import { plantPaymentSettings } from '../payments/payment-settings.ts';
import { createPayoutVendorDouble, type PayoutVendorDouble } from '../payments/payout-vendor-double.ts';
import { act, approveKyc, draft, earn, type PayoutBody, plantAccount, runJobs, startPayouts } from '../payments/payout-world.ts';

export interface Hands {
  keyId: string;
  key: string;
  client: ApiClient;
}

/** A run with its one payout. */
export interface RunOfOne {
  runId: string;
  payoutId: string;
  accountId: string;
  amountMinor: number;
}

export interface HandsWorld {
  app: TestApp;
  scope: Scope;
  /** Of the first root, which does the mischief; and a key that it made by the API. */
  first: Hands;
  firstsOwn: Hands;
  /** Of the second root, by the operator. */
  second: Hands;
  ada: MemberBody;
  bob: MemberBody;
  /** Drafted by the first root: 100 USD of Ada's. */
  drafted: RunOfOne;
  /** Drafted by the first root, approved by the second: 200 EUR of Bob's. */
  approved: RunOfOne;
  /** The same, and the vendor has refused it: 300 GBP of Bob's. */
  failed: RunOfOne;
  /** A commission of Ada's that has cleared, which no run has taken: 400 CAD. */
  freeLineId: string;
  /** Bob's second account in EUR, active for long and not primary. */
  readyAccountId: string;
}

export const VENDOR = { secretKey: 'sk_live_ours', webhookSecrets: ['whsec_ours'], platformCountry: 'HK' };

export type PlainSettings = Partial<Omit<PaymentSettingsRow, 'secretKeySealed' | 'webhookSecretsSealed'>>;

/** A key of the root that calls. */
export async function keyMadeBy(app: TestApp, by: ApiClient, fields: object = { scopes: ['*'] }): Promise<Hands> {
  const { status, body, text } = await by.post('/api/v1/admin/api-keys', fields);
  expect(`${status} ${status === 201 ? '' : text}`).toBe('201 ');
  return { keyId: body.id as string, key: body.apiKey as string, client: apiClient(app, body.apiKey as string) };
}

/** A root of its own, as `cli key create` makes it. */
export async function newRoot(app: TestApp, { tenantId, environment }: Scope, scopes?: string[]): Promise<Hands> {
  const { keyId, apiKey } = await app.tenants.createKey({ tenantId, environment, scopes });
  return { keyId, key: apiKey, client: apiClient(app, apiKey) };
}

/** How the first root comes by its key, in a tenant of which there is one key already, by the operator. */
export type FirstHands = (app: TestApp, scope: Scope, liveKey: string) => Promise<Hands>;

const byOperator: FirstHands = async (app, _scope, liveKey) => {
  const client = apiClient(app, liveKey);
  const [known] = (await client.get('/api/v1/admin/api-keys')).body.data as { id: string }[];
  return { keyId: known?.id ?? '', key: liveKey, client };
};

/** A tenant with its roots and the rule, and no money yet. */
export async function openHands(
  app: TestApp,
  settings: PlainSettings = {},
  firstHands: FirstHands = byOperator,
): Promise<Pick<HandsWorld, 'app' | 'scope' | 'first' | 'firstsOwn' | 'second'>> {
  const tenant = await app.newTenant();
  const scope: Scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  await plantPaymentSettings(app, scope, { ...VENDOR, dualControl: true, ...settings });
  const first = await firstHands(app, scope, tenant.liveKey);
  return { app, scope, first, firstsOwn: await keyMadeBy(app, first.client), second: await newRoot(app, scope) };
}

/** An account that is told from the member's others at the vendor, too. */
async function plantNamed(app: TestApp, scope: Scope, memberId: string, currency: string, isPrimary: boolean): Promise<string> {
  const activatedAt = new Date(Date.now() - 30 * 86_400_000);
  const id = await plantAccount(app, scope, memberId, { currency, isPrimary, provider: 'payvendor', activatedAt });
  await app.database.asSuperuser('update payout_account set external_account_id = $2 where id = $1', [id, `ba_${id}`]);
  return id;
}

/** What Ada and Bob have earned is on its way in three runs, and some is free. */
export async function openHandsWorld(
  app: TestApp,
  vendor: PayoutVendorDouble = createPayoutVendorDouble(),
  settings: PlainSettings = {},
  firstHands: FirstHands = byOperator,
): Promise<HandsWorld> {
  const { app: _app, scope, ...hands } = await openHands(app, settings, firstHands);
  const { client } = hands.first;
  const [ada, bob] = [await client.newMember(), await client.newMember()];
  await approveKyc(app, ada.id);
  await approveKyc(app, bob.id);
  await plantNamed(app, scope, ada.id, 'USD', true);
  await plantNamed(app, scope, ada.id, 'CAD', false);
  const readyAccountId = await plantNamed(app, scope, bob.id, 'EUR', false);
  await plantNamed(app, scope, bob.id, 'EUR', true);
  await plantNamed(app, scope, bob.id, 'GBP', false);
  const runFor = async (member: MemberBody, amountMinor: number, currency: string): Promise<RunOfOne> => {
    await earn(app, scope, client, member, amountMinor, currency);
    const { id, payouts, blocked } = await draft(client, { currency });
    expect(blocked).toEqual([]);
    const [payout] = payouts as [PayoutBody];
    return { runId: id, payoutId: payout.id, accountId: payout.payoutAccountId, amountMinor };
  };
  const failed = await runFor(bob, 30_000, 'GBP');
  await pass(act(hands.second.client, failed.runId, 'approve'));
  await pass(act(client, failed.runId, 'execute'));
  await startPayouts(app, scope);
  vendor.failNext('createTransfer', 'refused');
  await runJobs(app, vendor);
  const approved = await runFor(bob, 20_000, 'EUR');
  await pass(act(hands.second.client, approved.runId, 'approve'));
  const drafted = await runFor(ada, 10_000, 'USD');
  const freeLineId = await earn(app, scope, client, ada, 40_000, 'CAD');
  return { app, scope, ...hands, ada, bob, drafted, approved, failed, freeLineId, readyAccountId };
}

/** Of an answer that must be 200 or 201. */
export async function pass<Answer extends { status: number; text: string }>(answer: Promise<Answer>): Promise<Answer> {
  const { status, text } = await answer;
  expect(`${status} ${status < 202 ? '' : text}`).toBe(`${status < 202 ? status : 200} `);
  return answer;
}

export const changeSettings = (client: ApiClient, payments: object, headers?: Record<string, string>) =>
  client.patch('/api/v1/admin/settings', { payments }, headers);

/** Everything that is due is carried out, and the vendor is asked for it. */
export async function letMoneyGo({ app, scope }: Pick<HandsWorld, 'app' | 'scope'>, vendor: PayoutVendorDouble): Promise<void> {
  await startPayouts(app, scope);
  await runJobs(app, vendor);
}

/** Payouts that are on their way, or have gone, with their runs and accounts. */
export const goneOf = ({ app, scope }: Pick<HandsWorld, 'app' | 'scope'>): Promise<Gone[]> =>
  app.database.asSuperuser<Gone>(
    `select p.id as "payoutId", p.payout_run_id as "runId", p.payout_account_id as "accountId", p.amount_minor::int as "amountMinor", p.status
     from payout p where p.tenant_id = $1 and p.status in ('processing', 'paid') order by p.id`,
    [scope.tenantId],
  );

export interface Gone extends RunOfOne {
  status: string;
}
