/** A member's balances and ledger: folds of the postings at any instant, page by page or all at once. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { credit, postJournals } from '../../support/money/ledger-books.ts';

interface Balance {
  currency: string;
  pendingMinor: number;
  clearedMinor: number;
  processingMinor: number;
  paidMinor: number;
  totalMinor: number;
  owedMinor: number;
}

interface Entry {
  journalId: string;
  seq: number;
  causeType: string;
  causeId: string;
  account: 'pending' | 'cleared' | 'processing' | 'paid';
  amountMinor: number;
  currency: string;
  occurredAt: string;
  recordedAt: string;
  accountBalanceMinor: number;
  totalBalanceMinor: number;
}

let app: TestApp;
let tenant: TestTenant;
let scope: Scope;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant({ currency: 'EUR' });
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

async function balances(
  member: MemberBody,
  query = '',
  by = client,
): Promise<{ userId: string; asOf: string; balances: Balance[] }> {
  const answer = await by.get(`/api/v1/members/${member.id}/balances${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function entries(member: MemberBody, query = ''): Promise<{ data: Entry[]; hasMore: boolean; nextCursor: string | null }> {
  const answer = await client.get(`/api/v1/members/${member.id}/ledger${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function allEntries(member: MemberBody, limit: number, currency: string): Promise<Entry[]> {
  const found: Entry[] = [];
  for (let cursor = ''; ; ) {
    const page = await entries(member, `?currency=${currency}&limit=${limit}${cursor}`);
    expect(page.data.length).toBeLessThanOrEqual(limit);
    expect(page.hasMore).toBe(page.nextCursor !== null);
    if (page.hasMore) expect(page.data).toHaveLength(limit);
    found.push(...page.data);
    if (page.nextCursor === null) return found;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

const none = { pendingMinor: 0, clearedMinor: 0, processingMinor: 0, paidMinor: 0, totalMinor: 0, owedMinor: 0 };

describe('balances', () => {
  test('of a member without postings are zero in the currency of the tenant, now', async () => {
    const member = await client.newMember();
    const before = Date.now();
    const answer = await balances(member);
    expect(answer).toEqual({ userId: member.id, asOf: expect.any(String), balances: [{ currency: 'EUR', ...none }] });
    expect(Math.abs(Date.parse(answer.asOf) - before)).toBeLessThan(60_000);
  });

  test('are there for each currency with postings, in order, beside that of the tenant', async () => {
    const member = await client.newMember();
    await postJournals(app, scope, [
      { postings: [...credit(member.id, 7, 'member:pending', 'USD'), ...credit(member.id, 5, 'member:processing', 'CHF')] },
      { postings: [...credit(member.id, 30, 'member:cleared', 'USD'), ...credit(member.id, -100, 'member:cleared', 'CHF')] },
      { postings: credit(member.id, 11, 'member:paid_out', 'USD') },
    ]);
    expect((await balances(member)).balances).toEqual([
      { ...none, currency: 'CHF', clearedMinor: -100, processingMinor: 5, totalMinor: -95, owedMinor: 100 },
      { ...none, currency: 'EUR' },
      { ...none, currency: 'USD', pendingMinor: 7, clearedMinor: 30, paidMinor: 11, totalMinor: 48 },
    ]);
  });

  test("what a member owes is the cleared account's alone: something pending does not lessen it", async () => {
    const member = await client.newMember();
    await postJournals(app, scope, [
      {
        postings: [...credit(member.id, 500), ...credit(member.id, -20, 'member:cleared')].map((row) => ({
          ...row,
          currency: 'EUR',
        })),
      },
    ]);
    expect((await balances(member)).balances[0]).toMatchObject({ clearedMinor: -20, totalMinor: 480, owedMinor: 20 });
  });

  test('at an instant count what was recorded by then, to the millisecond that answers show', async () => {
    const member = await client.newMember();
    const at = (micros: string) => `2025-03-01T12:00:00.${micros}Z`;
    await postJournals(app, scope, [
      { recordedAt: at('123000'), postings: credit(member.id, 1, 'member:pending', 'EUR') },
      { recordedAt: at('123999'), postings: credit(member.id, 10, 'member:pending', 'EUR') },
      { recordedAt: at('124000'), postings: credit(member.id, 100, 'member:pending', 'EUR') },
    ]);
    const pendingAt = async (asOf: string) => {
      const answer = await balances(member, `?asOf=${encodeURIComponent(asOf)}`);
      expect(Date.parse(answer.asOf)).toBe(Date.parse(asOf));
      return answer.balances.map(({ currency, pendingMinor }) => `${pendingMinor} ${currency}`);
    };
    expect(await pendingAt(at('122'))).toEqual(['0 EUR']);
    expect(await pendingAt(at('123'))).toEqual(['11 EUR']);
    expect(await pendingAt('2025-03-01T14:00:00.123+02:00')).toEqual(['11 EUR']);
    expect(await pendingAt(at('124'))).toEqual(['111 EUR']);
    expect(await pendingAt('0001-01-01T00:00:00Z')).toEqual(['0 EUR']);
    const { data } = await entries(member);
    for (const entry of data) {
      const { balances: then } = await balances(member, `?asOf=${entry.recordedAt}`);
      expect(then[0]?.totalMinor).toBeGreaterThanOrEqual(entry.totalBalanceMinor);
    }
  });

  test('of the future are those of the present, and say so', async () => {
    const member = await client.newMember();
    await postJournals(app, scope, [{ postings: credit(member.id, 9, 'member:pending', 'EUR') }]);
    const answer = await balances(member, '?asOf=9999-12-31T00:00:00Z');
    expect(answer.balances[0]?.pendingMinor).toBe(9);
    expect(Date.parse(answer.asOf)).toBeLessThan(Date.now() + 60_000);
  });

  test("in SANDBOX the present is the tenant's clock", async () => {
    const sandbox = apiClient(app, tenant.sandboxKey);
    const member = await sandbox.newMember();
    const of: Scope = { ...scope, environment: 'SANDBOX' };
    await postJournals(app, of, [
      { recordedAt: '2031-05-01T00:00:00Z', postings: credit(member.id, 9, 'member:pending', 'EUR') },
    ]);
    await app.database.asSuperuser(
      `insert into sandbox_clock (tenant_id, environment, frozen_at) values ($1, 'SANDBOX', '2031-06-01T00:00:00Z')`,
      [tenant.tenantId],
    );
    expect(await balances(member, '', sandbox)).toMatchObject({
      asOf: '2031-06-01T00:00:00.000Z',
      balances: [{ pendingMinor: 9 }],
    });
    expect(await balances(member, '?asOf=2031-04-30T00:00:00Z', sandbox)).toMatchObject({ balances: [{ pendingMinor: 0 }] });
    expect(await balances(member, '?asOf=2040-01-01T00:00:00Z', sandbox)).toMatchObject({ asOf: '2031-06-01T00:00:00.000Z' });
  });
});

describe('a member that is not there', () => {
  test.each(['balances', 'ledger'])('%s: absent, of another tenant, of the other environment', async (what) => {
    const stranger = apiClient(app, (await app.newTenant()).liveKey);
    const foreign = [await stranger.newMember(), await apiClient(app, tenant.sandboxKey).newMember(), { id: randomUUID() }];
    for (const { id } of foreign) {
      const answer = await client.get(`/api/v1/members/${id}/${what}`);
      expect([answer.status, answer.body.code]).toEqual([404, 'USER_NOT_FOUND']);
    }
    expect((await client.get(`/api/v1/members/not-a-uuid/${what}`)).status).toBe(400);
  });
});

describe('the ledger of a member', () => {
  test('shows each entry with the balances after it', async () => {
    const member = await client.newMember();
    const other = await client.newMember();
    const [first = '', second = ''] = await postJournals(app, scope, [
      {
        causeType: 'clearing',
        occurredAt: '2025-01-01T00:00:00Z',
        recordedAt: '2025-01-02T00:00:00Z',
        postings: [...credit(other.id, 4, 'member:pending', 'EUR'), ...credit(member.id, 100, 'member:pending', 'EUR')],
      },
      {
        causeType: 'hold',
        postings: [
          { account: 'member:pending', memberId: member.id, currency: 'EUR', amountMinor: -60 },
          { account: 'member:cleared', memberId: member.id, currency: 'EUR', amountMinor: 50 },
          { account: 'member:paid_out', memberId: member.id, currency: 'EUR', amountMinor: 10 },
          ...credit(member.id, 999, 'member:pending', 'USD'),
        ],
      },
    ]);
    const { data, hasMore, nextCursor } = await entries(member);
    expect([hasMore, nextCursor]).toEqual([false, null]);
    expect(data[0]).toEqual({
      journalId: first,
      seq: 3,
      causeType: 'clearing',
      causeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      account: 'pending',
      amountMinor: 100,
      currency: 'EUR',
      occurredAt: '2025-01-01T00:00:00.000Z',
      recordedAt: '2025-01-02T00:00:00.000Z',
      accountBalanceMinor: 100,
      totalBalanceMinor: 100,
    });
    const short = ({ journalId, seq, account, amountMinor, accountBalanceMinor, totalBalanceMinor }: Entry) => [
      journalId === second ? 'second' : 'first',
      seq,
      account,
      amountMinor,
      accountBalanceMinor,
      totalBalanceMinor,
    ];
    expect(data.slice(1).map(short)).toEqual([
      ['second', 0, 'pending', -60, 40, 40],
      ['second', 1, 'cleared', 50, 50, 90],
      ['second', 2, 'paid', 10, 10, 100],
    ]);
    expect((await entries(member, '?currency=USD')).data.map(short)).toEqual([['second', 4, 'pending', 999, 999, 999]]);
    expect((await entries(member, '?currency=JPY')).data).toEqual([]);
    expect((await entries(await client.newMember())).data).toEqual([]);
  });

  test('a cursor is good for its member and currency only, and cannot be made', async () => {
    const [member, other] = [await client.newMember(), await client.newMember()];
    for (const { id } of [member, other]) {
      await postJournals(
        app,
        scope,
        [1, 2, 3].map((n) => ({ postings: credit(id, n, 'member:pending', 'EUR') })),
      );
    }
    const { nextCursor } = await entries(member, '?limit=1');
    const refused = [
      `${other.id}/ledger?limit=1&cursor=${nextCursor}`,
      `${member.id}/ledger?limit=1&currency=USD&cursor=${nextCursor}`,
      `${member.id}/ledger?limit=1&cursor=${Buffer.from(`${randomUUID()} 0 0 0 0 0`).toString('base64url')}`,
    ];
    for (const path of refused) {
      const answer = await client.get(`/api/v1/members/${path}`);
      expect([answer.status, answer.body.details?.fields?.[0]?.field], path).toEqual([400, 'cursor']);
    }
    expect((await entries(member, `?limit=2&cursor=${nextCursor}`)).data.map((entry) => entry.totalBalanceMinor)).toEqual([3, 6]);
  });
});

const START = Date.parse('2025-06-01T00:00:00Z');
const ACCOUNTS = ['pending', 'cleared', 'processing', 'paid'] as const;
const posted = fc.record({
  minute: fc.nat(50),
  rows: fc.array(
    fc.record({
      account: fc.nat(3),
      amountMinor: fc.integer({ min: -1_000, max: 1_000 }).filter((n) => n !== 0),
      euro: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

test('property: a balance is the fold at any instant, and pages of any size make one list that ends in it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(posted, { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(55), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 7 }),
      async (journals, instants, limit) => {
        const member = await client.newMember();
        const accountOf = (index: number) => (index === 3 ? 'member:paid_out' : `member:${ACCOUNTS[index]}`);
        await postJournals(
          app,
          scope,
          journals.map(({ minute, rows }) => ({
            recordedAt: new Date(START + minute * 60_000).toISOString(),
            postings: rows.flatMap((row) => credit(member.id, row.amountMinor, accountOf(row.account), row.euro ? 'EUR' : 'USD')),
          })),
        );
        const fold = (until: number, currency: string): number[] =>
          ACCOUNTS.map((_, index) =>
            journals
              .filter(({ minute }) => minute <= until)
              .flatMap(({ rows }) => rows)
              .filter((row) => row.account === index && row.euro === (currency === 'EUR'))
              .reduce((sum, row) => sum + row.amountMinor, 0),
          );
        const numbers = (b: Balance): number[] => [b.pendingMinor, b.clearedMinor, b.processingMinor, b.paidMinor];
        for (const minute of instants) {
          const asOf = new Date(START + minute * 60_000).toISOString();
          for (const balance of (await balances(member, `?asOf=${asOf}`)).balances) {
            expect(numbers(balance)).toEqual(fold(minute, balance.currency));
            expect(balance.totalMinor).toBe(numbers(balance).reduce((a, b) => a + b));
            expect(balance.owedMinor).toBe(Math.max(0, -balance.clearedMinor));
          }
        }
        const present = await balances(member);
        for (const currency of ['EUR', 'USD']) {
          const paged = await allEntries(member, limit, currency);
          expect(paged).toEqual((await entries(member, `?limit=100&currency=${currency}`)).data);
          const now = present.balances.find((balance) => balance.currency === currency);
          expect(paged.at(-1)?.totalBalanceMinor ?? 0).toBe(now?.totalMinor ?? 0);
          const last = ACCOUNTS.map((account) => paged.findLast((entry) => entry.account === account)?.accountBalanceMinor ?? 0);
          expect(last).toEqual(now ? numbers(now) : [0, 0, 0, 0]);
        }
      },
    ),
    { numRuns: 25 },
  );
});

test("the balances are those of the member's status", async () => {
  const dollars = apiClient(app, (await app.newTenant()).liveKey);
  const member = await dollars.newMember();
  await dollars.post('/api/v1/events/purchase', dollars.purchaseBody({ attribution: { user_id: member.id } }));
  const { body: status } = await dollars.get(`/api/v1/users/status?user_id=${member.id}`);
  const [balance] = (await balances(member, '', dollars)).balances;
  expect(status.commission_balance).toMatchObject({ pending: 10, total: 10 });
  expect(balance).toMatchObject({ currency: 'USD', pendingMinor: 1_000, totalMinor: 1_000 });
});
