/**
 * Commissions of a sale to the member's own email, while no buyer is named, wait for somebody to look
 * (docs/specification/attribution.md#self-purchase).
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findDifferences } from '../../../tools/evaluate-explain.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { balanceOf, disputeOf, linesOf, purchaseOf, refundOf, type Sale } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let chain: MemberBody[];

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

const old = '2026-01-31T12:00:00Z';
const clear = () => app.runSweep('clear-commissions', { tenantId: tenant.tenantId, environment: 'LIVE' });
const standing = async (sale: Sale) =>
  (await linesOf(client, sale.event_id)).map((line) => `${line.level} ${line.kind} ${line.status} ${line.amount_minor}`);
const act = async (sale: Sale, index: number, deed: string) => {
  const answer = await client.post(`/api/v1/commissions/${sale.commissions[index]?.id}/${deed}`, {});
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};

/** A sale of 100.00 by a chain of three, to a customer with the email of one of them. */
async function sale(index: number, fields: object = {}): Promise<Sale & { status: string }> {
  chain = await newUpline(client, 'D D D');
  const customer = { external_id: randomUUID(), email: chain[index]?.email.toUpperCase() };
  const made = await purchaseOf(client, { customer, occurred_at: old, attribution: { user_id: chain[0]?.id }, ...fields });
  return made as Sale & { status: string };
}

describe('a sale to the email of', () => {
  test.each([0, 1, 2])('the member at level %i + 1 holds its line alone', async (index) => {
    const made = await sale(index);
    expect(made.status).toBe('held');
    expect(made.commissions.map(({ status }) => status)).toEqual([0, 1, 2].map((n) => (n === index ? 'held' : 'pending')));
    const { body } = await client.get(`/api/v1/commissions/${made.commissions[index]?.id}`);
    expect(body).toMatchObject({
      status: 'held',
      holdCause: 'self_purchase',
      holdReason: 'The customer has the email of this member, and no buyer_user_id was sent',
    });
    const amount = [10, 5, 3][index] ?? 0;
    expect(await balanceOf(client, chain[index])).toMatchObject({ pending: amount, cleared: 0 });
    await clear();
    expect(await standing(made)).toEqual(
      [1000, 500, 300].map((minor, n) => `${n + 1} commission ${n === index ? 'held' : 'cleared'} ${minor}`),
    );
    expect(await balanceOf(client, chain[index])).toMatchObject({ pending: amount, cleared: 0 });
  });

  test('somebody else, or another tenant’s or environment’s member, holds nothing', async () => {
    const others = [client, apiClient(app, (await app.newTenant()).liveKey), apiClient(app, tenant.sandboxKey)];
    for (const by of others) {
      const { email } = await by.newMember();
      const made = await sale(0, { customer: { external_id: randomUUID(), email } });
      expect([made.status, ...made.commissions.map(({ status }) => status)]).toEqual([
        'accepted',
        'pending',
        'pending',
        'pending',
      ]);
    }
  });

  test('the email that is stored of the customer counts when none is sent', async () => {
    const first = await sale(1);
    expect(first.status).toBe('held');
    const [event] = [await client.get(`/api/v1/events/${first.event_id}`)];
    const { external_id } = event.body.customer;
    const again = await purchaseOf(client, { customer: { external_id }, attribution: { user_id: chain[0]?.id } });
    expect(again.commissions.map(({ status }) => status)).toEqual(['pending', 'held', 'pending']);
  });

  test('a named buyer is the plan’s to pay, and nothing is held', async () => {
    chain = await newUpline(client, 'D D D');
    const customer = { external_id: randomUUID(), email: chain[0]?.email };
    const made = (await purchaseOf(client, { customer, buyer_user_id: chain[0]?.id })) as Sale & { status: string };
    expect([made.status, ...made.commissions.map(({ status }) => status)]).toEqual(['accepted', 'pending', 'pending']);
  });

  test('a member who is paid nothing leaves the sale accepted', async () => {
    const [seller] = await newUpline(client, 'o');
    const customer = { external_id: randomUUID(), email: seller?.email };
    const { body } = await client.post(
      '/api/v1/events/purchase',
      client.purchaseBody({ customer, attribution: { user_id: seller?.id } }),
    );
    expect([body.status, body.commissions]).toEqual(['accepted', []]);
  });
});

test('a repeat answers as at first, whatever has become of the hold', async () => {
  const [seller] = await newUpline(client, 'D D');
  const customer = { external_id: randomUUID(), email: seller?.email };
  const body = client.purchaseBody({ customer, attribution: { user_id: seller?.id } });
  const first = await client.post('/api/v1/events/purchase', body);
  await act(first.body, 0, 'release');
  await act(first.body, 1, 'hold');
  const again = await client.post('/api/v1/events/purchase', body);
  expect([again.status, again.text]).toEqual([200, first.text]);
});

test('release lets it clear, and it can be held again by hand', async () => {
  const made = await sale(0);
  expect(await act(made, 0, 'release')).toMatchObject({ status: 'cleared', holdCause: null, holdReason: null });
  expect(await balanceOf(client, chain[0])).toMatchObject({ pending: 0, cleared: 10 });
  expect(await act(made, 0, 'hold')).toMatchObject({ status: 'held', holdCause: 'manual' });
});

test('void takes it back, and hold refuses what is held', async () => {
  const made = await sale(0);
  expect((await client.post(`/api/v1/commissions/${made.commissions[0]?.id}/hold`, {})).status).toBe(409);
  expect(await act(made, 0, 'void')).toMatchObject({ status: 'reversed', holdCause: null });
  expect(await balanceOf(client, chain[0])).toMatchObject({ pending: 0, cleared: 0, total: 0 });
});

describe('a dispute', () => {
  test.each(['won', 'lost'])('that is opened and %s does not release it', async (stage) => {
    const made = await sale(0);
    await disputeOf(client, made, `d-${made.event_id}`, 'opened');
    await disputeOf(client, made, `d-${made.event_id}`, stage, stage === 'lost' ? { amount_minor: 4_000 } : {});
    await clear();
    const own = (await linesOf(client, made.event_id)).filter((line) => line.user_id === chain[0]?.id);
    expect([...new Set(own.map(({ status }) => status))]).toEqual(['held']);
    const { body } = await client.get(`/api/v1/commissions/${made.commissions[0]?.id}`);
    expect(body.holdCause).toBe('self_purchase');
  });

  test.each([
    [false, 'held', 'self_purchase'],
    [true, 'cleared', null],
  ])('lost whole and won after all brings it back as it was; released before: %s', async (released, status, holdCause) => {
    const made = await sale(0);
    if (released) await act(made, 0, 'release');
    const dispute = `d-${made.event_id}`;
    for (const stage of ['opened', 'lost', 'won']) expect((await disputeOf(client, made, dispute, stage)).status).toBe(201);
    const back = (await linesOf(client, made.event_id)).find((line) => line.kind === 'reinstatement' && line.level === 1);
    expect((await client.get(`/api/v1/commissions/${back?.id}`)).body).toMatchObject({ status, holdCause, amountMinor: 1_000 });
  });
});

describe('released while a dispute is open, it waits for the dispute', () => {
  const own = async (made: Sale) => {
    const { body } = await client.get(`/api/v1/commissions/${made.commissions[0]?.id}`);
    return [body.status, body.holdCause];
  };

  test.each([
    ['self_purchase', 'won', 'cleared'],
    ['manual', 'won', 'cleared'],
    ['self_purchase', 'lost', 'reversed'],
    ['manual', 'lost', 'reversed'],
  ])('%s, then %s', async (cause, stage, status) => {
    const made = await sale(0);
    if (cause === 'manual') for (const deed of ['release', 'hold']) await act(made, 0, deed);
    expect(await own(made)).toEqual(['held', cause]);
    const dispute = `d-${made.event_id}`;
    await disputeOf(client, made, dispute, 'opened');
    expect(await act(made, 0, 'release')).toMatchObject({ status: 'held', holdCause: 'dispute', holdReason: null });
    await clear();
    expect(await balanceOf(client, chain[0])).toMatchObject({ pending: 10, cleared: 0 });
    expect((await disputeOf(client, made, dispute, stage)).status).toBe(201);
    expect(await own(made)).toEqual([status, null]);
    expect(await balanceOf(client, chain[0])).toMatchObject({ pending: 0, cleared: stage === 'won' ? 10 : 0 });
    if (stage === 'lost') await disputeOf(client, made, dispute, 'won');
    expect(await balanceOf(client, chain[0])).toMatchObject({ pending: 0, cleared: 10 });
  });

  test('of two until the last is decided; one that is over does not count, and the hold for it may be released', async () => {
    const made = await sale(0);
    const [one, two] = [`1-${made.event_id}`, `2-${made.event_id}`];
    for (const dispute of [one, two]) await disputeOf(client, made, dispute, 'opened', { amount_minor: 1_000 });
    await disputeOf(client, made, one, 'won');
    await act(made, 0, 'release');
    expect(await own(made)).toEqual(['held', 'dispute']);
    await act(made, 0, 'release');
    expect(await own(made)).toEqual(['cleared', null]);
    await act(made, 0, 'hold');
    await disputeOf(client, made, two, 'won');
    await act(made, 0, 'release');
    expect(await own(made)).toEqual(['cleared', null]);
  });
});

test('a refund takes its share of what is held, and released both clear', async () => {
  const made = await sale(0);
  await refundOf(client, made, { amount_minor: 2_500 });
  expect((await standing(made)).filter((line) => line.startsWith('1 '))).toEqual([
    '1 commission held 1000',
    '1 reversal held -250',
  ]);
  await act(made, 0, 'release');
  expect(await balanceOf(client, chain[0])).toMatchObject({ pending: 0, cleared: 7.5 });
});

test('the explanation says it, stands on its own, and a quote foretells it', async () => {
  const made = await sale(1);
  const { body } = await client.get(`/api/v1/events/${made.event_id}/explain`);
  expect([body.status, body.recomputed]).toEqual(['held', true]);
  const holds = body.outcomes.map((outcome: { shares: { status: string; hold: unknown }[] }) => outcome.shares[0]?.hold);
  expect(holds).toEqual([
    null,
    { cause: 'self_purchase', message: 'the customer has the email of the member, and no buyer was named' },
    null,
  ]);
  expect(findDifferences(body)).toEqual([]);
  const { external_id } = (await client.get(`/api/v1/events/${made.event_id}`)).body.customer;
  const quote = await client.post('/api/v1/commission-plans/quote', {
    amountMinor: 10_000,
    currency: 'USD',
    customerExternalId: external_id,
    attribution: { userId: chain[0]?.id },
  });
  expect(quote.body.status).toBe('held');
  expect(quote.body.commissions.map((line: { holdCause: string | null }) => line.holdCause)).toEqual([
    null,
    'self_purchase',
    null,
  ]);
});

test('is listed among events that were held', async () => {
  const made = await sale(0);
  const { body } = await client.get(`/api/v1/events?status=held&user_id=${chain[0]?.id}`);
  expect(body.data.map((event: { event_id: string }) => event.event_id)).toEqual([made.event_id]);
});

test('lines that are held are no part of a payout run', async () => {
  const made = await sale(0);
  await clear();
  const run = await client.post('/api/v1/payout-runs', { currency: 'USD' });
  expect(run.status, run.text).toBe(201);
  expect(JSON.stringify(run.body.payouts)).not.toContain(chain[0]?.id);
  expect((await standing(made))[0]).toBe('1 commission held 1000');
});
