/**
 * Sums past what a number holds exactly, which the look at large postings would not let come about: every operation that
 * answers with a sum is asked, and none fails. Source: docs/specification/conventions.md#money.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Scope } from '../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { credit } from '../support/money/debts.ts';
import { liftManualLimit } from '../support/money/manual-limit.ts';
import { newUpline } from '../support/money/model-upline.ts';
import { payOut } from '../support/money/pay-out.ts';
import { answerFields } from '../support/openapi/answer-fields.ts';
import { act, approveKyc, draft, payable, plantAccount } from '../support/payments/payout-world.ts';
import { recountDownline } from '../support/tree/downline-books.ts';

vi.mock('../../src/features/ledger/open/balance-limit.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  holdersToLookAt: () => [],
}));

const LIMIT = 999_999_999_999_999;
const SALES = 120;
const DAY = 86_400_000;
const SOLD_AT = new Date(Date.now() - 60 * DAY);

let app: TestApp;
let scope: Scope;
let client: ApiClient;
/** Earns at level 3, and is paid by hand. */
let top: MemberBody;
/** Is due more than can be paid. */
let seller: MemberBody;
let saleId: string;
let runId: string;

beforeAll(async () => {
  app = await startTestApp();
  const { tenantId, liveKey } = await app.newTenant();
  scope = { tenantId, environment: 'LIVE' };
  client = apiClient(app, liveKey);
  await liftManualLimit(client, 'USD');
  [top, , seller] = (await newUpline(client, 'D D D')).toReversed() as [MemberBody, MemberBody, MemberBody];
  if (top.parent_id !== null) [top, seller] = [seller, top];
  for (let sent = 0; sent < SALES; sent += 60) await sellInBatch(60);
  const ids: string[] = [];
  for (let i = 0; i < 12; i++) ids.push((await credit(client, top, LIMIT)).body.commissions[0].id);
  while ((await app.runSweep('clear-commissions', scope)) > 0);
  await payOut(app, ids);
  await app.runSweep('fold-commissions', scope);
  await recountDownline(app, scope);
  await approveKyc(app, seller.id);
  await plantAccount(app, scope, seller.id);
  for (let i = 0; i < 12; i++) await payable(app, scope, client, LIMIT);
  const run = await draft(client);
  runId = run.id;
});
afterAll(() => app.close());

async function sellInBatch(count: number): Promise<void> {
  const events = Array.from({ length: count }, () => ({
    ...client.purchaseBody({ attribution: { user_id: seller.id } }),
    kind: 'purchase',
    amount_minor: LIMIT,
    occurred_at: SOLD_AT.toISOString(),
  }));
  const { status, body } = await client.post('/api/v1/events/batch', { events });
  expect(status).toBe(207);
  saleId = body.results[0].body.event_id;
}

const month = SOLD_AT.toISOString().slice(0, 7);
const now = new Date().toISOString();
const year = now.slice(0, 4);

/** The calls of each operation that answers with a sum; `none` where none passes the limit in this world. */
const CALLS: Record<string, () => Promise<{ status: number; text: string }>> = {
  getTrialBalance: () => client.get('/api/v1/admin/ledger/trial-balance'),
  getMemberBalances: () => client.get(`/api/v1/members/${top.id}/balances`),
  listMemberLedger: () => client.get(`/api/v1/members/${top.id}/ledger?limit=100`).then(lastPage),
  getUserStatus: () => client.get(`/api/v1/users/status?user_id=${top.id}`),
  getCommissionBreakdown: () => client.get(`/api/v1/members/${top.id}/commissions/breakdown?period=${month}`),
  getTaxSummary: () => client.get(`/api/v1/members/${top.id}/tax-summary/${year}`),
  getReferralStats: () => client.get(`/api/v1/members/${top.id}/referral-stats`),
  getTeamStats: () => client.get(`/api/v1/members/${top.id}/team-stats`),
  getMemberStatement: () => client.get(`/api/v1/members/${top.id}/statements/${now.slice(0, 7)}`),
  getOverview: () => client.get('/api/v1/admin/overview'),
  previewReversal: () => client.post(`/api/v1/events/${saleId}/reversal-preview`, { kind: 'refund' }),
  listTaxDocuments: () => client.get(`/api/v1/members/${top.id}/tax-documents`),
  exportMemberData: () => client.get(`/api/v1/members/${top.id}/data-export`),
  getPayoutReadiness: () => client.get(`/api/v1/members/${seller.id}/payout-readiness`),
  listPayouts: () => client.get('/api/v1/payouts?limit=100'),
  listPayoutRuns: () => client.get('/api/v1/payout-runs'),
  getPayoutRun: () => client.get(`/api/v1/payout-runs/${runId}`),
  getBlockedReasons: () => client.get(`/api/v1/payout-runs/${runId}/blocked-reasons`),
  reviewPayoutRun: () => client.get(`/api/v1/payout-runs/${runId}/review`),
  listBlockedMembers: () => client.get(`/api/v1/payout-runs/${runId}/blocked`),
  approvePayoutRun: () => act(client, runId, 'approve'),
  executePayoutRun: () => act(client, runId, 'execute'),
  createPayoutRun: () => client.post('/api/v1/payout-runs', { currency: 'USD' }),
};

/** Of these no sum passes the limit here; they are made by the same helper. */
const OTHERS = [
  'cancelPayout',
  'cancelPayoutRun',
  'createSettlement',
  'explainEvent',
  'getMemberRates',
  'getPayout',
  'listChildren',
  'listRoots',
  'listSettlements',
  'retryPayout',
  'returnPayout',
  'settlePayout',
];

async function lastPage(first: Awaited<ReturnType<ApiClient['get']>>): Promise<{ status: number; text: string }> {
  let page = first;
  while (page.body.hasMore) page = await client.get(`/api/v1/members/${top.id}/ledger?limit=100&cursor=${page.body.nextCursor}`);
  return page;
}

test('every operation whose answer has a sum is asked', () => {
  const withSums = app.composition.app.operations.filter((one) =>
    answerFields(one).some((field) => /(Exact|_exact)$/.test(field)),
  );
  expect(withSums.map(({ operationId }) => operationId).toSorted()).toEqual([...Object.keys(CALLS), ...OTHERS].toSorted());
});

test.each(Object.entries(CALLS))('%s answers with the digits beside a null', async (_operation, ask) => {
  const { status, text } = await ask();
  expect([status, text.slice(0, status < 300 ? 0 : 300)]).toEqual([status === 201 ? 201 : 200, '']);
  expect(text).toMatch(/"(\w+)" ?: ?null, ?"\1(?:Exact|_exact)" ?: ?"-?\d{14,}(\.\d\d)?"/);
});

describe('a file', () => {
  test.each([
    ['of a statement', () => `statements/${now.slice(0, 7)}/csv`],
    ['of a year', () => `tax-documents/${year}/csv`],
  ])('%s has the digits', async (_label, path) => {
    const answer = await client.get(`/api/v1/members/${top.id}/${path()}`);
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(/119999999999999\.88/);
  });

  test.each(['statements', 'tax-documents'])('as a PDF is made: %s', async (kind) => {
    const answer = await client.get(`/api/v1/members/${top.id}/${kind}/${kind === 'statements' ? now.slice(0, 7) : year}/pdf`);
    expect(answer.status).toBe(200);
  });
});

test('who is due more than can be paid is left out of the run, and everybody else is paid', async () => {
  const { body } = await client.get(`/api/v1/payout-runs/${runId}/blocked`);
  const own = (body.data as { userId: string; reason: string }[]).find(({ userId }) => userId === seller.id);
  expect(own?.reason).toBe('AMOUNT_NOT_PAYABLE');
  expect((await client.get(`/api/v1/payouts?runId=${runId}`)).body.data).toHaveLength(12);
});

test('the explanation of a sale is made', async () => {
  expect((await client.get(`/api/v1/events/${saleId}/explain`)).status).toBe(200);
});
