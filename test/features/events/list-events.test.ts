/**
 * GET /events: every filter, half-open times, cursors that hold while events come in
 * (docs/specification/events.md#reading, docs/specification/conventions.md#lists).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { newUpline } from '../../support/money/model-upline.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let members: MemberBody[];
/** Event ids by external id. */
const ids = new Map<string, string>();

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  members = [...(await newUpline(client, 'D')), ...(await newUpline(client, 'D'))];
  const [ann, bob] = members;
  const purchase = { kind: 'purchase', amount_minor: 10_000, currency: 'USD', customer: { external_id: 'c1' } };
  const of = (member: MemberBody | undefined) => ({ attribution: { user_id: member?.id } });
  const by = { description: 'd', actor: 'a' };
  const events = [
    { ...purchase, ...of(ann), external_event_id: 'p1', occurred_at: '2026-03-01T00:00:00Z' },
    { ...purchase, ...of(bob), external_event_id: 'p2', occurred_at: '2026-03-01T00:00:00.001Z', type: 'subscription_initial' },
    { ...purchase, ...of(bob), external_event_id: 'p3', occurred_at: '2026-03-02T00:00:00Z', type: 'subscription_renewal' },
    { ...purchase, external_event_id: 'p4', occurred_at: '2026-02-28T23:59:59.999Z', customer: { external_id: 'c2' } },
    { ...purchase, ...of(ann), external_event_id: 'p5', occurred_at: '2026-04-01T00:00:00Z', currency: 'EUR' },
    {
      kind: 'refund',
      external_event_id: 'r1',
      purchase_external_event_id: 'p1',
      amount_minor: 10,
      occurred_at: '2026-03-05T00:00:00Z',
    },
    { kind: 'refund', external_event_id: 'r3', purchase_external_event_id: 'p3', occurred_at: '2026-03-06T00:00:00Z' },
    { kind: 'chargeback', external_event_id: 'd1', purchase_external_event_id: 'p1', dispute_id: 'd', stage: 'opened' },
    { kind: 'commission', external_event_id: 'm1', type: 'bonus', user_id: ann?.id, amount_minor: 5, currency: 'USD', ...by },
    {
      kind: 'commission',
      external_event_id: 'm2',
      type: 'adjustment',
      user_id: bob?.id,
      amount_minor: -5,
      currency: 'JPY',
      ...by,
    },
  ];
  const { body } = await client.post('/api/v1/events/batch', { events });
  for (const result of body.results) ids.set(result.external_event_id, result.body.event_id);
  expect(body).toMatchObject({ recorded: 10, failed: 0 });
});
afterAll(() => app.close());

interface EventBody {
  event_id: string;
  external_event_id: string;
}

async function list(query: string, as: ApiClient = client): Promise<EventBody[]> {
  const answer = await as.get(`/api/v1/events?limit=100&${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.data;
}
const named = async (query: string) => (await list(query)).map((event) => event.external_event_id).join(' ');

describe('filters', () => {
  test.each([
    ['', 'p1 p2 p3 p4 p5 r1 r3 d1 m1 m2'],
    ['kind=purchase', 'p1 p2 p3 p4 p5'],
    ['kind=refund', 'r1 r3'],
    ['kind=chargeback', 'd1'],
    ['kind=commission', 'm1 m2'],
    ['type=one_time', 'p1 p4 p5'],
    ['type=subscription_renewal', 'p3'],
    ['type=bonus', 'm1'],
    ['type=write_off', ''],
    ['kind=commission&type=one_time', ''],
    ['status=unattributed', 'p4'],
    ['status=accepted', 'p1 p2 p3 p5 r1 r3 d1 m1 m2'],
    ['status=held', ''],
    ['currency=EUR', 'p5'],
    ['currency=JPY', 'm2'],
    ['currency=CHF', ''],
    ['customer_external_id=c2', 'p4'],
    ['customer_external_id=c1&currency=USD', 'p1 p2 p3'],
    ['customer_external_id=C1', ''],
    ['customer_external_id=%27%20or%201%3D1--', ''],
    ['occurred_from=2026-03-01T00:00:00Z&kind=purchase', 'p1 p2 p3 p5'],
    ['occurred_to=2026-03-01T00:00:00Z', 'p4'],
    ['occurred_from=2026-03-01T00:00:00Z&occurred_to=2026-03-02T00:00:00Z', 'p1 p2'],
    ['occurred_from=2026-03-01T00:00:00.001Z&occurred_to=2026-03-02T00:00:00.001Z', 'p2 p3'],
    ['occurred_from=2026-03-01T01:00:00%2B01:00&occurred_to=2026-02-28T19:00:00.001-05:00', 'p1'],
    ['occurred_from=2026-03-02T00:00:00Z&occurred_to=2026-03-02T00:00:00Z', ''],
    ['occurred_from=2026-03-02T00:00:00Z&occurred_to=2026-03-01T00:00:00Z', ''],
  ])('%s: %s', async (query, expected) => {
    expect(await named(query)).toBe(expected);
  });

  test('user_id: what the member is credited with', async () => {
    expect(await named(`user_id=${members[0]?.id}`)).toBe('p1 p5 m1');
    expect(await named(`user_id=${members[1]?.id?.toUpperCase()}&kind=purchase`)).toBe('p2 p3');
  });

  test('purchase_event_id: what took it back', async () => {
    expect(await named(`purchase_event_id=${ids.get('p1')}`)).toBe('r1 d1');
    expect(await named(`purchase_event_id=${ids.get('p1')}&kind=refund`)).toBe('r1');
    expect(await named(`purchase_event_id=${ids.get('r1')}`)).toBe('');
  });

  test('each row is the event as it reads alone', async () => {
    for (const row of await list('')) {
      expect((await client.get(`/api/v1/events/${row.event_id}`)).body).toEqual(row);
    }
  });

  test('of another tenant or environment there is nothing, not even by its ids', async () => {
    const stranger = apiClient(app, (await app.newTenant()).liveKey);
    for (const other of [stranger, apiClient(app, tenant.sandboxKey)]) {
      const queries = ['', `user_id=${members[0]?.id}`, `purchase_event_id=${ids.get('p1')}`, 'customer_external_id=c1'];
      for (const query of queries) expect(await list(query, other)).toEqual([]);
    }
  });

  test('sort: the latest recorded first, with any filter, and a cursor of its own', async () => {
    expect(await named('sort=recorded_at')).toBe(await named(''));
    for (const filter of ['', 'kind=purchase&', 'customer_external_id=c1&', `user_id=${members[0]?.id}&`]) {
      const forwards = (await named(filter)).split(' ');
      expect((await named(`${filter}sort=-recorded_at`)).split(' ')).toEqual(forwards.toReversed());
    }
    const paged: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 20; pages++) {
      const { body } = await client.get(`/api/v1/events?limit=3&sort=-recorded_at${cursor}`);
      paged.push(...body.data.map((event: EventBody) => event.external_event_id));
      if (!body.has_more) break;
      cursor = `&cursor=${body.next_cursor}`;
      const otherWay = await client.get(`/api/v1/events?limit=3${cursor}`);
      expectRefusal(otherWay, 400, 'VALIDATION_ERROR', ['cursor']);
    }
    expect(paged.join(' ')).toBe((await named('')).split(' ').toReversed().join(' '));
    expectRefusal(await client.get('/api/v1/events?sort=-amount'), 400, 'VALIDATION_ERROR', ['sort']);
  });

  test.each([
    ['kind=sale', 'kind'],
    ['type=gift', 'type'],
    ['status=paid', 'status'],
    ['currency=qqq', 'currency'],
    ['user_id=me', 'user_id'],
    ['purchase_event_id=p1', 'purchase_event_id'],
    ['occurred_from=2026-03-01', 'occurred_from'],
    ['occurred_to=2026-02-30T00:00:00Z', 'occurred_to'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=x', 'limit'],
    ['cursor=x', 'cursor'],
    ['event_id=p1', 'event_id'],
    ['kind=refund&kind=purchase', 'kind'],
  ])('%s is refused', async (query, field) => {
    expectRefusal(await client.get(`/api/v1/events?${query}`), 400, 'VALIDATION_ERROR', [field]);
  });
});

describe('pages', () => {
  test('every event once, in order, while others are recorded between the pages', async () => {
    const { liveKey } = await app.newTenant();
    const own = apiClient(app, liveKey);
    const record = async (id: string) =>
      expect((await own.post('/api/v1/events/purchase', own.purchaseBody({ external_event_id: id }))).status).toBe(201);
    for (let n = 0; n < 7; n++) await record(`old-${n}`);
    const seen: string[] = [];
    let query = 'limit=2';
    for (let page = 0; query !== ''; page++) {
      const { body } = await own.get(`/api/v1/events?${query}`);
      seen.push(...body.data.map((event: EventBody) => event.external_event_id));
      expect([body.data.length, body.has_more]).toEqual([
        body.next_cursor === null ? body.data.length : 2,
        body.next_cursor !== null,
      ]);
      if (page < 3) await record(`new-${page}`);
      query = body.next_cursor === null ? '' : `limit=2&cursor=${encodeURIComponent(body.next_cursor)}`;
    }
    expect(seen).toEqual([...Array.from({ length: 7 }, (_, n) => `old-${n}`), 'new-0', 'new-1', 'new-2']);
  });

  test('a full last page has no next one', async () => {
    const { body } = await client.get('/api/v1/events?kind=purchase&limit=5');
    expect([body.data.length, body.has_more, body.next_cursor]).toEqual([5, false, null]);
  });

  test('a cursor is good for its own filters, tenant, environment and list only', async () => {
    const { body } = await client.get('/api/v1/events?kind=purchase&limit=1');
    const cursor = encodeURIComponent(body.next_cursor);
    expect((await client.get(`/api/v1/events?kind=purchase&limit=3&cursor=${cursor}`)).body.data).toHaveLength(3);
    const stranger = apiClient(app, (await app.newTenant()).liveKey);
    for (const [as, path] of [
      [client, '/api/v1/events?kind=refund'],
      [client, '/api/v1/events?limit=1'],
      [client, '/api/v1/events?kind=purchase&currency=USD'],
      [client, '/api/v1/commissions?kind=commission'],
      [apiClient(app, tenant.sandboxKey), '/api/v1/events?kind=purchase'],
      [stranger, '/api/v1/events?kind=purchase'],
    ] as const) {
      expectRefusal(await as.get(`${path}&cursor=${cursor}`), 400, 'VALIDATION_ERROR', ['cursor']);
    }
  });
});
