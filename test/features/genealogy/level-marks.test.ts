/** What a level tells of its rows beside their counts: who is active below, and commissions of this month (docs/specification/hierarchy.md#level-marks). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant({ currency: 'EUR', timeZone: 'Asia/Tokyo' });
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

const ROOTS = '/api/v1/members/roots';
const childrenOf = (id: string): string => `/api/v1/members/${id}/children`;
const fold = (name: string) => app.runSweep(name, { tenantId: tenant.tenantId, environment: 'LIVE' });

interface Row {
  userId: string;
  totalDownline: number;
  activeDownline: number;
  commissionsThisMonth?: { month: string; currency: string; totalAmount: number } | null;
}

async function rowsOf(path: string, by: ApiClient = client): Promise<Row[]> {
  const answer = await by.get(path);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data as Row[];
}

describe('who is active below', () => {
  const of = async (path: string): Promise<number[][]> =>
    (await rowsOf(path)).map(({ activeDownline, totalDownline }) => [activeDownline, totalDownline]);

  /** The same before and behind the fold, by each way of reading a level. */
  async function expectCounts(path: string, expected: number[][]): Promise<void> {
    for (const folded of [false, true]) {
      if (folded) await fold('fold-downline');
      expect(await of(path), `folded ${folded}`).toEqual(expected);
      for (const query of ['sort=-totalDownline', 'sort=name', 'q=example', 'q=example&sort=-totalDownline']) {
        const found = (await of(`${path}?${query}`)).map(String).toSorted();
        expect(found, `folded ${folded} by ${query}`).toEqual(expected.map(String).toSorted());
      }
    }
  }

  async function setActive(member: MemberBody, isActive: boolean): Promise<void> {
    const answer = await client.patch(`/api/v1/users/${member.id}`, { is_active: isActive });
    expect(answer.status, answer.text).toBe(200);
  }

  test('is exact as members join, leave, come back and move', async () => {
    const top = await client.newMember();
    const [ben, cleo] = [await client.newMember({ parent_id: top.id }), await client.newMember({ parent_id: top.id })];
    const dan = await client.newMember({ parent_id: ben.id });
    const eve = await client.newMember({ parent_id: dan.id, is_active: false });
    await expectCounts(childrenOf(top.id), [
      [1, 2],
      [0, 0],
    ]);
    await expectCounts(ROOTS, [[3, 4]]);
    // The member itself is not below itself.
    await setActive(ben, false);
    await setActive(dan, false);
    await expectCounts(childrenOf(top.id), [
      [0, 2],
      [0, 0],
    ]);
    await expectCounts(ROOTS, [[1, 4]]);
    await setActive(eve, true);
    await setActive(ben, true);
    await expectCounts(ROOTS, [[3, 4]]);
    expect((await client.post(`/api/v1/members/${dan.id}/sponsor`, { sponsorId: cleo.id })).status).toBe(200);
    await expectCounts(childrenOf(top.id), [
      [0, 0],
      [1, 2],
    ]);
    expect((await client.post(`/api/v1/members/${dan.id}/sponsor`, { sponsorId: null })).status).toBe(200);
    await expectCounts(ROOTS, [
      [2, 2],
      [1, 1],
    ]);
  });

  test('is told of these two operations alone', async () => {
    const top = await client.newMember();
    await client.newMember({ parent_id: top.id });
    for (const path of ['downline', 'upline', 'genealogy']) {
      expect((await client.get(`/api/v1/members/${top.id}/${path}`)).text).not.toContain('activeDownline');
    }
  });
});

describe('commissions of this month', () => {
  let top: MemberBody;
  let ben: MemberBody;
  let cleo: MemberBody;
  beforeEach(async () => {
    top = await client.newMember({ membership_tier: 'DIRECTOR' });
    ben = await client.newMember({ membership_tier: 'DIRECTOR', parent_id: top.id });
    cleo = await client.newMember({ membership_tier: 'DIRECTOR', parent_id: top.id });
  });

  async function sell(userId: string, fields: object = {}): Promise<{ commissions: { id: string; amount_minor: number }[] }> {
    const sale = client.purchaseBody({ currency: 'EUR', attribution: { user_id: userId }, amount_minor: 10_000, ...fields });
    const answer = await client.post('/api/v1/events/purchase', sale);
    expect(answer.status, answer.text).toBe(201);
    return answer.body as { commissions: { id: string; amount_minor: number }[] };
  }

  /** In Tokyo, as the database has it. */
  async function month(): Promise<{ name: string; begins: Date }> {
    const [row] = await app.database.asSuperuser(
      `select to_char(m.day, 'YYYY-MM') as name, m.day at time zone 'Asia/Tokyo' as begins
       from (select date_trunc('month', now() at time zone 'Asia/Tokyo') as day) m`,
    );
    return row as { name: string; begins: Date };
  }

  const earned = async (path: string, by: ApiClient = client) =>
    (await rowsOf(`${path}?with=commissions`, by)).map(({ commissionsThisMonth }) => commissionsThisMonth);

  test('are of each member alone, the present local month and the tenant’s currency, before and behind the fold', async () => {
    const { name, begins } = await month();
    const sum = (totalAmount: number) => ({ month: name, currency: 'EUR', totalAmount });
    const dan = await client.newMember({ parent_id: ben.id });
    await sell(ben.id); // 10 % to Ben, 5 % to the top
    await sell(dan.id, { amount_minor: 20_000, occurred_at: begins.toISOString() }); // the first instant: 5 % to Ben, 3 % to the top
    await sell(cleo.id, { occurred_at: new Date(begins.getTime() - 1_000).toISOString() });
    await sell(cleo.id, { currency: 'USD' });
    const [first] = await rowsOf(`${childrenOf(ben.id)}?with=commissions`);
    const dans = first?.commissionsThisMonth?.totalAmount ?? Number.NaN;
    const breakdown = async ({ id }: MemberBody): Promise<number> =>
      (await client.get(`/api/v1/members/${id}/commissions/breakdown?period=${name}`)).body.totalAmount as number;
    for (const folded of [false, true]) {
      if (folded) expect(await fold('fold-commissions')).toBeGreaterThan(0);
      expect(await earned(childrenOf(top.id)), `folded ${folded}`).toEqual([sum(20), sum(0)]);
      expect(await earned(childrenOf(ben.id))).toEqual([sum(dans)]);
      expect(await earned(ROOTS)).toEqual([sum(11)]);
      expect([await breakdown(ben), await breakdown(cleo), await breakdown(top)]).toEqual([20, 0, 11]);
    }
    // Folded and not yet folded together; what is taken back counts as it does in the breakdown.
    const { commissions } = await sell(cleo.id);
    expect(await earned(childrenOf(top.id))).toEqual([sum(20), sum(10)]);
    const voided = await client.post(`/api/v1/commissions/${commissions[0]?.id}/void`, { reason: 'by mistake' });
    expect(voided.status, voided.text).toBe(200);
    for (const folded of [false, true]) {
      if (folded) await fold('fold-commissions');
      expect(await earned(childrenOf(top.id)), `folded ${folded}`).toEqual([sum(20), sum(await breakdown(cleo))]);
    }
    expect(await breakdown(cleo)).toBe(0);
  });

  test('come with each order, filter and page, and only where they are asked for', async () => {
    await sell(cleo.id);
    for (const query of ['sort=-totalDownline', 'sort=name', 'q=example', 'q=example&sort=-totalDownline']) {
      const found = await rowsOf(`${childrenOf(top.id)}?with=commissions&${query}`);
      expect(
        found.map(({ commissionsThisMonth: sum }) => sum?.totalAmount).toSorted((a = 0, b = 0) => a - b),
        query,
      ).toEqual([0, 10]);
      for (const row of await rowsOf(`${childrenOf(top.id)}?${query}`)) expect(row).not.toHaveProperty('commissionsThisMonth');
    }
    const page = (await client.get(`${childrenOf(top.id)}?with=commissions&limit=1`)).body as { data: Row[]; nextCursor: string };
    const next = await rowsOf(`${childrenOf(top.id)}?with=commissions&limit=1&cursor=${encodeURIComponent(page.nextCursor)}`);
    expect([...page.data, ...next].map((row) => [row.userId, row.commissionsThisMonth?.totalAmount])).toEqual([
      [ben.id, 0],
      [cleo.id, 10],
    ]);
    expect(await rowsOf(`${childrenOf(ben.id)}?with=commissions`)).toEqual([]);
    expect((await client.get(`${ROOTS}?with=everything`)).status).toBe(400);
  });

  test('are null for a key without their scope, and for a bearer token', async () => {
    await sell(ben.id);
    const made = await client.post('/api/v1/admin/api-keys', { name: 'Tree', scopes: ['members:read'] });
    expect(made.status, made.text).toBe(201);
    const weak = apiClient(app, made.body.apiKey as string);
    expect(await earned(childrenOf(top.id), weak)).toEqual([null, null]);
    expect(await earned(ROOTS, weak)).toEqual([null]);
    const { accessToken } = await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, top.id);
    const own = await client.get(`${childrenOf(top.id)}?with=commissions`, { authorization: `Bearer ${accessToken}` });
    expect(own.status, own.text).toBe(200);
    expect((own.body.data as Row[]).map(({ commissionsThisMonth }) => commissionsThisMonth)).toEqual([null, null]);
  });

  test('past what a number holds are in digits, beside a null', async () => {
    const { name } = await month();
    await app.database.asSuperuser(
      `insert into commission_rollup (tenant_id, environment, member_id, currency, grain, bucket, source, status, level, amount_minor, lines)
       select $1, 'LIVE', $2, 'EUR', 'month', ($3 || '-01')::date, 'sales', 'paid', n, 999999999999999, 1 from generate_series(1, 2) n`,
      [tenant.tenantId, ben.id, name],
    );
    const sum = { month: name, currency: 'EUR', totalAmount: null, totalAmountExact: '19999999999999.98' };
    expect((await earned(childrenOf(top.id)))[0]).toEqual(sum);
  });

  test('are those of the tenant and the environment, by its clock', async () => {
    await sell(ben.id);
    const sandbox = apiClient(app, tenant.sandboxKey);
    const theirs = await app.newTenant({ currency: 'EUR', timeZone: 'Asia/Tokyo' });
    const [twin, stranger] = [
      await sandbox.newMember({ membership_tier: 'DIRECTOR' }),
      await apiClient(app, theirs.liveKey).newMember(),
    ];
    expect((await rowsOf(`${ROOTS}?with=commissions`, apiClient(app, theirs.liveKey))).map(({ userId }) => userId)).toEqual([
      stranger.id,
    ]);
    expect((await earned(ROOTS, apiClient(app, theirs.liveKey)))[0]?.totalAmount).toBe(0);
    const sale = sandbox.purchaseBody({ currency: 'EUR', attribution: { user_id: twin.id }, amount_minor: 10_000 });
    expect((await sandbox.post('/api/v1/events/purchase', sale)).status).toBe(201);
    const [before] = await earned(ROOTS, sandbox);
    expect(before?.totalAmount).toBe(10);
    expect((await sandbox.post('/api/v1/sandbox/clock', { advanceSeconds: 32 * 86_400 })).status).toBe(200);
    const [after] = await earned(ROOTS, sandbox);
    expect(after?.totalAmount).toBe(0);
    expect(after?.month).not.toBe(before?.month);
    expect((await earned(ROOTS))[0]?.totalAmount).toBe(5);
  });
});
