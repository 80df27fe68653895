/**
 * Hold, release and void, and the explanation of one commission: docs/specification/commissions.md#actions,
 * docs/specification/commissions.md#states.
 */
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { digestRows } from '../../support/database/walls.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { balanceOf, disputeOf, type LineBody, purchaseOf, refundOf, type Sale } from '../../support/money/money-calls.ts';
import { moveLines, payOut } from '../../support/money/pay-out.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

const ACTIONS = ['hold', 'release', 'void'] as const;
type Action = (typeof ACTIONS)[number];
const old = new Date(Date.now() - 60 * 86_400_000).toISOString();

const act = (line: { id: string } | undefined, action: Action, body: object = {}, as: ApiClient = client): Promise<Response> =>
  as.post(`/api/v1/commissions/${line?.id}/${action}`, body);
const explain = async (line: { id: string }) => (await client.get(`/api/v1/commissions/${line.id}/explain`)).body;
const clear = () => app.runSweep('clear-commissions', { tenantId: tenant.tenantId, environment: 'LIVE' });

interface One {
  member: MemberBody;
  sale: Sale;
  line: LineBody;
}

/** A sale of 100.00 that pays a new member 10.00. */
async function saleOfOne(fields: object = {}): Promise<One> {
  const [member] = await newUpline(client, 'O');
  const sale = await purchaseOf(client, { attribution: { user_id: member?.id }, ...fields });
  const [line] = sale.commissions;
  if (!member || !line) throw new Error('nobody was paid');
  return { member, sale, line };
}

/** Every line of the family: `commission held 1000, reversal held -300`. */
async function standing({ line }: One): Promise<string> {
  const { commission, linked } = await explain(line);
  return [commission, ...linked].map((each) => `${each.kind} ${each.status} ${each.amountMinor}`).join(', ');
}

/** How a line comes to be in each state. */
const STATES: Record<string, () => Promise<One>> = {
  pending: () => saleOfOne(),
  cleared: async () => {
    const one = await saleOfOne({ occurred_at: old });
    await clear();
    return one;
  },
  held: async () => {
    const one = await saleOfOne();
    await act(one.line, 'hold');
    return one;
  },
  processing: async () => {
    const one = await saleOfOne({ occurred_at: old });
    await clear();
    await moveLines(app, [one.line.id], 'processing');
    return one;
  },
  paid: async () => {
    const one = await saleOfOne();
    await payOut(app, [one.line.id]);
    return one;
  },
  'reversed by a refund': async () => {
    const one = await saleOfOne();
    await refundOf(client, one.sale, {});
    return one;
  },
  'reversed by a void': async () => {
    const one = await saleOfOne();
    await act(one.line, 'void');
    return one;
  },
};

/** What may be done from which status (docs/specification/commissions.md#actions); all else is a conflict. */
const TABLE: [state: string, action: Action, becomes: string][] = [
  ['pending', 'hold', 'held'],
  ['cleared', 'hold', 'held'],
  ['held', 'release', 'pending'],
  ['pending', 'void', 'reversed'],
  ['held', 'void', 'reversed'],
  ['cleared', 'void', 'reversed'],
];

describe('the state machine', () => {
  test.each(TABLE)('%s: %s makes it %s', async (state, action, becomes) => {
    const one = await STATES[state]?.();
    if (!one) throw new Error(`no way to ${state}`);
    const answer = await act(one.line, action, { reason: 'because' });
    expect([answer.status, answer.body.status]).toEqual([200, becomes]);
    expect(answer.body).toMatchObject({
      id: one.line.id,
      holdCause: becomes === 'held' ? 'manual' : null,
      holdReason: becomes === 'held' ? 'because' : null,
    });
    expect((await client.get(`/api/v1/commissions/${one.line.id}`)).body).toEqual(answer.body);
    expect(await balanceOf(client, one.member)).toMatchObject(
      becomes === 'reversed' ? { pending: 0, cleared: 0, total: 0 } : { pending: 10, cleared: 0, total: 10 },
    );
    const { actions } = await explain(one.line);
    expect(actions.at(-1)).toMatchObject({ action, fromStatus: state, toStatus: becomes, reason: 'because' });
    const { keyId, createdBy } = actions.at(-1);
    expect(keyId).toMatch(/^[0-9a-f-]{36}$/);
    expect(createdBy).toEqual({ kind: 'api_key', id: keyId, name: null });
    const [entry] = (await client.get(`/api/v1/admin/audit-logs?objectId=${one.line.id}`)).body.data;
    expect(entry).toMatchObject({
      action: `commission.${{ hold: 'held', release: 'released', void: 'voided' }[action]}`,
      actor: { kind: 'api_key', id: keyId },
      operationId: `${action}Commission`,
      objectKind: 'commission',
      details: { userId: one.member.id, from: state, to: becomes, amountMinor: `${answer.body.amountMinor}`, currency: 'USD' },
    });
    expect(JSON.stringify(entry)).not.toContain('because');
  });

  const refused = Object.keys(STATES).flatMap((state) =>
    ACTIONS.filter((action) => !TABLE.some(([from, by]) => from === state && by === action)).map(
      (action) => [state, action] as const,
    ),
  );

  test.each(refused)('%s: %s is a conflict and changes nothing', async (state, action) => {
    const one = await STATES[state]?.();
    const before = await digestRows(app.database);
    expectRefusal(await act(one?.line, action), 409, 'STATE_CONFLICT');
    expect(await digestRows(app.database)).toBe(before);
  });

  test('released by the clock: cleared when it is due, in the ledger too', async () => {
    const one = await saleOfOne({ occurred_at: old });
    await act(one.line, 'hold');
    await clear();
    expect(await standing(one)).toBe('commission held 1000');
    expect((await act(one.line, 'release')).body).toMatchObject({ status: 'cleared' });
    expect(await balanceOf(client, one.member)).toMatchObject({ pending: 0, cleared: 10 });
    await act(one.line, 'hold');
    expect(await balanceOf(client, one.member)).toMatchObject({ pending: 10, cleared: 0 });
  });
});

describe('the family of a line acts together', () => {
  test.each(['the line', 'what takes it back'])('through the id of %s', async (through) => {
    const one = await saleOfOne();
    await act(one.line, 'hold', { reason: 'first' });
    await act(one.line, 'release');
    const { body: refund } = await refundOf(client, one.sale, { amount_minor: 3_000 });
    const by = through === 'the line' ? one.line : refund.commissions[0];
    expect((await act(by, 'hold', { reason: 'look' })).body).toMatchObject({ id: by.id, status: 'held' });
    expect(await standing(one)).toBe('commission held 1000, reversal held -300');
    expect((await explain(one.line)).actions).toMatchObject([{ reason: 'first' }, { action: 'release' }, { reason: 'look' }]);
    expect((await explain(refund.commissions[0])).actions).toMatchObject([{ action: 'hold', reason: 'look' }]);
    await act(by, 'release');
    expect(await standing(one)).toBe('commission pending 1000, reversal pending -300');
    expect((await act(by, 'void')).body).toMatchObject({ id: by.id, status: 'reversed' });
    expect(await standing(one)).toBe('commission reversed 1000, reversal reversed -300, reversal reversed -700');
    expect(await balanceOf(client, one.member)).toMatchObject({ total: 0 });
    for (const action of ACTIONS) expectRefusal(await act(by, action), 409, 'STATE_CONFLICT');
  });

  test('a clawback is not held, released or void: it goes with a line that is paid', async () => {
    const one = await saleOfOne();
    await payOut(app, [one.line.id]);
    const { body } = await refundOf(client, one.sale, {});
    for (const action of ACTIONS) expectRefusal(await act(body.commissions[0], action), 409, 'STATE_CONFLICT');
    expect(await balanceOf(client, one.member)).toMatchObject({ cleared: -10 });
  });

  test('a hold by hand outlasts a dispute that is lost and won, until it is released', async () => {
    const one = await saleOfOne();
    expect((await act(one.line, 'hold')).status).toBe(200);
    const dispute = randomUUID();
    await disputeOf(client, one.sale, dispute, 'lost');
    await disputeOf(client, one.sale, dispute, 'won');
    expect(await standing(one)).toBe('commission reversed 1000, reversal reversed -1000, reinstatement held 1000');
    expect((await act(one.line, 'release')).body.status).toBe('reversed');
    const again = randomUUID();
    await disputeOf(client, one.sale, again, 'lost');
    await disputeOf(client, one.sale, again, 'won');
    expect(await standing(one)).toMatch(/^commission reversed 1000, .*, reinstatement pending 1000$/);
  });

  test('a hold by hand is not ended with another dispute that was open when it came back', async () => {
    const one = await saleOfOne();
    expect((await act(one.line, 'hold')).status).toBe(200);
    const [lost, open] = [randomUUID(), randomUUID()];
    await disputeOf(client, one.sale, lost, 'lost');
    await disputeOf(client, one.sale, open, 'opened', { amount_minor: 1 });
    await disputeOf(client, one.sale, lost, 'won');
    await disputeOf(client, one.sale, open, 'won');
    expect(await standing(one)).toBe('commission reversed 1000, reversal reversed -1000, reinstatement held 1000');
  });

  test('void of what a dispute holds, and of what it has reinstated', async () => {
    const held = await saleOfOne();
    const dispute = randomUUID();
    await disputeOf(client, held.sale, dispute, 'opened');
    expect((await act(held.line, 'hold')).status).toBe(409);
    expect((await act(held.line, 'void')).body.status).toBe('reversed');
    expect((await disputeOf(client, held.sale, dispute, 'won')).body).toMatchObject({
      moved_commission_ids: [],
      commissions: [],
    });

    const back = await saleOfOne();
    const other = randomUUID();
    await disputeOf(client, back.sale, other, 'lost');
    const won = await disputeOf(client, back.sale, other, 'won');
    expect((await act(back.line, 'hold')).status).toBe(200); // the original is reversed; what stands for it is held
    expect(await standing(back)).toBe('commission reversed 1000, reversal reversed -1000, reinstatement held 1000');
    expect((await act(won.body.commissions[0], 'void')).body.status).toBe('reversed');
    expect(await balanceOf(client, back.member)).toMatchObject({ total: 0 });
  });

  test('a void is the last word: refunds take nothing more and give nothing back', async () => {
    const one = await saleOfOne();
    await refundOf(client, one.sale, { amount_minor: 1_000 });
    await act(one.line, 'void');
    for (const amount of [2_000, 3_000, 4_000]) {
      expect((await refundOf(client, one.sale, { amount_minor: amount })).body.commissions).toEqual([]);
      expect(await balanceOf(client, one.member)).toMatchObject({ pending: 0, cleared: 0, total: 0 });
    }
  });
});

describe('at once', () => {
  const statuses = (answers: Response[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);

  test.each([
    ['hold', 'pending'],
    ['release', 'held'],
    ['void', 'cleared'],
  ] as const)('%s of a %s line five times: one does it', async (action, state) => {
    const one = await STATES[state]?.();
    const answers = await Promise.all(Array.from({ length: 5 }, () => act(one?.line, action)));
    expect(statuses(answers)).toEqual([200, 409, 409, 409, 409]);
  });

  test('void and a refund in part: together they take it back once', async () => {
    for (let round = 0; round < 8; round++) {
      const one = await saleOfOne();
      const answers = await Promise.all([act(one.line, 'void'), refundOf(client, one.sale, { amount_minor: 5_000 })]);
      expect(statuses(answers)).toEqual([200, 201]);
      expect(await balanceOf(client, one.member)).toMatchObject({ total: 0 });
    }
  });

  test('hold and a refund in part: all of it is held', async () => {
    for (let round = 0; round < 8; round++) {
      const one = await saleOfOne();
      await Promise.all([act(one.line, 'hold'), refundOf(client, one.sale, { amount_minor: 5_000 })]);
      expect(await standing(one)).toBe('commission held 1000, reversal held -500');
    }
  });

  test('hold, release, void, a refund and the sweep of a due line, in any order', async () => {
    for (let round = 0; round < 5; round++) {
      const one = await saleOfOne({ occurred_at: old });
      await refundOf(client, one.sale, { amount_minor: 1_111 });
      const answers = await Promise.all([
        ...ACTIONS.map((action) => act(one.line, action)),
        refundOf(client, one.sale, { amount_minor: 2_222 }),
        clear(),
      ]);
      const odd = answers.filter((answer) => typeof answer !== 'number' && ![200, 201, 409].includes(answer.status));
      expect(odd).toEqual([]);
      expect(await balanceOf(client, one.member)).toMatchObject({ total: 0 }); // void wins, whatever came before
    }
  });
});

describe('refused', () => {
  test('a line of another tenant or environment is the 404 of one that does not exist', async () => {
    const one = await saleOfOne();
    const before = await digestRows(app.database);
    const absent = await act({ id: randomUUID() }, 'hold');
    expectRefusal(absent, 404, 'NOT_FOUND');
    for (const key of [tenant.sandboxKey, (await app.newTenant()).liveKey]) {
      const stranger = apiClient(app, key);
      for (const action of ACTIONS) {
        const answer = await act(one.line, action, {}, stranger);
        expect([answer.status, answer.text]).toEqual([404, absent.text]);
      }
      for (const path of ['', '/explain']) {
        const answer = await stranger.get(`/api/v1/commissions/${one.line.id}${path}`);
        expect([answer.status, answer.text]).toEqual([404, absent.text]);
      }
    }
    expect(await standing(one)).toBe('commission pending 1000');
    expect(before).not.toBe(''); // the new tenant is the only change
  });

  test.each([
    ['an unknown field', { why: 'x' }, 'why'],
    ['a blank reason', { reason: ' ' }, 'reason'],
    ['a reason of 501 characters', { reason: 'x'.repeat(501) }, 'reason'],
    ['a reason that is no text', { reason: 5 }, 'reason'],
  ])('%s', async (_label, body, field) => {
    const one = await saleOfOne();
    expectRefusal(await act(one.line, 'hold', body), 400, 'VALIDATION_ERROR', [field]);
    expectRefusal(await act({ id: 'mine' }, 'hold'), 400, 'VALIDATION_ERROR', ['commissionId']);
  });

  test('a repeat under the Idempotency-Key of the first is its answer, not a conflict', async () => {
    const one = await saleOfOne();
    const key = { 'idempotency-key': randomUUID() };
    const path = `/api/v1/commissions/${one.line.id}/void`;
    const first = await client.post(path, { reason: 'fraud' }, key);
    const again = await client.post(path, { reason: 'fraud' }, key);
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
    expect((await explain(one.line)).actions).toHaveLength(1);
  });
});

describe('the explanation of a commission', () => {
  /** What the ledger of the explanation comes to, by account; accounts at 0 left out. */
  const accountsOf = ({ ledger }: { ledger: { account: string; amountMinor: number }[] }) => {
    const sums: Record<string, number> = {};
    for (const { account, amountMinor } of ledger) sums[account] = (sums[account] ?? 0) + amountMinor;
    return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
  };

  test('follows the money wherever it is moved: cleared, disputed, won, held, released, void', async () => {
    const one = await saleOfOne({ occurred_at: old });
    const dispute = randomUUID();
    const steps: [step: () => Promise<unknown>, accounts: Record<string, number>][] = [
      [async () => undefined, { 'member:pending': 1_000 }],
      [clear, { 'member:cleared': 1_000 }],
      [() => disputeOf(client, one.sale, dispute, 'opened'), { 'member:pending': 1_000 }],
      [() => disputeOf(client, one.sale, dispute, 'won'), { 'member:cleared': 1_000 }],
      [() => act(one.line, 'hold'), { 'member:pending': 1_000 }],
      [() => act(one.line, 'release'), { 'member:cleared': 1_000 }],
      [() => act(one.line, 'void'), {}],
    ];
    for (const [step, accounts] of steps) {
      await step();
      expect(accountsOf(await explain(one.line))).toEqual(accounts);
    }
  });

  test('its arithmetic, and what is left of it with everything linked', async () => {
    const capped = await app.newTenant();
    await publishPlan(app, capped, {
      caps: { perEventPayoutBps: 800, perMemberPeriodMinor: { USD: 250 } },
      tierRules: { ORDINARY: { multiplierMilli: 1_500, maxDepth: 5 } },
    });
    const own = apiClient(app, capped.liveKey);
    const upline = await newUpline(own, 'O O');
    const sale = await purchaseOf(own, { amount_minor: 4_999, attribution: { user_id: upline[0]?.id } });
    // 749.85 and 374.925 come to 750 + 375; the ceiling is 399: 266 + 133; the first is capped to 250.
    expect(sale.commissions.map((line) => line.amount_minor)).toEqual([250, 133]);
    await refundOf(own, sale, { amount_minor: 2_000 });
    const { body } = await own.get(`/api/v1/commissions/${sale.commissions[0]?.id}/explain`);
    expect(body.calculation).toEqual({
      exact: { numerator: `${4_999 * 1_000 * 1_500}`, denominator: '10000000' },
      steps: [
        'level 1, paid as level 1: 10 % of 49.99 USD, times 1.5: 7.5 USD',
        'scaled with all lines to the ceiling of the event: 2.66 USD',
        'a cap (member_period) takes off 0.16 USD: 2.5 USD',
      ],
    });
    expect(body).toMatchObject({ netMinor: 150, linked: [{ kind: 'reversal', amountMinor: -100, status: 'pending' }] });
    expect(body.commission).toMatchObject({ cappedMinor: 16, cap: 'member_period', baseMinor: 4_999, multiplierMilli: 1_500 });
  });
});
