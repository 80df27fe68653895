/** What the frame reads with a token: the member's own figures as the API has them, page by page, and what it may change. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { payOut } from '../../support/money/pay-out.ts';
import { beginWidget, type Frame, frameWith } from '../../support/widget/widget-session.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let ann: MemberBody;
let frame: Frame;
/** Of the purchases credited to her, the first paid out. */
let lines: { id: string; user_id: string; amount_minor: number }[];

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  await settings({ referrals: { allowedDestinationHosts: ['shop.example'] } });
  ann = await client.newMember({ name: 'Ann Alder', membership_tier: 'DIRECTOR' });
  lines = [await sale(10_000), await sale(33_333)].flat();
  await payOut(
    app,
    lines.slice(0, 1).map(({ id }) => id),
  );
  frame = await frameOf(ann.id);
});
afterAll(() => app.close());

async function settings(change: object): Promise<void> {
  const answer = await client.patch('/api/v1/admin/settings', change);
  expect(answer.status, answer.text).toBe(200);
}

async function sale(amount_minor: number, fields: object = {}) {
  const answer = await client.post(
    '/api/v1/events/purchase',
    client.purchaseBody({ amount_minor, attribution: { user_id: ann.id }, ...fields }),
  );
  expect(answer.status, answer.text).toBe(201);
  return (answer.body.commissions as typeof lines).filter((line) => line.user_id === ann.id);
}

const frameOf = async (memberId: string, fields: object = {}): Promise<Frame> =>
  frameWith(app, (await beginWidget(client, memberId, fields)).widgetToken);

// biome-ignore lint/suspicious/noExplicitAny: as supertest has bodies
async function read(path: string, of = frame): Promise<any> {
  const answer = await of.get(path);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-environment': 'LIVE' });
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  return answer.body;
}

const usd = (minor: number) => ({ amount: (minor / 100).toFixed(2), currency: 'USD' });
const [first, second] = [() => lines[0]?.amount_minor ?? 0, () => lines[1]?.amount_minor ?? 0];

describe('the pages of a session', () => {
  test.each(['summary', 'links', 'earnings', 'team'])('%s alone is read by a session that shows nothing else', async (scope) => {
    const narrow = await frameOf(ann.id, { scopes: [scope] });
    expect((await narrow.get('/session')).body.scopes).toEqual([scope]);
    for (const page of ['summary', 'links', 'earnings', 'team']) {
      const answer = await narrow.get(`/${page}`);
      if (page === scope) expect(answer.status, answer.text).toBe(200);
      else expectRefusal(answer, 403, 'FORBIDDEN');
    }
    if (scope !== 'earnings') expectRefusal(await narrow.get(`/earnings/${lines[0]?.id}`), 403, 'FORBIDDEN');
    if (scope === 'links') return;
    expectRefusal(await narrow.post('/links', { destinationUrl: 'https://shop.example/' }), 403, 'FORBIDDEN');
    expectRefusal(await narrow.post(`/links/${randomUUID()}`, { status: 'disabled' }), 403, 'FORBIDDEN');
    expectRefusal(await narrow.get(`/links/${randomUUID()}/qr`), 403, 'FORBIDDEN');
  });

  test.each([
    '/session?x=1',
    '/links?limit=5',
    '/summary?x=1',
    '/links?x=1',
    '/earnings?limit=1000',
    '/team?userId=1',
    '/links?cursor=x',
    '/earnings?cursor=x',
  ])('%s is refused: nothing but what is known may be asked', async (path) => {
    expectRefusal(await frame.get(path), 400, 'VALIDATION_ERROR');
  });

  test('are asked by GET, and no other way', async () => {
    expectRefusal(await frame.post('/summary', {}), 405, 'METHOD_NOT_ALLOWED');
  });
});

describe('the session', () => {
  test('has the theme of the host page over its own, and refuses what is none', async () => {
    const themed = await frameOf(ann.id, { theme: { accent: '#ffff00', corner: 2 } });
    const given = encodeURIComponent(JSON.stringify({ corner: 20, mode: 'dark' }));
    const { theme } = await read(`/session?theme=${given}`, themed);
    expect(theme).toMatchObject({ corner: 20, mode: 'dark', dark: { accent: '#ffff00', onAccent: '#000000' } });
    for (const bad of ['{', '[]', '"red"', '{"accent":"red"}', '{"css":"x"}', '{"accent":"#fff;x:y"}']) {
      expectRefusal(await themed.get(`/session?theme=${encodeURIComponent(bad)}`), 400, 'VALIDATION_ERROR', ['theme']);
    }
  });
});

describe('the summary', () => {
  test('has the balances by status, and what a payout run would do', async () => {
    const body = await read('/summary');
    expect(body).toMatchObject({
      timeZone: 'UTC',
      balances: [
        { currency: 'USD', pending: usd(second()), cleared: usd(0), processing: usd(0), paid: usd(first()), owed: usd(0) },
      ],
      payouts: [{ currency: 'USD', due: usd(0), state: 'nothing_due' }],
      lastPaid: { amount: usd(first()) },
    });
  });
});

describe('the earnings', () => {
  test('are those of the API, with the last twelve months', async () => {
    const body = await read('/earnings');
    expect(body).toMatchObject({
      currency: 'USD',
      total: usd(first() + second()),
      byStatus: { pending: usd(second()), paid: usd(first()), cleared: usd(0), processing: usd(0) },
      nextCursor: null,
    });
    const months = body.months as { month: string; amount: object; count: number }[];
    expect(months).toHaveLength(12);
    const present = new Date().toISOString().slice(0, 7);
    expect(months.at(-1)).toEqual({ month: present, amount: usd(first() + second()), count: 2 });
    expect(months.map(({ month }) => month)).toEqual(months.map(({ month }) => month).toSorted());
    expect((body.lines as { id: string }[]).map(({ id }) => id)).toEqual([lines[1]?.id, lines[0]?.id]);
    expect(body.lines[0]).toMatchObject({
      amount: usd(second()),
      status: 'pending',
      kind: 'commission',
      level: 1,
      holdCause: null,
    });
    expect(await read('/earnings?currency=usd')).toEqual(body);
    const elsewhere = await read('/earnings?currency=EUR&month=2001-01');
    expect(elsewhere).toMatchObject({ currency: 'EUR', total: { amount: '0.00', currency: 'EUR' }, lines: [] });
  });

  test('go on behind a cursor, each line once', async () => {
    const before = ann;
    ann = await client.newMember({ name: 'Many Lines' });
    for (let times = 0; times < 23; times++) await sale(1_000 + times);
    const many = await frameOf(ann.id);
    ann = before;
    const page = await read('/earnings', many);
    const rest = await read(`/earnings?cursor=${encodeURIComponent(page.nextCursor)}`, many);
    const ids = [page, rest].flatMap(({ lines: listed }) => (listed as { id: string }[]).map(({ id }) => id));
    expect(page.lines).toHaveLength(20);
    expect(new Set(ids).size).toBe(23);
    expect(rest.nextCursor).toBeNull();
  });

  test('of a line say how it came about, in sums, and of others by their level alone', async () => {
    const body = await read(`/earnings/${lines[1]?.id}`);
    expect(body).toMatchObject({
      line: { id: lines[1]?.id, amount: usd(second()) },
      base: usd(33_333),
      shares: [{ paidLevel: 1, rounded: usd(second()), amount: usd(second()), conversion: null }],
      recomputed: true,
      net: usd(second()),
      linked: [],
      actions: [],
    });
    for (const verdict of body.verdicts as object[]) {
      expect(Object.keys(verdict).toSorted()).toEqual(['level', 'own', 'qualified', 'reason']);
    }
  });

  test('show what was taken back', async () => {
    const [line] = await sale(20_000, { external_event_id: 'to be refunded' });
    const refund = {
      external_event_id: 'the refund',
      purchase_external_event_id: 'to be refunded',
      amount_minor: 20_000,
      currency: 'USD',
    };
    expect((await client.post('/api/v1/events/refund', refund)).status).toBe(201);
    const body = await read(`/earnings/${line?.id}`);
    expect(body.net).toEqual(usd(0));
    expect(body.linked).toHaveLength(1);
  });
});

describe('the links', () => {
  test('are made with an own slug, counted, switched off and on, and drawn', async () => {
    const slug = `ann-${randomUUID().slice(0, 8)}`;
    const made = await frame.post('/links', { destinationUrl: 'https://shop.example/spring', slug, name: 'Spring' });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      slug,
      name: 'Spring',
      destinationUrl: 'https://shop.example/spring',
      status: 'active',
      clicks: 0,
    });
    const { id } = made.body;
    const listed = await read('/links');
    expect(listed).toMatchObject({
      code: ann.referral_code,
      canCreate: true,
      destinationHosts: ['shop.example'],
      links: [made.body],
    });
    const off = await frame.post(`/links/${id}`, { status: 'disabled' });
    expect(off.body).toMatchObject({ id, status: 'disabled' });
    const qr = await frame.get(`/links/${id}/qr`);
    expect(qr.status).toBe(200);
    expect(qr.headers['content-type']).toContain('image/svg+xml');
    expect(String(qr.body)).toMatch(/^<svg /);
    const { body: log } = await client.get('/api/v1/admin/audit-logs?objectKind=referral_link');
    for (const { actor } of log.data) expect(actor).toMatchObject({ kind: 'member', id: ann.id });
    expect(log.data.length).toBeGreaterThan(0);
  });

  test('that are wrong are told by the names of their fields', async () => {
    const slug = `taken-${randomUUID().slice(0, 8)}`;
    const make = (fields: object) => frame.post('/links', { destinationUrl: 'https://shop.example/', ...fields });
    expect((await make({ slug })).status).toBe(201);
    expectRefusal(await make({ slug }), 409, 'CODE_TAKEN');
    expectRefusal(await make({ destinationUrl: 'https://evil.example/' }), 400, 'VALIDATION_ERROR', ['destinationUrl']);
    expectRefusal(await make({ destinationUrl: undefined }), 400, 'VALIDATION_ERROR', ['destinationUrl']);
    expectRefusal(await make({ slug: 'Not A Slug' }), 400, 'VALIDATION_ERROR', ['slug']);
    expectRefusal(await make({ user_id: randomUUID() }), 400, 'VALIDATION_ERROR', ['user_id']);
    expectRefusal(await make({ name: 'x\u0000y' }), 400, 'VALIDATION_ERROR');
    expectRefusal(
      await frame.post(`/links/${randomUUID()}`, { destinationUrl: 'https://shop.example/' }),
      400,
      'VALIDATION_ERROR',
    );
    const answer = await app.http.post('/widget/links').set('authorization', 'Bearer x').send('{');
    expectRefusal(answer, 401, 'INVALID_TOKEN');
  });

  test('sent twice with one Idempotency-Key are made once', async () => {
    const { widgetToken } = await beginWidget(client, ann.id);
    const send = () =>
      app.http
        .post('/widget/links')
        .set({ authorization: `Bearer ${widgetToken}`, 'idempotency-key': 'one-click-of-hers' })
        .send({ destinationUrl: 'https://shop.example/once' });
    const [one, two] = [await send(), await send()];
    expect(one.status, one.text).toBe(201);
    expect(two.body).toEqual(one.body);
  });
});

describe('the team', () => {
  let top: MemberBody;
  let team: Frame;
  beforeAll(async () => {
    top = await client.newMember({ name: 'Top Person' });
    await client.newMember({ parent_id: top.id, name: 'Bea Birch', email: 'bea@secret.example' });
    const carl = await client.newMember({ parent_id: top.id, name: 'Carl', is_active: false });
    await client.newMember({ parent_id: carl.id, name: 'Below Them' });
    team = await frameOf(top.id);
  });

  test.each(['full', 'masked', 'counts'])('shows as much as the tenant allows: %s', async (downlineVisibility) => {
    await settings({ members: { downlineVisibility } });
    const body = await read('/team', team);
    expect(body).toMatchObject({
      visibility: downlineVisibility,
      direct: 2,
      total: 3,
      active: 2,
      newThisMonth: 3,
      earned: usd(0),
    });
    expect(JSON.stringify(body)).not.toMatch(/Birch|secret\.example|Below Them/);
    if (downlineVisibility === 'counts') expect(body.members).toBeNull();
    else {
      expect(body.members).toMatchObject([
        { name: 'Bea B.', isActive: true, directReferrals: 0, totalDownline: 0 },
        { name: 'Carl', isActive: false, directReferrals: 1, totalDownline: 1 },
      ]);
    }
  });
});
