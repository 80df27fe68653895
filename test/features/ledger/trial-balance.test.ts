/** The trial balance: all accounts of one tenant and environment, summing to nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { credit, plantJournals, postJournals } from '../../support/money/ledger-books.ts';

let app: TestApp;
let tenant: TestTenant;
let scope: Scope;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  const [a, b] = [await client.newMember(), await client.newMember()];
  await postJournals(app, scope, [
    { recordedAt: '2025-01-01T00:00:00.500900Z', postings: [...credit(a.id, 100), ...credit(b.id, 40)] },
    {
      recordedAt: '2025-01-02T00:00:00Z',
      postings: [
        { account: 'member:pending', memberId: a.id, amountMinor: -100 },
        { account: 'member:cleared', memberId: a.id, amountMinor: 100 },
      ],
    },
    {
      recordedAt: '2025-01-03T00:00:00Z',
      postings: [
        ...credit(b.id, 5, 'member:paid_out', 'JPY'),
        { account: 'company:breakage', amountMinor: 3 },
        { account: 'fx_rounding', amountMinor: -3 },
      ],
    },
  ]);
});
afterAll(() => app.close());

interface TrialBalance {
  asOf: string;
  accounts: { account: string; currency: string; balanceMinor: number; postings: number }[];
  totals: { currency: string; balanceMinor: number }[];
}

async function trialBalance(query = '', by = client): Promise<TrialBalance> {
  const answer = await by.get(`/api/v1/admin/ledger/trial-balance${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const rows = ({ accounts }: TrialBalance): string[] =>
  accounts.map(({ account, currency, balanceMinor, postings }) => `${currency} ${account} ${balanceMinor} of ${postings}`);

test('every account with its balance and postings; members by kind; totals of zero', async () => {
  const answer = await trialBalance();
  expect(rows(answer)).toEqual([
    'JPY company:commission_expense -5 of 1',
    'JPY member:paid_out 5 of 1',
    'USD company:breakage 3 of 1',
    'USD company:commission_expense -140 of 2',
    'USD fx_rounding -3 of 1',
    'USD member:cleared 100 of 1',
    'USD member:pending 40 of 3',
  ]);
  expect(answer.totals).toEqual([
    { currency: 'JPY', balanceMinor: 0 },
    { currency: 'USD', balanceMinor: 0 },
  ]);
  expect(Math.abs(Date.parse(answer.asOf) - Date.now())).toBeLessThan(60_000);
});

test('at an instant: what was recorded by then', async () => {
  expect(rows(await trialBalance('?asOf=2025-01-01T00:00:00.499Z'))).toEqual([]);
  const first = await trialBalance('?asOf=2025-01-01T00:00:00.500Z');
  expect(first.asOf).toBe('2025-01-01T00:00:00.500Z');
  expect(rows(first)).toEqual(['USD company:commission_expense -140 of 2', 'USD member:pending 140 of 2']);
  expect(rows(await trialBalance('?asOf=2025-01-02T23:00:00Z'))).toContain('USD member:cleared 100 of 1');
  expect(rows(await trialBalance('?asOf=9999-01-01T00:00:00Z'))).toEqual(rows(await trialBalance()));
});

test('of one currency', async () => {
  const answer = await trialBalance('?currency=JPY&asOf=2025-01-03T00:00:00Z');
  expect(rows(answer)).toEqual(['JPY company:commission_expense -5 of 1', 'JPY member:paid_out 5 of 1']);
  expect(answer.totals).toEqual([{ currency: 'JPY', balanceMinor: 0 }]);
  expect(await trialBalance('?currency=CHF')).toMatchObject({ accounts: [], totals: [] });
});

test("nothing of another tenant's or the other environment's", async () => {
  for (const key of [tenant.sandboxKey, (await app.newTenant()).liveKey]) {
    expect(await trialBalance('', apiClient(app, key))).toMatchObject({ accounts: [], totals: [] });
  }
});

test('a ledger of many ranges is folded whole', async () => {
  const large = await app.newTenant();
  const of: Scope = { tenantId: large.tenantId, environment: 'LIVE' };
  await plantJournals(app, of, Array(8).fill(30_000));
  const whole = ['USD company:breakage 360000 of 120000', 'USD company:write_off -360000 of 120000'];
  const byLarge = apiClient(app, large.liveKey);
  expect(rows(await trialBalance('', byLarge))).toEqual(whole);
  expect(rows(await trialBalance('?asOf=2025-01-01T00:00:00Z', byLarge))).toEqual(whole);
});
