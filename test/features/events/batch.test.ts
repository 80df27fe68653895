/** POST /events/batch: many events, each for itself, all in one transaction (docs/specification/events.md#batch). */
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { openLoad } from '../../support/app/model-load.ts';
import { startApiProcess } from '../../support/app/model-process.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { digestRows } from '../../support/database/walls.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { balanceOf, purchaseOf } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let chain: MemberBody[];

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  chain = await newUpline(client, 'D D D');
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

const PATH = '/api/v1/events/batch';
type Item = Record<string, unknown>;
type Event = Item & { kind: string };
interface Result {
  index: number;
  external_event_id: string | null;
  status: number;
  body: Item & { event_id?: string; code?: string; details?: { fields?: { field: string }[] } };
}

const newId = (name = 'e') => `${name}-${randomUUID()}`;
const send = (events: Item[], fields: object = {}, as: ApiClient = client) => as.post(PATH, { events, ...fields });
const resultsOf = (answer: Response): Result[] => answer.body.results;
const statusesOf = (answer: Response): number[] => resultsOf(answer).map(({ status }) => status);

const purchase = (id: string, fields: object = {}): Event => ({
  kind: 'purchase',
  external_event_id: id,
  amount_minor: 10_000,
  currency: 'USD',
  customer: { external_id: 'customer-1' },
  attribution: { user_id: chain[0]?.id },
  ...fields,
});
const refund = (id: string, of: string, fields: object = {}): Event => ({
  kind: 'refund',
  external_event_id: id,
  purchase_external_event_id: of,
  ...fields,
});
const chargeback = (id: string, of: string, stage: string, fields: object = {}): Event => ({
  ...refund(id, of, fields),
  kind: 'chargeback',
  dispute_id: `d-${of}`,
  stage,
});
const manual = (id: string, fields: object = {}): Event => ({
  kind: 'commission',
  external_event_id: id,
  type: 'bonus',
  user_id: chain[0]?.id,
  amount_minor: 500,
  currency: 'USD',
  description: 'x',
  actor: 'y',
  ...fields,
});

describe('events of all kinds', () => {
  /** Members differ between tenants; everything else must be equal. */
  const withoutIds = (body: unknown) =>
    JSON.stringify(body)
      .replaceAll(/"[0-9a-f]{8}-[0-9a-f-]{27}"/g, '"id"')
      .replaceAll(/"created_by":\{[^}]*\}/g, '"created_by":"its key"');

  test('in order, each with the receipt it has alone', async () => {
    const sequence = (members: MemberBody[]): Event[] => {
      const attribution = { user_id: members[0]?.id };
      return [
        purchase('a', { attribution, occurred_at: '2026-05-01T00:00:00Z' }),
        refund('a-back', 'a', { amount_minor: 3_000, reason: 'torn' }),
        chargeback('a-opened', 'a', 'opened'),
        chargeback('a-lost', 'a', 'lost'),
        chargeback('a-won', 'a', 'won'),
        purchase('b', { attribution: {}, metadata: { a: [1, { b: 'ü' }] }, line_items: [{ sku: 's', amount_minor: 1 }] }),
        refund('b-back', 'b'),
        manual('m', { occurred_at: '2026-05-02T00:00:00Z', user_id: members[1]?.id, amount_minor: -1_000, type: 'correction' }),
        manual('w', { occurred_at: '2026-05-03T00:00:00Z', user_id: members[1]?.id, amount_minor: 650, type: 'write_off' }),
        purchase('a', { attribution, occurred_at: '2026-05-01T00:00:00Z' }),
      ];
    };
    const other = apiClient(app, (await app.newTenant()).liveKey);
    const otherChain = await newUpline(other, 'D D');
    const alone: unknown[] = [];
    for (const { kind, ...fields } of sequence(otherChain)) {
      const answer = await other.post(`/api/v1/events/${kind}`, fields);
      alone.push([answer.status, withoutIds(answer.body)]);
    }
    const own = apiClient(app, (await app.newTenant()).liveKey);
    const answer = await send(sequence(await newUpline(own, 'D D')), {}, own);
    expect(answer.status).toBe(207);
    expect(answer.body).toMatchObject({ recorded: 9, repeated: 1, failed: 0 });
    expect(resultsOf(answer).map(({ status, body }) => [status, withoutIds(body)])).toEqual(alone);
    expect(resultsOf(answer).map(({ index, external_event_id }) => `${index} ${external_event_id}`)).toEqual(
      ['a', 'a-back', 'a-opened', 'a-lost', 'a-won', 'b', 'b-back', 'm', 'w', 'a'].map((id, index) => `${index} ${id}`),
    );
  });

  test('a refused one changes nothing and stops nobody: 400, 404, 409, 422 between recorded ones', async () => {
    const [a, b, c] = [newId(), newId(), newId()];
    const customer = { external_id: newId('customer') };
    const answer = await send([
      purchase(a),
      purchase(newId(), { amount_minor: -1, customer }),
      purchase(newId(), { attribution: { user_id: randomUUID() }, customer }),
      refund(newId(), 'never'),
      purchase(a, { amount_minor: 9 }),
      refund(newId(), a, { amount_minor: 10_001 }),
      chargeback(newId(), a, 'won'),
      refund(newId(), b),
      purchase(b),
      refund(newId(), b, { currency: 'EUR' }),
      refund(c, b),
      manual(newId(), { user_id: randomUUID() }),
      manual(newId(), { type: 'write_off' }),
      { kind: 'refund' },
      purchase(newId(), { price: 1 }),
    ]);
    expect(answer.status).toBe(207);
    expect(resultsOf(answer).map(({ status, body }) => (body.code ? `${status} ${body.code}` : status))).toEqual([
      201,
      '400 VALIDATION_ERROR',
      '400 VALIDATION_ERROR',
      '404 NOT_FOUND',
      '409 EVENT_ID_REUSED',
      '422 REFUND_EXCEEDS_PURCHASE',
      '409 STATE_CONFLICT',
      '404 NOT_FOUND',
      201,
      '422 CURRENCY_MISMATCH',
      201,
      '400 VALIDATION_ERROR',
      '409 STATE_CONFLICT',
      '400 VALIDATION_ERROR',
      '400 VALIDATION_ERROR',
    ]);
    expect(answer.body).toMatchObject({ recorded: 3, repeated: 0, failed: 12 });
    expect(resultsOf(answer)[1]?.body.details?.fields).toMatchObject([{ field: 'amount_minor' }]);
    expect(resultsOf(answer)[13]).toMatchObject({ external_event_id: null });
    expect(resultsOf(answer)[14]?.body.details?.fields).toMatchObject([{ field: 'price' }]);
    const stored = await app.database.asSuperuser<{ id: string }>(
      `select external_event_id as id from event where external_event_id = any ($1)
       union all select external_id from customer where external_id = $2`,
      [resultsOf(answer).map((result) => result.external_event_id), customer.external_id],
    );
    expect(stored.map(({ id }) => id).toSorted()).toEqual([a, b, c].toSorted());
  });

  test('the same id twice: 201 and then its answer; a refused one may be corrected further down', async () => {
    const [a, b] = [newId(), newId()];
    const answer = await send([purchase(a), purchase(a), purchase(b, { amount_minor: 1.5 }), purchase(b), refund(b, a)]);
    expect(statusesOf(answer)).toEqual([201, 200, 400, 201, 409]);
    const [first, second] = resultsOf(answer);
    expect(second?.body).toEqual(first?.body);
    expect(answer.body).toMatchObject({ recorded: 2, repeated: 1, failed: 2 });
  });

  test('known before: the first answer of each, whether it came alone or in a batch', async () => {
    const [a, b] = [newId(), newId()];
    const { kind: _kind, ...alone } = purchase(a);
    const single = await client.post('/api/v1/events/purchase', alone);
    const batch = await send([purchase(a), purchase(b), refund(`${b}-back`, b)]);
    expect(statusesOf(batch)).toEqual([200, 201, 201]);
    expect(resultsOf(batch)[0]?.body).toEqual(single.body);
    const { kind: _same, ...again } = purchase(b);
    const repeat = await client.post('/api/v1/events/purchase', again);
    expect([repeat.status, repeat.body]).toEqual([200, resultsOf(batch)[1]?.body]);
    const whole = await send([purchase(a), purchase(b), refund(`${b}-back`, b)]);
    expect(whole.body).toMatchObject({ recorded: 0, repeated: 3, failed: 0 });
    expect(resultsOf(whole).map(({ body }) => body)).toEqual(resultsOf(batch).map(({ body }) => body));
  });

  test('each sees what those before it have used up of a cap', async () => {
    const capped = await app.newTenant();
    await publishPlan(app, capped, {
      caps: { perMemberPeriodMinor: { USD: 1_200 }, perCustomerLifetimeMinor: { USD: 1_500 } },
    });
    const own = apiClient(app, capped.liveKey);
    const [member, other] = [await own.newMember(), await own.newMember()];
    const by = (id: string, seller: MemberBody) => purchase(id, { attribution: { user_id: seller.id } });
    const answer = await send(
      [
        by('a', member),
        by('b', member),
        by('c', other),
        refund('back', 'a', { amount_minor: 5_000 }),
        by('d', member),
        by('e', other),
      ],
      {},
      own,
    );
    const paid = resultsOf(answer).map(({ body }) =>
      (body['commissions'] as { amount_minor: number }[]).map((line) => line.amount_minor),
    );
    // 1000, then the member's room of 200, then the customer's of 300; half of the first comes back, and both have 500 again.
    expect(paid).toEqual([[1_000], [200], [300], [-500], [500], []]);
  });

  test('members and purchases of another tenant or environment are unknown', async () => {
    const sale = newId();
    await send([purchase(sale)]);
    const stranger = apiClient(app, (await app.newTenant()).liveKey);
    for (const other of [stranger, apiClient(app, tenant.sandboxKey)]) {
      const answer = await send(
        [refund(newId(), sale), purchase(newId()), manual(newId()), purchase(sale, { attribution: {} })],
        {},
        other,
      );
      expect(statusesOf(answer)).toEqual([404, 400, 400, 201]);
    }
  });
});

describe('validate_only', () => {
  test('stores nothing and answers the receipts that would be', async () => {
    const [a, b] = [newId(), newId()];
    const events = [
      purchase(a, { customer: { external_id: newId('customer'), email: 'v@shop.example' } }),
      refund(`${a}-back`, a, { amount_minor: 2_500 }),
      purchase(a, { amount_minor: 1 }),
      chargeback(`${a}-lost`, a, 'lost'),
      manual(b),
      manual(b),
    ];
    const before = await digestRows(app.database);
    const tried = await send(events, { validate_only: true });
    expect(await digestRows(app.database)).toBe(before);
    expect(statusesOf(tried)).toEqual([201, 201, 409, 201, 201, 200]);
    expect(tried.body).toMatchObject({ recorded: 4, repeated: 1, failed: 1 });
    expectRefusal(await client.get(`/api/v1/events/${resultsOf(tried)[0]?.body.event_id}`), 404, 'NOT_FOUND');
    const real = await send(events, { validate_only: false });
    expect(statusesOf(real)).toEqual(statusesOf(tried));
    const amounts = (answer: Response) =>
      resultsOf(answer).map(({ body }) =>
        (body['commissions'] as Item[] | undefined)?.map((line) => [line['kind'], line['amount_minor']]),
      );
    expect(amounts(tried)).toEqual(amounts(real));
    const after = await digestRows(app.database);
    expect(statusesOf(await send(events, { validate_only: true }))).toEqual([200, 200, 409, 200, 200, 200]);
    expect(await digestRows(app.database)).toBe(after);
  });
});

describe('the size of a batch', () => {
  test('500 events are taken', async () => {
    const sale = newId('big');
    const events = Array.from({ length: 500 }, (_, index) =>
      index % 2 === 0 ? purchase(`${sale}-${index}`, { attribution: {} }) : refund(`${sale}-${index}`, `${sale}-${index - 1}`),
    );
    const answer = await send(events);
    expect(answer.body).toMatchObject({ recorded: 500, repeated: 0, failed: 0 });
  });

  test('501 are a 400, and so is none, an unknown kind, no kind, no list', async () => {
    const before = await digestRows(app.database);
    const many = Array.from({ length: 501 }, () => purchase(newId()));
    for (const [body, field] of [
      [{ events: many }, 'events'],
      [{ events: [] }, 'events'],
      [{}, 'events'],
      [{ events: [purchase(newId()), { ...purchase(newId()), kind: 'payout' }] }, 'events[1].kind'],
      [{ events: [{ external_event_id: 'x' }] }, 'events[0].kind'],
      [{ events: ['x'] }, 'events[0]'],
      [{ events: [purchase(newId())], dry_run: true }, 'dry_run'],
      [{ events: [purchase(newId())], validate_only: 'yes' }, 'validate_only'],
    ] as const) {
      expectRefusal(await client.post(PATH, body), 400, 'VALIDATION_ERROR', [field]);
    }
    expect(await digestRows(app.database)).toBe(before);
  });

  /** A body of exactly so many bytes, its one event refused for its metadata. */
  function bodyOfBytes(bytes: number): object {
    const body = (note: string) => ({ events: [{ kind: 'purchase', metadata: { note } }] });
    return body('x'.repeat(bytes - Buffer.byteLength(JSON.stringify(body('')))));
  }
  /** A body of exactly so many keys: `events`, its item, `kind`, `metadata` and what is in it. */
  const bodyOfKeys = (keys: number) => ({
    events: [{ kind: 'purchase', metadata: Object.fromEntries(Array.from({ length: keys - 4 }, (_, n) => [`k${n}`, 1])) }],
  });

  test('8 MB and 50,000 keys are read, one more of either is not', async () => {
    expect(statusesOf(await client.post(PATH, bodyOfBytes(8_388_608)))).toEqual([400]);
    expectRefusal(await client.post(PATH, bodyOfBytes(8_388_609)), 413, 'BODY_TOO_LARGE');
    expect(statusesOf(await client.post(PATH, bodyOfKeys(50_000)))).toEqual([400]);
    expectRefusal(await client.post(PATH, bodyOfKeys(50_001)), 400, 'VALIDATION_ERROR');
  });

  test('every other body keeps its 64 kB and 1,000 keys', async () => {
    for (const path of ['/api/v1/events/purchase', '/api/v1/events/refund', '/api/v1/users']) {
      expectRefusal(await client.post(path, bodyOfBytes(65_537)), 413, 'BODY_TOO_LARGE');
      const wide = await client.post(path, bodyOfKeys(1_001));
      expectRefusal(wide, 400, 'VALIDATION_ERROR');
      expect(wide.body.details.fields[0].message).toContain('1000 keys');
    }
  });
});

describe('an Idempotency-Key', () => {
  test('replays the whole answer, refused items and all, and runs nothing again', async () => {
    const sale = newId();
    const key = { 'idempotency-key': newId('key') };
    const events = [refund(newId(), sale), purchase(sale), refund(newId(), 'never')];
    const first = await client.post(PATH, { events }, key);
    expect(statusesOf(first)).toEqual([404, 201, 404]);
    const before = await digestRows(app.database);
    const again = await client.post(PATH, { events }, key);
    // Run again, the refund would be recorded.
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([207, first.text, 'true']);
    expectRefusal(await client.post(PATH, { events, validate_only: true }, key), 422, 'IDEMPOTENCY_KEY_REUSED');
    expect(await digestRows(app.database)).toBe(before);
    const anew = await client.post(PATH, { events }, { 'idempotency-key': newId('key') });
    expect(statusesOf(anew)).toEqual([201, 200, 404]);
  });

  test('of a validation replays the validation', async () => {
    const key = { 'idempotency-key': newId('key') };
    const body = { events: [purchase(newId())], validate_only: true };
    const first = await client.post(PATH, body, key);
    const again = await client.post(PATH, body, key);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  });
});

describe('at once', () => {
  test('two equal batches: each event is recorded by one and known to the other', async () => {
    for (let round = 0; round < 2; round++) {
      const run = newId('run');
      const events = Array.from({ length: 15 }, (_, index) => [
        purchase(`${run}-${index}`, { customer: { external_id: `${run}-${index % 7}`, email: 'a@shop.example' } }),
        refund(`${run}-${index}-back`, `${run}-${index}`, { amount_minor: 100 + index }),
      ]).flat();
      const [a, b] = await Promise.all([send(events), send(events)]);
      const both = events.map((_, index) => [resultsOf(a)[index], resultsOf(b)[index]]);
      const statuses = both.map((pair) => pair.map((one) => one?.status ?? 0).toSorted((one, other) => one - other));
      expect(new Set(statuses.map((pair) => pair.join()))).toEqual(new Set(['200,201']));
      for (const [one, other] of both) expect(one?.body).toEqual(other?.body);
    }
  });

  test('deadlock hunt: the same customers, members, caps and purchases in opposite orders', async () => {
    const capped = await app.newTenant();
    await publishPlan(app, capped, {
      caps: { perMemberPeriodMinor: { USD: 30_000 }, perCustomerLifetimeMinor: { USD: 40_000 } },
    });
    const own = apiClient(app, capped.liveKey);
    const uplines = await Promise.all(Array.from({ length: 4 }, () => newUpline(own, 'D D D')));
    const sale = (id: string, n: number) =>
      purchase(id, {
        customer: { external_id: `c${n % 5}`, email: `${id}@shop.example` },
        attribution: { user_id: uplines[n % 4]?.[0]?.id },
      });
    const shared = Array.from({ length: 12 }, (_, n) => sale(`shared-${n}`, n));
    expect((await send(shared, {}, own)).body.recorded).toBe(12);
    const batches = Array.from({ length: 6 }, (_, batch) => {
      const events = Array.from({ length: 12 }, (_, n) => [
        sale(`${batch}-${n}`, n),
        refund(`${batch}-${n}-back`, `shared-${n}`, { amount_minor: 1 + batch }),
      ]);
      return (batch % 2 === 0 ? events : events.toReversed()).flat();
    });
    const answers = await Promise.all(batches.map((events) => send(events, {}, own)));
    expect(answers.map(({ status, text }) => (status === 207 ? 207 : text))).toEqual(batches.map(() => 207));
    const unrecorded = answers.flatMap(resultsOf).filter(({ status }) => status !== 201);
    expect(unrecorded).toEqual([]);
  });
});

test('killed in the middle it leaves nothing; sent again with its key it is recorded whole', async () => {
  const load = openLoad();
  const doomed = await startApiProcess(app, { FAULT_POINTS: 'reversal:written=kill' });
  const [member] = await newUpline(client, 'O');
  const [a, b] = [newId(), newId()];
  const events = [
    purchase(a, { attribution: { user_id: member?.id }, customer: { external_id: newId('customer') } }),
    purchase(b, { attribution: { user_id: member?.id } }),
    manual(newId(), { user_id: member?.id }),
    refund(newId(), a),
    refund(newId(), b),
  ];
  const headers = { 'idempotency-key': newId('key') };
  const before = await digestRows(app.database);
  const lost = load.send({ baseUrl: doomed.baseUrl, key: tenant.liveKey, path: PATH, body: { events }, headers });
  await expect(lost).rejects.toThrow();
  expect(await doomed.ended).toBe('SIGKILL');
  load.close();
  expect(await digestRows(app.database)).toBe(before);
  const retried = await client.post(PATH, { events }, headers);
  expect(retried.body).toMatchObject({ recorded: 5, repeated: 0, failed: 0 });
  expect(retried.headers['idempotent-replayed']).toBeUndefined();
  expect(await balanceOf(client, member)).toMatchObject({ pending: 5, total: 5 });
  expect((await purchaseOf(client, {})).commissions).toEqual([]);
});

describe('of a key without every right', () => {
  const bonus = (id: string): Event => ({
    kind: 'commission',
    external_event_id: id,
    type: 'bonus',
    user_id: chain[0]?.id,
    amount_minor: 500,
    currency: 'USD',
    description: 'For the test',
    actor: 'test',
  });
  const clientWith = async (...scopes: string[]) =>
    apiClient(app, (await app.tenants.createKey({ tenantId: tenant.tenantId, environment: 'LIVE', scopes })).apiKey);

  test('each event is judged by the right that it needs alone, and the others are recorded', async () => {
    const weaker = await clientWith('events:write', 'events:read');
    const ids = [newId('p'), newId('b'), newId('r')] as const;
    const batch = [purchase(ids[0]), bonus(ids[1]), refund(ids[2], ids[0])];
    for (const fields of [{ validate_only: true }, {}]) {
      const answer = await send(batch, fields, weaker);
      expect(statusesOf(answer)).toEqual([201, 403, 201]);
      const [, refused] = resultsOf(answer);
      expect(refused).toMatchObject({ index: 1, external_event_id: ids[1], body: { code: 'FORBIDDEN' } });
      expect(refused?.body['error']).toContain('the scope commissions:grant,');
    }
    expect((await client.get(`/api/v1/events?external_event_id=${ids[1]}`)).body.data).toEqual([]);
    expect((await client.get(`/api/v1/events?external_event_id=${ids[2]}`)).body.data).toHaveLength(1);
  });

  test('an event is refused for want of the right before it is looked at', async () => {
    const weaker = await clientWith('events:write');
    const known = newId('b');
    expect(statusesOf(await send([bonus(known)]))).toEqual([201]);
    // Neither what is wrong with it nor that it is known is told.
    const answer = await send([bonus(known), { kind: 'commission', external_event_id: 7 }], {}, weaker);
    expect(resultsOf(answer).map(({ status, body }) => [status, body.code])).toEqual([
      [403, 'FORBIDDEN'],
      [403, 'FORBIDDEN'],
    ]);
  });

  test('who may only grant by hand does so by its own operation', async () => {
    const granting = await clientWith('commissions:grant');
    expectRefusal(await send([bonus(newId('b'))], {}, granting), 403, 'FORBIDDEN');
    const { kind: _kind, ...body } = bonus(newId('b'));
    expect((await granting.post('/api/v1/events/commission', body)).status).toBe(201);
    expectRefusal(await (await clientWith('events:write')).post('/api/v1/events/commission', body), 403, 'FORBIDDEN');
  });
});
