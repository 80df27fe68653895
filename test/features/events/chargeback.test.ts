/**
 * POST /events/chargeback: stages, holds, what lost takes back and won restores
 * (docs/specification/events.md#chargeback, docs/specification/commissions.md#reversal).
 */
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { digestRows } from '../../support/database/walls.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import {
  balanceOf,
  disputeOf,
  type LineBody,
  linesOf,
  purchaseOf,
  refundOf,
  type Sale,
} from '../../support/money/money-calls.ts';
import { payOut } from '../../support/money/pay-out.ts';
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

const old = new Date(Date.now() - 60 * 86_400_000).toISOString();
const newDispute = () => `d-${randomUUID()}`;
const clear = () => app.runSweep('clear-commissions', { tenantId: tenant.tenantId, environment: 'LIVE' });

/** A sale of 100.00 that pays a new member 10.00. */
async function saleOfOne(fields: object = {}): Promise<{ member: MemberBody; sale: Sale; line: LineBody }> {
  const [member] = await newUpline(client, 'O');
  const sale = await purchaseOf(client, { attribution: { user_id: member?.id }, ...fields });
  const [line] = sale.commissions;
  if (!member || !line) throw new Error('nobody was paid');
  return { member, sale, line };
}

/** `commission held 1000, reversal held -300`: every line of the sale as it stands. */
async function standing(sale: Sale): Promise<string> {
  return (await linesOf(client, sale.event_id)).map((line) => `${line.kind} ${line.status} ${line.amount_minor}`).join(', ');
}

async function accept(answer: Promise<Response>): Promise<Response> {
  const { status, text } = await answer;
  expect(`${status} ${status === 201 ? '' : text}`).toBe('201 ');
  return answer;
}

/** What the event posted to members: account and amount. */
function postingsOf(eventId: string): Promise<object[]> {
  return app.database.asSuperuser(
    `select p.account, p.amount_minor::int as amount from posting p join journal_entry j on j.id = p.journal_id
     where j.cause_id = $1 and p.member_id is not null order by p.seq`,
    [eventId],
  );
}

describe('stages: opened, then won or lost; lost, then won; lost at once', () => {
  test.each([
    [[], ['won']],
    [['opened'], ['opened']],
    [['lost'], ['opened', 'lost']],
    [
      ['opened', 'won'],
      ['opened', 'won', 'lost'],
    ],
    [
      ['opened', 'lost'],
      ['opened', 'lost'],
    ],
    [
      ['lost', 'won'],
      ['opened', 'won', 'lost'],
    ],
    [
      ['opened', 'lost', 'won'],
      ['opened', 'won', 'lost'],
    ],
  ])('after %j no %j, and nothing changes', async (stages, refused) => {
    const sale = await purchaseOf(client, { attribution: { user_id: chain[0]?.id } });
    const dispute = newDispute();
    for (const stage of stages) await accept(disputeOf(client, sale, dispute, stage));
    const before = await digestRows(app.database);
    for (const stage of refused) expectRefusal(await disputeOf(client, sale, dispute, stage), 409, 'STATE_CONFLICT');
    expect(await digestRows(app.database)).toBe(before);
  });
});

describe('golden (b): paid, then lost, then won', () => {
  test('a clawback, then a reinstatement: the balance is restored exactly', async () => {
    const { member, sale, line } = await saleOfOne();
    const dispute = newDispute();
    await payOut(app, [line.id]);
    const before = await balanceOf(client, member);
    expect(before).toMatchObject({ pending: 0, cleared: 0, paid: 10, total: 10 });
    const lost = await accept(disputeOf(client, sale, dispute, 'lost'));
    expect(lost.body).toMatchObject({ stage: 'lost', dispute_id: dispute, amount_minor: 10_000, refunded_minor: 10_000 });
    expect(lost.body.commissions).toMatchObject([{ kind: 'clawback', status: 'cleared', amount_minor: -1_000 }]);
    expect(await balanceOf(client, member)).toMatchObject({ pending: 0, cleared: -10, paid: 10, total: 0 });
    const won = await accept(disputeOf(client, sale, dispute, 'won'));
    expect(won.body).toMatchObject({ amount_minor: 10_000, refunded_minor: 0, remaining_minor: 10_000 });
    expect(won.body.commissions).toMatchObject([
      { kind: 'reinstatement', status: 'cleared', amount_minor: 1_000, reverses_commission_id: line.id },
    ]);
    expect(await balanceOf(client, member)).toEqual(before);
  });

  test.each([
    ['before any refund', 0],
    ['between refunds that round', 3_333],
  ])('every odd cent comes back, %s', async (_label, refunded) => {
    const upline = await newUpline(client, 'D D D D D');
    const sale = await purchaseOf(client, { amount_minor: 9_999, attribution: { user_id: upline[0]?.id } });
    await payOut(app, [sale.commissions[0]?.id ?? '', sale.commissions[3]?.id ?? '']);
    if (refunded > 0) await accept(refundOf(client, sale, { amount_minor: refunded }));
    const balances = () => Promise.all(upline.map((member) => balanceOf(client, member)));
    const before = await balances();
    const dispute = newDispute();
    await accept(disputeOf(client, sale, dispute, 'lost', { amount_minor: 1_667 }));
    expect(await balances()).not.toEqual(before);
    await accept(disputeOf(client, sale, dispute, 'won'));
    expect(await balances()).toEqual(before);
  });

  test('a line that is paid while its purchase is in dispute is clawed back', async () => {
    const { member, sale, line } = await saleOfOne();
    const dispute = newDispute();
    await accept(disputeOf(client, sale, dispute, 'opened'));
    await payOut(app, [line.id]);
    const lost = await accept(disputeOf(client, sale, dispute, 'lost'));
    expect(lost.body.commissions).toMatchObject([{ kind: 'clawback', status: 'cleared', amount_minor: -1_000 }]);
    expect(await balanceOf(client, member)).toMatchObject({ cleared: -10, paid: 10 });
  });

  test('lost unpaid, won, paid, lost again, won again', async () => {
    const { member, sale } = await saleOfOne();
    for (const [round, paid] of [
      [1, 0],
      [2, 10],
    ] as const) {
      const dispute = newDispute();
      const before = await balanceOf(client, member);
      expect(before).toMatchObject({ total: 10, paid });
      await accept(disputeOf(client, sale, dispute, 'lost'));
      expect((await balanceOf(client, member))['total']).toBe(0);
      const won = await accept(disputeOf(client, sale, dispute, 'won'));
      expect(await balanceOf(client, member)).toEqual(before);
      if (round === 1) await payOut(app, [won.body.commissions[0].id]);
    }
    expect(await standing(sale)).toBe(
      'commission reversed 1000, reversal reversed -1000, reinstatement paid 1000, clawback cleared -1000, reinstatement cleared 1000',
    );
    // The family is paid, whatever made up for a clawback since: what is refunded now is owed.
    const refund = await accept(refundOf(client, sale, { amount_minor: 4_000 }));
    expect(refund.body.commissions).toMatchObject([{ kind: 'clawback', status: 'cleared', amount_minor: -400 }]);
    await accept(refundOf(client, sale, {}));
    expect(await balanceOf(client, member)).toMatchObject({ pending: 0, cleared: -10, paid: 10, total: 0 });
  });
});

describe('opened', () => {
  test('holds pending lines: the balance stays, the sweep passes them by', async () => {
    const { member, sale, line } = await saleOfOne({ occurred_at: old });
    const opened = await accept(disputeOf(client, sale, newDispute(), 'opened'));
    expect(opened.body).toMatchObject({ commissions: [], refunded_minor: 0, moved_commission_ids: [line.id] });
    await clear();
    expect(await standing(sale)).toBe('commission held 1000');
    expect(await balanceOf(client, member)).toMatchObject({ pending: 10, cleared: 0 });
    expect(await postingsOf(opened.body.event_id)).toEqual([]);
    const { body } = await client.get(`/api/v1/commissions/${line.id}`);
    expect(body).toMatchObject({ status: 'held', holdCause: 'dispute', holdReason: null });
  });

  test('holds cleared lines: the ledger moves them to pending, and back when the dispute is won', async () => {
    const { member, sale, line } = await saleOfOne({ occurred_at: old });
    await clear();
    expect(await balanceOf(client, member)).toMatchObject({ pending: 0, cleared: 10 });
    const dispute = newDispute();
    const opened = await accept(disputeOf(client, sale, dispute, 'opened'));
    expect(await balanceOf(client, member)).toMatchObject({ pending: 10, cleared: 0, total: 10 });
    expect(await postingsOf(opened.body.event_id)).toEqual([
      { account: 'member:cleared', amount: -1_000 },
      { account: 'member:pending', amount: 1_000 },
    ]);
    const won = await accept(disputeOf(client, sale, dispute, 'won'));
    expect(won.body).toMatchObject({ commissions: [], moved_commission_ids: [line.id] });
    expect(await postingsOf(won.body.event_id)).toEqual([
      { account: 'member:pending', amount: -1_000 },
      { account: 'member:cleared', amount: 1_000 },
    ]);
    expect(await balanceOf(client, member)).toMatchObject({ pending: 0, cleared: 10 });
  });

  test('leaves paid, void and refunded lines where they are', async () => {
    const upline = await newUpline(client, 'D D D');
    const sale = await purchaseOf(client, { attribution: { user_id: upline[0]?.id } });
    const [paid, gone, rest] = sale.commissions;
    await payOut(app, [paid?.id ?? '']);
    await client.post(`/api/v1/commissions/${gone?.id}/void`, {});
    const opened = await accept(disputeOf(client, sale, newDispute(), 'opened'));
    expect(opened.body.moved_commission_ids).toEqual([rest?.id]);
    expect(await standing(sale)).toBe('commission paid 1000, commission reversed 500, commission held 300');
  });

  test('holds a negative line together with what it takes back', async () => {
    const { member, sale } = await saleOfOne({ occurred_at: old });
    await clear();
    await accept(refundOf(client, sale, { amount_minor: 4_000 }));
    const opened = await accept(disputeOf(client, sale, newDispute(), 'opened', { amount_minor: 1 }));
    expect(opened.body.moved_commission_ids).toHaveLength(2);
    expect(await standing(sale)).toBe('commission held 1000, reversal held -400');
    expect(await balanceOf(client, member)).toMatchObject({ pending: 6, cleared: 0 });
  });

  test('leaves a clawback cleared: what the member owes is not put off by another dispute', async () => {
    const { member, sale, line } = await saleOfOne();
    await payOut(app, [line.id]);
    const [first, second] = [newDispute(), newDispute()];
    await accept(disputeOf(client, sale, first, 'lost', { amount_minor: 3_000 }));
    const owing = await balanceOf(client, member);
    expect(owing).toMatchObject({ pending: 0, cleared: -3, paid: 10 });
    const opened = await accept(disputeOf(client, sale, second, 'opened'));
    expect(opened.body.moved_commission_ids).toEqual([]);
    expect(await balanceOf(client, member)).toEqual(owing);
    await accept(disputeOf(client, sale, second, 'won'));
    expect(await standing(sale)).toBe('commission paid 1000, clawback cleared -300');
  });

  test('holds what was reinstated once the clawback is settled: it would be paid next', async () => {
    const { member, sale, line } = await saleOfOne();
    await payOut(app, [line.id]);
    const [first, second] = [newDispute(), newDispute()];
    const lost = await accept(disputeOf(client, sale, first, 'lost'));
    await payOut(app, [lost.body.commissions[0].id]);
    await accept(disputeOf(client, sale, first, 'won'));
    expect(await balanceOf(client, member)).toMatchObject({ pending: 0, cleared: 10, paid: 0 });
    await accept(disputeOf(client, sale, second, 'opened'));
    expect(await standing(sale)).toBe('commission paid 1000, clawback paid -1000, reinstatement held 1000');
    await accept(disputeOf(client, sale, second, 'won'));
    expect(await balanceOf(client, member)).toMatchObject({ pending: 0, cleared: 10, paid: 0 });
  });

  test('of a purchase without commissions is kept all the same', async () => {
    const sale = await purchaseOf(client, {});
    const dispute = newDispute();
    for (const stage of ['opened', 'lost', 'won']) {
      expect((await accept(disputeOf(client, sale, dispute, stage))).body).toMatchObject({ stage, commissions: [] });
    }
  });
});

describe('won', () => {
  test('releases by the clock: due lines are cleared, others pending again', async () => {
    const due = await saleOfOne({ occurred_at: old });
    const young = await saleOfOne();
    for (const { sale } of [due, young]) {
      const dispute = newDispute();
      await accept(disputeOf(client, sale, dispute, 'opened'));
      await accept(disputeOf(client, sale, dispute, 'won'));
    }
    expect([await standing(due.sale), await standing(young.sale)]).toEqual([
      'commission cleared 1000',
      'commission pending 1000',
    ]);
    expect(await balanceOf(client, due.member)).toMatchObject({ pending: 0, cleared: 10 });
    expect(await balanceOf(client, young.member)).toMatchObject({ pending: 10, cleared: 0 });
  });

  test('after lost of unpaid lines: the reinstatement stands where the clock has it', async () => {
    const due = await saleOfOne({ occurred_at: old });
    const young = await saleOfOne();
    for (const { sale, line } of [due, young]) {
      const dispute = newDispute();
      await accept(disputeOf(client, sale, dispute, 'lost'));
      expect(await standing(sale)).toBe('commission reversed 1000, reversal reversed -1000');
      const won = await accept(disputeOf(client, sale, dispute, 'won'));
      expect(won.body.commissions).toMatchObject([{ kind: 'reinstatement', amount_minor: 1_000, clears_at: line.clears_at }]);
    }
    expect(await balanceOf(client, due.member)).toMatchObject({ pending: 0, cleared: 10 });
    expect(await balanceOf(client, young.member)).toMatchObject({ pending: 10, cleared: 0 });
    await clear();
    expect(await balanceOf(client, young.member)).toMatchObject({ pending: 10, cleared: 0 });
  });

  test('does not release what an operator holds', async () => {
    const { sale, line } = await saleOfOne();
    await client.post(`/api/v1/commissions/${line.id}/hold`, { reason: 'review' });
    const dispute = newDispute();
    const opened = await accept(disputeOf(client, sale, dispute, 'opened'));
    expect(opened.body.moved_commission_ids).toEqual([]);
    await accept(disputeOf(client, sale, dispute, 'lost', { amount_minor: 2_000 }));
    expect(await standing(sale)).toBe('commission held 1000, reversal held -200');
    const won = await accept(disputeOf(client, sale, dispute, 'won'));
    expect(won.body.moved_commission_ids).toEqual([]);
    expect(await standing(sale)).toBe('commission held 1000, reversal held -200, reinstatement held 200');
    const { body } = await client.get(`/api/v1/commissions/${line.id}`);
    expect(body).toMatchObject({ holdCause: 'manual', holdReason: 'review' });
    await client.post(`/api/v1/commissions/${line.id}/release`, {});
    expect(await standing(sale)).toBe('commission pending 1000, reversal pending -200, reinstatement pending 200');
  });

  test('does not bring a void commission back', async () => {
    const { member, sale, line } = await saleOfOne();
    const dispute = newDispute();
    await accept(disputeOf(client, sale, dispute, 'lost', { amount_minor: 3_000 }));
    expect((await client.post(`/api/v1/commissions/${line.id}/void`, {})).status).toBe(200);
    expect((await accept(disputeOf(client, sale, dispute, 'won'))).body.commissions).toEqual([]);
    expect(await balanceOf(client, member)).toMatchObject({ pending: 0, total: 0 });
  });

  test.each([
    ['what was disputed', undefined, 2_500, 400],
    ['what was lost, be it less than was disputed', 2_000, 2_500, 400],
  ])('names no other amount than %s', async (_label, lost, wrong, status) => {
    const { sale } = await saleOfOne();
    const dispute = newDispute();
    await accept(disputeOf(client, sale, dispute, 'opened', { amount_minor: lost === undefined ? 3_000 : 2_500 }));
    if (lost !== undefined) await accept(disputeOf(client, sale, dispute, 'lost', { amount_minor: lost }));
    const answer = await disputeOf(client, sale, dispute, 'won', { amount_minor: wrong });
    expectRefusal(answer, status, 'VALIDATION_ERROR', ['amount_minor']);
    const won = await accept(disputeOf(client, sale, dispute, 'won', { amount_minor: lost ?? 3_000 }));
    expect(won.body.amount_minor).toBe(lost ?? 3_000);
  });
});

describe('lost', () => {
  test('in part takes its share and releases the rest by the clock', async () => {
    const { member, sale } = await saleOfOne({ occurred_at: old });
    const dispute = newDispute();
    await accept(disputeOf(client, sale, dispute, 'opened', { amount_minor: 3_000 }));
    const lost = await accept(disputeOf(client, sale, dispute, 'lost'));
    expect(lost.body).toMatchObject({ amount_minor: 3_000, refunded_minor: 3_000, remaining_minor: 7_000 });
    expect(await standing(sale)).toBe('commission cleared 1000, reversal cleared -300');
    expect(await balanceOf(client, member)).toMatchObject({ pending: 0, cleared: 7 });
  });

  test('at once, without opened, of all that is left', async () => {
    const { member, sale } = await saleOfOne();
    await accept(refundOf(client, sale, { amount_minor: 1_234 }));
    const lost = await accept(disputeOf(client, sale, newDispute(), 'lost'));
    expect(lost.body).toMatchObject({ amount_minor: 8_766, refunded_minor: 10_000, remaining_minor: 0 });
    expect(await standing(sale)).toBe('commission reversed 1000, reversal reversed -123, reversal reversed -877');
    expect(await balanceOf(client, member)).toMatchObject({ total: 0 });
  });

  test('with a refund in between: by default what the refund has left of it', async () => {
    const { member, sale } = await saleOfOne();
    const dispute = newDispute();
    await accept(disputeOf(client, sale, dispute, 'opened', { amount_minor: 8_000 }));
    const refund = await accept(refundOf(client, sale, { amount_minor: 4_000 }));
    expect(refund.body.commissions).toMatchObject([{ amount_minor: -400, status: 'held' }]);
    expectRefusal(await disputeOf(client, sale, dispute, 'lost', { amount_minor: 6_001 }), 422, 'REFUND_EXCEEDS_PURCHASE');
    const lost = await accept(disputeOf(client, sale, dispute, 'lost'));
    expect(lost.body).toMatchObject({ amount_minor: 6_000, remaining_minor: 0 });
    const won = await accept(disputeOf(client, sale, dispute, 'won'));
    expect(won.body).toMatchObject({ amount_minor: 6_000, refunded_minor: 4_000 });
    expect(await balanceOf(client, member)).toMatchObject({ pending: 6 });
    expect(await standing(sale)).toBe(
      'commission reversed 1000, reversal reversed -400, reversal reversed -600, reinstatement pending 600',
    );
  });

  test('a refund after a dispute that was lost, won and is lost again by another', async () => {
    const { member, sale } = await saleOfOne();
    const [first, second] = [newDispute(), newDispute()];
    await accept(disputeOf(client, sale, first, 'lost', { amount_minor: 7_000 }));
    expectRefusal(await refundOf(client, sale, { amount_minor: 3_001 }), 422, 'REFUND_EXCEEDS_PURCHASE', ['amount_minor']);
    await accept(disputeOf(client, sale, first, 'won'));
    await accept(disputeOf(client, sale, second, 'lost', { amount_minor: 5_000 }));
    await accept(refundOf(client, sale, {}));
    expect(await balanceOf(client, member)).toMatchObject({ pending: 0, total: 0 });
    expect(await standing(sale)).toMatch(/^commission reversed 1000(, \w+ reversed -?\d+)+$/);
  });
});

describe('two disputes about one purchase', () => {
  test('the lines stay on hold until the last open one is decided', async () => {
    const { sale } = await saleOfOne();
    const [first, second] = [newDispute(), newDispute()];
    await accept(disputeOf(client, sale, first, 'opened', { amount_minor: 2_000 }));
    const also = await accept(disputeOf(client, sale, second, 'opened', { amount_minor: 3_000 }));
    expect(also.body.moved_commission_ids).toEqual([]);
    const lost = await accept(disputeOf(client, sale, first, 'lost'));
    expect(lost.body).toMatchObject({ moved_commission_ids: [], commissions: [{ amount_minor: -200, status: 'held' }] });
    const won = await accept(disputeOf(client, sale, second, 'won'));
    expect(won.body.moved_commission_ids).toHaveLength(2);
    expect(await standing(sale)).toBe('commission pending 1000, reversal pending -200');
  });

  test('one won after it was lost, while another is open: the reinstatement is on hold too', async () => {
    const { sale } = await saleOfOne();
    const [first, second] = [newDispute(), newDispute()];
    await accept(disputeOf(client, sale, first, 'lost', { amount_minor: 2_000 }));
    await accept(disputeOf(client, sale, second, 'opened', { amount_minor: 1_000 }));
    await accept(disputeOf(client, sale, first, 'won'));
    expect(await standing(sale)).toBe('commission held 1000, reversal held -200, reinstatement held 200');
    await accept(disputeOf(client, sale, second, 'won'));
    expect(await standing(sale)).toBe('commission pending 1000, reversal pending -200, reinstatement pending 200');
  });

  test('a line that is reinstated whole while another dispute is open is on hold', async () => {
    const { sale } = await saleOfOne();
    const [first, second] = [newDispute(), newDispute()];
    await accept(disputeOf(client, sale, second, 'opened', { amount_minor: 1_000 }));
    await accept(disputeOf(client, sale, first, 'lost'));
    expect(await standing(sale)).toBe('commission reversed 1000, reversal reversed -1000');
    await accept(disputeOf(client, sale, first, 'won'));
    expect(await standing(sale)).toBe('commission reversed 1000, reversal reversed -1000, reinstatement held 1000');
    await accept(disputeOf(client, sale, second, 'won'));
    expect(await standing(sale)).toMatch(/reinstatement pending 1000$/);
  });

  test('together they cannot take more than the purchase', async () => {
    const { sale } = await saleOfOne();
    const [first, second] = [newDispute(), newDispute()];
    for (const dispute of [first, second]) await accept(disputeOf(client, sale, dispute, 'opened', { amount_minor: 6_000 }));
    await accept(disputeOf(client, sale, first, 'lost'));
    const answer = await disputeOf(client, sale, second, 'lost', { amount_minor: 6_000 });
    expectRefusal(answer, 422, 'REFUND_EXCEEDS_PURCHASE', ['amount_minor']);
    expect((await accept(disputeOf(client, sale, second, 'lost'))).body).toMatchObject({
      amount_minor: 4_000,
      remaining_minor: 0,
    });
    await accept(disputeOf(client, sale, first, 'won'));
    expect(await standing(sale)).toBe(
      'commission reversed 1000, reversal reversed -600, reversal reversed -400, reinstatement pending 600',
    );
  });
});

test('a purchase that is dated ahead of now can be refunded and disputed at once', async () => {
  const ahead = new Date(Date.now() + 300_000).toISOString();
  const { sale } = await saleOfOne({ occurred_at: ahead });
  const refund = await accept(refundOf(client, sale, { amount_minor: 1_000 }));
  const lost = await accept(disputeOf(client, sale, newDispute(), 'lost'));
  for (const { body } of [refund, lost]) {
    expect((await client.get(`/api/v1/events/${body.event_id}`)).body.occurred_at).toBe(ahead);
  }
});

describe('refused, and nothing changes', () => {
  test.each([
    ['more than the purchase', { amount_minor: 10_001 }, 422, 'REFUND_EXCEEDS_PURCHASE', 'amount_minor'],
    ['nothing', { amount_minor: 0 }, 400, 'VALIDATION_ERROR', 'amount_minor'],
    ['less than nothing', { amount_minor: -1 }, 400, 'VALIDATION_ERROR', 'amount_minor'],
    ['another currency', { currency: 'EUR' }, 422, 'CURRENCY_MISMATCH', 'currency'],
    ['before the purchase', { occurred_at: '2024-01-01T00:00:00Z' }, 400, 'VALIDATION_ERROR', 'occurred_at'],
    ['ahead of now', { occurred_at: '2999-01-01T00:00:00Z' }, 400, 'VALIDATION_ERROR', 'occurred_at'],
    ['no dispute', { dispute_id: undefined }, 400, 'VALIDATION_ERROR', 'dispute_id'],
    ['an empty dispute', { dispute_id: '' }, 400, 'VALIDATION_ERROR', 'dispute_id'],
    ['an unknown stage', { stage: 'settled' }, 400, 'VALIDATION_ERROR', 'stage'],
    ['an unknown field', { note: 'x' }, 400, 'VALIDATION_ERROR', 'note'],
    ['an unknown purchase', { purchase_external_event_id: 'never' }, 404, 'NOT_FOUND', undefined],
  ] as const)('%s', async (_label, fields, status, code, field) => {
    const { sale } = await saleOfOne();
    const before = await digestRows(app.database);
    for (const stage of ['opened', 'lost']) {
      const answer = await disputeOf(client, sale, newDispute(), stage, fields);
      expectRefusal(answer, status, code, field && [field]);
    }
    expect(await digestRows(app.database)).toBe(before);
  });

  test('of a refund or a manual commission: only a purchase can be disputed', async () => {
    const { member, sale } = await saleOfOne();
    const refund = await refundOf(client, sale, { amount_minor: 1 });
    expectRefusal(await disputeOf(client, { ...sale, ...refund.body }, newDispute(), 'lost'), 404, 'NOT_FOUND');
    const bonus = await client.post('/api/v1/events/commission', {
      external_event_id: newDispute(),
      type: 'bonus',
      user_id: member.id,
      amount_minor: 100,
      currency: 'USD',
      description: 'x',
      actor: 'y',
    });
    expectRefusal(await disputeOf(client, { ...sale, ...bonus.body }, newDispute(), 'lost'), 404, 'NOT_FOUND');
  });

  test('of a purchase that was refunded in full', async () => {
    const { sale } = await saleOfOne();
    await accept(refundOf(client, sale, {}));
    for (const stage of ['opened', 'lost']) {
      expectRefusal(await disputeOf(client, sale, newDispute(), stage), 422, 'REFUND_EXCEEDS_PURCHASE');
    }
  });

  test('a dispute of another purchase is 409; in another tenant or environment the id is free', async () => {
    const { sale } = await saleOfOne();
    const other = await saleOfOne();
    const dispute = newDispute();
    await accept(disputeOf(client, sale, dispute, 'opened'));
    for (const stage of ['opened', 'lost', 'won']) {
      expectRefusal(await disputeOf(client, other.sale, dispute, stage), 409, 'STATE_CONFLICT');
    }
    expect(await standing(other.sale)).toBe('commission pending 1000');
    for (const key of [tenant.sandboxKey, (await app.newTenant()).liveKey]) {
      const stranger = apiClient(app, key);
      expectRefusal(await disputeOf(stranger, sale, dispute, 'lost'), 404, 'NOT_FOUND');
      const own = await purchaseOf(stranger, {});
      expectRefusal(await disputeOf(stranger, own, dispute, 'won'), 409, 'STATE_CONFLICT');
      await accept(disputeOf(stranger, own, dispute, 'lost'));
    }
  });
});

describe('a repeat', () => {
  test('of each stage is the first answer, whatever came after', async () => {
    const upline = await newUpline(client, 'D D D');
    const sale = await purchaseOf(client, { occurred_at: old, attribution: { user_id: upline[0]?.id } });
    await clear();
    const dispute = newDispute();
    const stages = ['opened', 'lost', 'won'];
    const id = (stage: string) => ({ external_event_id: `${dispute}-${stage}` });
    const first: string[] = [];
    for (const stage of stages) {
      const { text } = await accept(disputeOf(client, sale, dispute, stage, id(stage)));
      const again = await disputeOf(client, sale, dispute, stage, id(stage));
      expect([again.status, again.text]).toEqual([200, text]);
      first.push(text);
    }
    await accept(refundOf(client, sale, {}));
    const before = await digestRows(app.database);
    for (const [index, stage] of stages.entries()) {
      const again = await disputeOf(client, sale, dispute, stage, id(stage));
      expect([again.status, again.text]).toEqual([200, first[index]]);
    }
    expect(await digestRows(app.database)).toBe(before);
  });

  test('with other content is 409 and names it', async () => {
    const { sale } = await saleOfOne();
    const other = await saleOfOne();
    const dispute = newDispute();
    const id = { external_event_id: `${dispute}-lost` };
    await accept(disputeOf(client, sale, dispute, 'lost', { ...id, amount_minor: 100 }));
    for (const [fields, named] of [
      [{ amount_minor: 101 }, ['amount_minor']],
      [{ amount_minor: undefined }, ['amount_minor']],
      [{ amount_minor: 100, stage: 'opened' }, ['stage']],
      [{ amount_minor: 100, dispute_id: 'else', reason: 'r' }, ['dispute_id', 'reason']],
      [{ amount_minor: 100, purchase_external_event_id: other.sale.external_event_id }, ['purchase_external_event_id']],
      [{ amount_minor: 100, purchase_external_event_id: 'never' }, ['purchase_external_event_id']],
    ] as const) {
      expectRefusal(await disputeOf(client, sale, dispute, 'lost', { ...id, ...fields }), 409, 'EVENT_ID_REUSED', [...named]);
    }
    const refund = await refundOf(client, sale, { ...id, amount_minor: 100 });
    expectRefusal(refund, 409, 'EVENT_ID_REUSED', ['dispute_id', 'stage']);
  });
});

describe('at once', () => {
  const statuses = (answers: Response[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);

  test('the same post ten times: one 201, nine times its answer', async () => {
    const { sale } = await saleOfOne();
    const dispute = newDispute();
    const posts = Array.from({ length: 10 }, () => disputeOf(client, sale, dispute, 'lost', { external_event_id: dispute }));
    const answers = await Promise.all(posts);
    expect(statuses(answers)).toEqual([...Array.from({ length: 9 }, () => 200), 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await standing(sale)).toBe('commission reversed 1000, reversal reversed -1000');
  });

  test('one stage under ten ids: one 201, the others 409', async () => {
    const { sale } = await saleOfOne();
    const dispute = newDispute();
    const answers = await Promise.all(Array.from({ length: 10 }, () => disputeOf(client, sale, dispute, 'opened')));
    expect(statuses(answers)).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  });

  test('one dispute about two purchases: one has it', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await saleOfOne(), await saleOfOne()];
      const dispute = newDispute();
      const answers = await Promise.all([a, b].map(({ sale }) => disputeOf(client, sale, dispute, 'opened')));
      expect(statuses(answers)).toEqual([201, 409]);
    }
  });

  test('won and lost: lost first and won after it, or won alone', async () => {
    for (let round = 0; round < 5; round++) {
      const { member, sale } = await saleOfOne();
      const dispute = newDispute();
      await accept(disputeOf(client, sale, dispute, 'opened'));
      const [won, lost] = await Promise.all(['won', 'lost'].map((stage) => disputeOf(client, sale, dispute, stage)));
      expect(won?.status).toBe(201);
      expect([201, 409]).toContain(lost?.status);
      expect(await balanceOf(client, member)).toMatchObject({ pending: 10 });
    }
  });

  test('lost and a refund of the whole: one takes all, the other finds nothing left', async () => {
    for (let round = 0; round < 5; round++) {
      const { member, sale } = await saleOfOne();
      const answers = await Promise.all([disputeOf(client, sale, newDispute(), 'lost'), refundOf(client, sale, {})]);
      expect(statuses(answers)).toEqual([201, 422]);
      expect(await balanceOf(client, member)).toMatchObject({ total: 0 });
    }
  });
});
