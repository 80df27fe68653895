/** GET /members/{userId}/referral-stats: docs/specification/hierarchy.md#referral-stats. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { payOut } from '../../support/money/pay-out.ts';
import { joinedAt, recountDownline } from '../../support/tree/downline-books.ts';

let app: TestApp;
let tenant: TestTenant;
let live: Scope;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  live = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

interface Performer {
  userId: string;
  referralCount: number;
  commissionGenerated: number;
}
interface Stats {
  totalReferrals: number;
  directReferrals: number;
  referralsThisMonth: number;
  conversionRate: number;
  totalCommissionFromReferrals: number;
  topPerformers: Performer[];
}

async function read(member: MemberBody | undefined, query = '', by = client): Promise<Stats> {
  const answer = await by.get(`/api/v1/members/${member?.id}/referral-stats${query}`);
  expect(answer.status).toBe(200);
  return answer.body as Stats;
}

const director = (parent?: MemberBody, fields: object = {}) =>
  client.newMember({ membership_tier: 'DIRECTOR', ...(parent && { parent_id: parent.id }), ...fields });

async function sell(
  by: MemberBody | undefined,
  amountMinor = 10_000,
  fields: object = {},
): Promise<{ external: string; lines: string[] }> {
  const { status, body } = await client.post(
    '/api/v1/events/purchase',
    client.purchaseBody({ attribution: { user_id: by?.id }, amount_minor: amountMinor, ...fields }),
  );
  expect(status).toBe(201);
  return { external: body.external_event_id, lines: (body.commissions as { id: string }[]).map(({ id }) => id) };
}

const refund = (external: string, amountMinor?: number) =>
  client.post('/api/v1/events/refund', {
    external_event_id: randomUUID(),
    purchase_external_event_id: external,
    amount_minor: amountMinor,
  });

const fold = () => app.runSweep('fold-commissions', live);

/** `id amount` of each performer. */
const ranking = ({ topPerformers }: Stats, names: Record<string, MemberBody | undefined>) =>
  topPerformers.map(({ userId, commissionGenerated }) => {
    const [name] = Object.entries(names).find(([, member]) => member?.id === userId) ?? [userId];
    return `${name} ${commissionGenerated}`;
  });

test('a member alone', async () => {
  const member = await client.newMember();
  expect(await read(member)).toEqual({
    totalReferrals: 0,
    directReferrals: 0,
    referralsThisMonth: 0,
    conversionRate: 0,
    totalCommissionFromReferrals: 0,
    topPerformers: [],
    currency: 'USD',
    timeZone: 'UTC',
  });
});

describe('the downline', () => {
  test('is counted in whole, its first level, and who joined this month', async () => {
    const [leaf, mid, top] = await newUpline(client, 'D D D');
    const second = await client.newMember({ parent_id: top?.id, is_active: false });
    await joinedAt(app, { [leaf?.id ?? '']: '2020-01-31T23:59:59Z' });
    await recountDownline(app, live);
    expect(await read(top)).toMatchObject({ totalReferrals: 3, directReferrals: 2, referralsThisMonth: 2 });
    expect(await read(mid)).toMatchObject({ totalReferrals: 1, directReferrals: 1, referralsThisMonth: 0 });
    expect(await read(second)).toMatchObject({ totalReferrals: 0, directReferrals: 0, referralsThisMonth: 0 });
  });

  test('counts what is not yet folded: who joins, and who leaves with a team', async () => {
    const [mid, top] = await newUpline(client, 'D D');
    await client.newMember({ parent_id: mid?.id });
    await recountDownline(app, live);
    const queue = (delta: number, sponsorDelta: number, joined: string | null) =>
      app.database.asSuperuser(
        `insert into downline_pending (tenant_id, environment, member_id, ancestor_ids, delta, active_delta, sponsor_id, sponsor_delta, joined_at)
         values ($1, 'LIVE', uuidv7(), array[$2, $3]::uuid[], $4, $4, $2, $5, ${joined})`,
        [tenant.tenantId, mid?.id, top?.id, delta, sponsorDelta],
      );
    await queue(1, 1, 'now()');
    await queue(1, 1, "'2020-01-01'");
    expect(await read(top)).toMatchObject({ totalReferrals: 4, directReferrals: 1, referralsThisMonth: 3 });
    expect(await read(mid)).toMatchObject({ totalReferrals: 3, directReferrals: 3, referralsThisMonth: 2 });
    expect((await read(top)).topPerformers).toMatchObject([{ userId: mid?.id, referralCount: 3 }]);
    await queue(-2, -1, "'2020-01-01'");
    expect(await read(mid)).toMatchObject({ totalReferrals: 1, directReferrals: 2, referralsThisMonth: 2 });
  });

  test('this month is the tenant’s, also while the counts are kept by the months of another zone', async () => {
    const [leaf, mid, top] = await newUpline(client, 'D D D');
    // The first instant of this month in Apia, and the last of the month before; in UTC both are of another month there.
    const [bounds] = await app.database.asSuperuser<{ first: string; before: string }>(
      `select m::text as first, (m - interval '1 millisecond')::text as before
       from (select date_trunc('month', now() at time zone 'Pacific/Apia') at time zone 'Pacific/Apia' as m) x`,
    );
    await joinedAt(app, { [mid?.id ?? '']: bounds?.first ?? '', [leaf?.id ?? '']: bounds?.before ?? '' });
    await app.database.asSuperuser("update tenant set reporting_time_zone = 'Pacific/Apia' where id = $1", [tenant.tenantId]);
    await recountDownline(app, live);
    expect(await read(top)).toMatchObject({ referralsThisMonth: 1, timeZone: 'Pacific/Apia' });
    await app.database.asSuperuser("update rollup_state set time_zone = 'UTC' where tenant_id = $1", [tenant.tenantId]);
    await app.database.asSuperuser('update downline_month set joined = 99 where tenant_id = $1', [tenant.tenantId]);
    expect(await read(top)).toMatchObject({ totalReferrals: 2, referralsThisMonth: 1 });
    expect(await read(mid)).toMatchObject({ referralsThisMonth: 0 });
  });

  test('in SANDBOX this month is that of its clock', async () => {
    const sandbox = apiClient(app, tenant.sandboxKey);
    const top = await sandbox.newMember();
    await sandbox.newMember({ parent_id: top.id });
    await recountDownline(app, { ...live, environment: 'SANDBOX' });
    expect(await read(top, '', sandbox)).toMatchObject({ totalReferrals: 1, referralsThisMonth: 1 });
    await sandbox.post('/api/v1/sandbox/clock', { advanceSeconds: 32 * 86_400 });
    expect(await read(top, '', sandbox)).toMatchObject({ totalReferrals: 1, referralsThisMonth: 0 });
  });
});

test('the conversion rate is of the leads credited to the member, half up to four decimals', async () => {
  const [member, other] = [await client.newMember(), await client.newMember()];
  const capture = async (code: string, convert: boolean) => {
    const email = `${randomUUID()}@lead.example`;
    expect((await client.post('/api/v1/leads/capture', { email, referral_code: code })).status).toBe(201);
    if (convert) await client.newMember({ email });
  };
  await capture(other.referral_code, true);
  await capture(member.referral_code, false);
  expect((await read(member)).conversionRate).toBe(0);
  for (let i = 0; i < 2; i++) await capture(member.referral_code, true);
  expect((await read(member)).conversionRate).toBe(0.6667);
  expect((await read(other)).conversionRate).toBe(1);
  // 1 of 16 is 0.0625; 1 of 32 is 0.03125, of which the last digit is a half.
  const bulk = (count: number) =>
    app.database.asSuperuser(
      `insert into lead (tenant_id, environment, email, referrer_user_id, conversion_status)
       select $1, 'LIVE', uuidv7() || '@x', $2, (array['captured', 'qualified', 'disqualified', 'expired'])[1 + n % 4] from generate_series(1, $3) n`,
      [tenant.tenantId, other.id, count],
    );
  await bulk(15);
  expect((await read(other)).conversionRate).toBe(0.0625);
  await bulk(16);
  expect((await read(other)).conversionRate).toBe(0.0313);
});

describe('commissions from the downline', () => {
  test('are those of level 2 and above, less what was taken back, folded or not', async () => {
    const [leaf, mid, top] = await newUpline(client, 'D D D');
    await sell(top); // 10.00 at level 1: nobody's referral
    const { external } = await sell(mid); // 5.00
    await sell(leaf); // 3.00
    const gone = await sell(leaf);
    const check = async (total: number) => {
      expect(await read(top)).toMatchObject({
        totalCommissionFromReferrals: total,
        topPerformers: [{ userId: mid?.id, commissionGenerated: total }],
      });
    };
    await check(11);
    await fold();
    await check(11);
    await refund(gone.external);
    await refund(external, 5_000);
    await check(5.5);
    await fold();
    await check(5.5);
    await client.post('/api/v1/events/commission', {
      external_event_id: randomUUID(),
      type: 'bonus',
      user_id: top?.id,
      amount_minor: 10_000,
      currency: 'USD',
      description: 'Bonus',
      actor: 'Kim',
    });
    await check(5.5);
    expect(await read(mid)).toMatchObject({
      totalCommissionFromReferrals: 5,
      topPerformers: [{ userId: leaf?.id, commissionGenerated: 5 }],
    });
  });

  test('of one currency', async () => {
    const [mid, top] = await newUpline(client, 'D D');
    await sell(mid, 5_004, { currency: 'JPY' });
    expect(await read(top)).toMatchObject({
      currency: 'USD',
      totalCommissionFromReferrals: 0,
      topPerformers: [{ commissionGenerated: 0 }],
    });
    expect(await read(top, '?currency=JPY')).toMatchObject({
      currency: 'JPY',
      totalCommissionFromReferrals: 250,
      topPerformers: [{ commissionGenerated: 250 }],
    });
  });

  test('stay in the total when the recruit they came through is another’s now; he is no performer here, and none there yet', async () => {
    const [mid, top] = await newUpline(client, 'D D');
    const other = await director();
    await sell(mid);
    for (const folded of [false, true]) {
      if (folded) await fold();
      const { status } = await client.post(`/api/v1/members/${mid?.id}/sponsor`, { sponsorId: folded ? top?.id : other.id });
      expect(status).toBe(200);
      expect(await read(top)).toMatchObject({
        totalCommissionFromReferrals: 5,
        topPerformers: folded ? [{ commissionGenerated: 5 }] : [],
      });
      expect((await read(other)).topPerformers).toMatchObject(folded ? [] : [{ userId: mid?.id, commissionGenerated: 0 }]);
    }
  });
});

describe('top performers', () => {
  test('ten of more, by amount, then by id, with what a recruit is shown with', async () => {
    const top = await director();
    const recruits: MemberBody[] = [];
    for (let i = 0; i < 13; i++) recruits.push(await director(top, i === 0 ? { name: 'Ann' } : {}));
    await newUpline(client, 'D D', recruits[0]);
    for (const [i, recruit] of recruits.entries()) await sell(recruit, 1_000 * (1 + (i % 5)));
    await recountDownline(app, live);
    const expected = recruits
      .map((recruit, i) => ({ recruit, cents: 50 * (1 + (i % 5)) }))
      .toSorted((a, b) => b.cents - a.cents || (a.recruit.id < b.recruit.id ? -1 : 1))
      .slice(0, 10)
      .map(({ recruit, cents }) => ({
        userId: recruit.id,
        email: recruit.email,
        name: null as string | null,
        givenName: null,
        surname: null,
        referralCount: 0,
        commissionGenerated: cents / 100,
      }));
    expect((await read(top)).topPerformers).toEqual(expected);
    await fold();
    expect((await read(top)).topPerformers).toEqual(expected);
    // Some folded, some not: the one of least becomes the best.
    await sell(recruits[0], 100_000);
    const { topPerformers } = await read(top);
    expect(topPerformers[0]).toEqual({
      ...expected[0],
      userId: recruits[0]?.id,
      email: recruits[0]?.email,
      name: 'Ann',
      referralCount: 1,
      commissionGenerated: 50.5,
    });
    expect(topPerformers.slice(1)).toEqual(expected.filter(({ userId }) => userId !== recruits[0]?.id).slice(0, 9));
  });

  test('those who generated nothing stand behind those who did and before those who cost', async () => {
    const top = await director();
    const [a, b, c, d] = [await director(top), await director(top), await director(top), await director(top)];
    const names = { a, b, c, d };
    expect(ranking(await read(top), names)).toEqual(['a 0', 'b 0', 'c 0', 'd 0']);
    await sell(c);
    const { external } = await sell(a);
    await refund(external); // nothing is left of it
    expect(ranking(await read(top), names)).toEqual(['c 5', 'a 0', 'b 0', 'd 0']);
    await fold();
    expect(ranking(await read(top), names)).toEqual(['c 5', 'a 0', 'b 0', 'd 0']);
    // Negative sums come from other books than these: planted.
    const cost = (minor: number) =>
      app.database.asSuperuser(
        `insert into commission_pending (tenant_id, environment, member_id, currency, occurred_at, source, status, level, leg_id, amount_minor, lines)
         values ($1, 'LIVE', $2, 'USD', now(), 'sales', 'cleared', 2, $3, $4, 1)`,
        [tenant.tenantId, top.id, b.id, minor],
      );
    await cost(-300);
    expect(ranking(await read(top), names)).toEqual(['c 5', 'a 0', 'd 0', 'b -3']);
    await fold();
    expect(ranking(await read(top), names)).toEqual(['c 5', 'a 0', 'd 0', 'b -3']);
    await cost(300);
    expect(ranking(await read(top), names)).toEqual(['c 5', 'a 0', 'b 0', 'd 0']);
  });

  test('ten without any commission are the first by id', async () => {
    const top = await director();
    const recruits: MemberBody[] = [];
    for (let i = 0; i < 12; i++) recruits.push(await client.newMember({ parent_id: top.id }));
    const { topPerformers } = await read(top);
    expect(topPerformers.map(({ userId }) => userId)).toEqual(recruits.map(({ id }) => id).slice(0, 10));
  });

  test('a payout does not change what a recruit generated', async () => {
    const [mid, top] = await newUpline(client, 'D D');
    const { external, lines } = await sell(mid);
    await payOut(app, lines);
    await fold();
    expect((await read(top)).topPerformers).toMatchObject([{ commissionGenerated: 5 }]);
    await refund(external);
    expect((await read(top)).topPerformers).toMatchObject([{ commissionGenerated: 0 }]);
  });
});

test('refused: an unknown currency, an unknown parameter, a malformed id, nobody', async () => {
  const { id } = await client.newMember();
  const path = `/api/v1/members/${id}/referral-stats`;
  expectRefusal(await client.get(`${path}?currency=qqq`), 400, 'VALIDATION_ERROR', ['currency']);
  expectRefusal(await client.get(`${path}?period=all`), 400, 'VALIDATION_ERROR', ['period']);
  expectRefusal(await client.get('/api/v1/members/me/referral-stats'), 400, 'VALIDATION_ERROR', ['userId']);
  expectRefusal(await client.get(`/api/v1/members/${randomUUID()}/referral-stats`), 404, 'USER_NOT_FOUND');
});
