/**
 * POST /events/commission: bonus, adjustment, correction and write_off (docs/specification/events.md#manual,
 * docs/specification/commissions.md#recovery).
 */
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_PLAN } from '../../../src/features/commissions/open/plan-definition.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { digestRows } from '../../support/database/walls.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { balanceOf, purchaseOf, refundOf } from '../../support/money/money-calls.ts';
import { payOut } from '../../support/money/pay-out.ts';
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

const DAY_MS = 86_400_000;
const old = new Date(Date.now() - 60 * DAY_MS).toISOString();

const bodyOf = (member: MemberBody | undefined, fields: object = {}) => ({
  external_event_id: `manual-${randomUUID()}`,
  type: 'bonus',
  user_id: member?.id,
  amount_minor: 2_500,
  currency: 'USD',
  description: 'Best newcomer',
  actor: 'kim@shop.example',
  ...fields,
});
const post = (body: object, as: ApiClient = client) => as.post('/api/v1/events/commission', body);
const clear = (of: TestTenant = tenant) => app.runSweep('clear-commissions', { tenantId: of.tenantId, environment: 'LIVE' });

/** A member who was paid 10.00 for a sale that was refunded since. */
async function newDebtor(as: ApiClient = client): Promise<MemberBody> {
  const [member] = await newUpline(as, 'O');
  const sale = await purchaseOf(as, { attribution: { user_id: member?.id } });
  await payOut(
    app,
    sale.commissions.map((line) => line.id),
  );
  await refundOf(as, sale, {});
  if (!member) throw new Error('no member');
  return member;
}

describe('a bonus', () => {
  test('is held like a commission of today, and its event says who decided it and why', async () => {
    const member = await client.newMember();
    const body = bodyOf(member);
    const answer = await post(body);
    expect(answer.status).toBe(201);
    const sale = await purchaseOf(client, { attribution: { user_id: member.id } });
    expect(answer.body).toEqual({
      ...body,
      event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created_by: { kind: 'api_key', id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: null },
      kind: 'commission',
      status: 'accepted',
      commissions: [
        {
          ...sale.commissions[0],
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          kind: 'bonus',
          level: 0,
          paid_level: 0,
          rate_bps: 0,
          base_minor: 0,
          amount_minor: 2_500,
        },
      ],
    });
    const event = await client.get(`/api/v1/events/${answer.body.event_id}`);
    expect(event.body).toMatchObject({
      kind: 'commission',
      type: 'bonus',
      amount_minor: 2_500,
      attribution: { user_id: member.id, rule: null },
      customer: null,
      purchase: null,
      plan_version_id: null,
      description: 'Best newcomer',
      actor: 'kim@shop.example',
      created_by: answer.body.created_by,
      commissions: answer.body.commissions,
    });
    expect(await balanceOf(client, member)).toMatchObject({ pending: 35, cleared: 0 });
  });

  test('of long ago clears with the next sweep', async () => {
    const member = await client.newMember();
    await post(bodyOf(member, { occurred_at: old }));
    expect(await balanceOf(client, member)).toMatchObject({ pending: 25, cleared: 0 });
    await clear();
    expect(await balanceOf(client, member)).toMatchObject({ pending: 0, cleared: 25 });
  });

  test('clears by the holding of the plan in force at its time, in the tenant’s zone', async () => {
    const zoned = await app.newTenant({ timeZone: 'Pacific/Auckland' });
    const other = apiClient(app, zoned.liveKey);
    const member = await other.newMember();
    await publishPlan(app, zoned, { holding: { days: 7 } }, '2026-04-01T00:00:00Z');
    const clearsAt = async (occurredAt: string) =>
      (await post(bodyOf(member, { occurred_at: occurredAt }), other)).body.commissions[0].clears_at;
    // 31 March 23:30 in Auckland (+13); 30 days later it is 1 May at +12.
    expect(await clearsAt('2026-03-31T10:30:00Z')).toBe('2026-04-30T12:00:00.000Z');
    expect(await clearsAt('2026-04-01T00:00:00Z')).toBe('2026-04-08T12:00:00.000Z');
  });

  test('clears by the plan of the highest priority that is not for types of sales alone', async () => {
    const typed = await app.newTenant();
    const as = apiClient(app, typed.liveKey);
    const plan = async (days: number, scope: object) => {
      const definition = {
        ...DEFAULT_PLAN,
        holding: { days, appliesTo: 'all_levels' },
        minimumPayoutMinor: { USD: 5_000 },
        scope,
      };
      const draft = await as.post('/api/v1/commission-plans', { name: `Plan ${days}`, definition });
      expect(draft.status, draft.text).toBe(201);
      const published = await as.post(`/api/v1/commission-plans/${draft.body.id}/publish`, {});
      expect(published.status, published.text).toBe(201);
    };
    await plan(3, { types: ['subscription_initial', 'subscription_renewal'], priority: 9 });
    await plan(5, { types: null, priority: 2 });
    await plan(7, { types: null, priority: 1 });
    const { body } = await post(bodyOf(await as.newMember()), as);
    const [line] = (await as.get(`/api/v1/commissions?eventId=${body.event_id}`)).body.data;
    const midnight = Math.floor(Date.parse(line.occurredAt) / DAY_MS) * DAY_MS;
    expect(Date.parse(line.clearsAt)).toBe(midnight + 6 * DAY_MS);
  });

  test('names the key that recorded it, also in a batch and to a repeat, with the name that it has', async () => {
    const member = await client.newMember();
    const [key] = await app.database.asSuperuser<{ id: string }>(
      "update api_key set name = 'Back office' where tenant_id = $1 and environment = 'LIVE' returning id",
      [tenant.tenantId],
    );
    const createdBy = { kind: 'api_key', id: key?.id, name: 'Back office' };
    const [one, two] = [bodyOf(member), bodyOf(member)];
    const first = await post(one);
    const batch = await client.post('/api/v1/events/batch', { events: [{ kind: 'commission', ...two }] });
    expect([first.body.created_by, batch.body.results[0].body.created_by]).toEqual([createdBy, createdBy]);
    expect((await post(one)).body).toEqual(first.body);
    await app.database.asSuperuser('update api_key set name = null where id = $1', [key?.id]);
    const unnamed = { ...createdBy, name: null };
    for (const body of [one, two]) expect((await post(body)).body).toMatchObject({ created_by: unnamed, actor: body.actor });
  });

  test('without holding days it waits for the sweep only', async () => {
    const unheld = await app.newTenant();
    const other = apiClient(app, unheld.liveKey);
    await publishPlan(app, unheld, { holding: { days: 0 } });
    const member = await other.newMember();
    const { body } = await post(bodyOf(member, { occurred_at: '2026-05-01T00:00:00Z' }), other);
    expect(body.commissions).toMatchObject([{ status: 'pending', clears_at: '2026-05-01T00:00:00.000Z' }]);
    await clear(unheld);
    expect(await balanceOf(other, member)).toMatchObject({ pending: 0, cleared: 25 });
  });

  test('takes no room under a member’s cap, nor does its void give any', async () => {
    const capped = await app.newTenant();
    const other = apiClient(app, capped.liveKey);
    await publishPlan(app, capped, { caps: { perMemberPeriodMinor: { USD: 1_500 } } });
    const [member] = await newUpline(other, 'O');
    const sell = async () =>
      (await purchaseOf(other, { attribution: { user_id: member?.id } })).commissions.map((line) => line.amount_minor);
    const bonus = await post(bodyOf(member, { amount_minor: 9_000 }), other);
    const charge = await post(bodyOf(member, { type: 'adjustment', amount_minor: -9_000 }), other);
    expect(await sell()).toEqual([1_000]);
    for (const { body } of [bonus, charge]) {
      const voided = await other.post(`/api/v1/commissions/${body.commissions[0].id}/void`, {});
      expect(voided.body).toMatchObject({ status: 'reversed' });
      if (body === bonus.body) expect(await sell()).toEqual([500]);
    }
    expect(await sell()).toEqual([]);
    expect(await balanceOf(other, member)).toMatchObject({ total: 15 });
  });
});

describe('an adjustment or a correction', () => {
  test.each([
    ['adjustment', 700, 'pending', { pending: 7, cleared: 0 }],
    ['correction', 1, 'pending', { pending: 0.01, cleared: 0 }],
    ['adjustment', -700, 'cleared', { pending: 0, cleared: -7 }],
    ['correction', -1, 'cleared', { pending: 0, cleared: -0.01 }],
    ['adjustment', -100_000_000, 'cleared', { cleared: -1_000_000 }],
  ])('%s of %d is %s', async (type, amount, status, balance) => {
    const member = await client.newMember();
    const answer = await post(bodyOf(member, { type, amount_minor: amount }));
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      type,
      amount_minor: amount,
      commissions: [{ kind: type, amount_minor: amount, status }],
    });
    expect(await balanceOf(client, member)).toMatchObject(balance);
    const event = await client.get(`/api/v1/events/${answer.body.event_id}`);
    expect(event.body.amount_minor).toBe(Math.abs(amount)); // an event's own amount has no sign
  });

  test('in another currency than the tenant’s leaves its balance alone', async () => {
    const member = await client.newMember();
    await post(bodyOf(member, { type: 'correction', currency: 'JPY', amount_minor: 500 }));
    expect(await balanceOf(client, member)).toMatchObject({ total: 0 });
  });

  test('posts to the expense, balanced, and can be explained', async () => {
    const member = await client.newMember();
    const { body } = await post(bodyOf(member, { type: 'adjustment', amount_minor: -700 }));
    const explained = await client.get(`/api/v1/events/${body.event_id}/explain`);
    expect(explained.body).toMatchObject({
      kind: 'commission',
      outcomes: [],
      inputs: null,
      plan: null,
      reversal: null,
      recomputed: null,
    });
    expect(explained.body.journal.postings).toEqual([
      { seq: 0, account: 'company:commission_expense', user_id: null, currency: 'USD', amount_minor: 700 },
      { seq: 1, account: 'member:cleared', user_id: member.id, currency: 'USD', amount_minor: -700 },
    ]);
    const line = await client.get(`/api/v1/commissions/${body.commissions[0].id}/explain`);
    expect(line.body).toMatchObject({ calculation: null, netMinor: -700, commission: { source: 'manual', level: 0 } });
  });
});

describe('a write_off', () => {
  const writeOff = (member: MemberBody, amount: number, fields: object = {}) =>
    post(bodyOf(member, { type: 'write_off', amount_minor: amount, ...fields }));

  test('forgives exactly what is owed, at once and at the cost of its own account', async () => {
    const member = await newDebtor();
    expect(await balanceOf(client, member)).toMatchObject({ cleared: -10, paid: 10 });
    const answer = await writeOff(member, 1_000);
    expect(answer.body).toMatchObject({ type: 'write_off', commissions: [{ kind: 'write_off', status: 'cleared' }] });
    expect(await balanceOf(client, member)).toMatchObject({ pending: 0, cleared: 0, paid: 10 });
    const { body } = await client.get(`/api/v1/events/${answer.body.event_id}/explain`);
    expect(body.journal.postings).toMatchObject([
      { account: 'company:write_off', amount_minor: -1_000 },
      { account: 'member:cleared', amount_minor: 1_000 },
    ]);
    expectRefusal(await writeOff(member, 1), 409, 'STATE_CONFLICT');
  });

  test('in parts, never one cent more than is owed', async () => {
    const member = await newDebtor();
    expectRefusal(await writeOff(member, 1_001), 409, 'STATE_CONFLICT');
    expect((await writeOff(member, 400)).status).toBe(201);
    expectRefusal(await writeOff(member, 601), 409, 'STATE_CONFLICT');
    expect((await writeOff(member, 600)).status).toBe(201);
    expect(await balanceOf(client, member)).toMatchObject({ cleared: 0 });
  });

  test('of somebody who owes nothing, or owes in another currency, or is owed: 409 and nothing changes', async () => {
    const debtor = await newDebtor();
    const owed = await client.newMember();
    await post(bodyOf(owed, { occurred_at: old }));
    await clear();
    const before = await digestRows(app.database);
    expectRefusal(await writeOff(await client.newMember(), 1), 409, 'STATE_CONFLICT');
    expectRefusal(await writeOff(debtor, 1, { currency: 'EUR' }), 409, 'STATE_CONFLICT');
    expectRefusal(await writeOff(owed, 1), 409, 'STATE_CONFLICT');
    expect(await digestRows(app.database)).not.toBe(before); // the new member
    const quiet = await digestRows(app.database);
    expectRefusal(await writeOff(debtor, 2_000), 409, 'STATE_CONFLICT');
    expect(await digestRows(app.database)).toBe(quiet);
  });

  test('what is pending does not lessen a debt', async () => {
    const member = await newDebtor();
    await post(bodyOf(member));
    expect((await writeOff(member, 1_000)).status).toBe(201);
    expect(await balanceOf(client, member)).toMatchObject({ pending: 25, cleared: 0 });
  });

  test('twenty at once of a debt of ten: ten are recorded', async () => {
    const member = await newDebtor();
    const answers = await Promise.all(Array.from({ length: 20 }, () => writeOff(member, 100)));
    expect(countOf(answers)).toEqual({ 201: 10, 409: 10 });
    expect(await balanceOf(client, member)).toMatchObject({ cleared: 0 });
  });

  test('the same one ten times at once: one 201 and its answer nine times', async () => {
    const member = await newDebtor();
    const body = bodyOf(member, { type: 'write_off', amount_minor: 1_000 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(body)));
    expect(countOf(answers)).toEqual({ 200: 9, 201: 1 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test('that is void is owed again', async () => {
    const member = await newDebtor();
    const { body } = await writeOff(member, 1_000);
    expect((await client.post(`/api/v1/commissions/${body.commissions[0].id}/void`, {})).body.status).toBe('reversed');
    expect(await balanceOf(client, member)).toMatchObject({ cleared: -10 });
    expect((await writeOff(member, 1_000)).status).toBe(201);
  });
});

describe('refused, and nothing changes', () => {
  test.each([
    ['nothing', { amount_minor: 0 }, 'amount_minor'],
    ['a negative bonus', { amount_minor: -1 }, 'amount_minor'],
    ['a negative write_off', { type: 'write_off', amount_minor: -1 }, 'amount_minor'],
    ['half a cent', { amount_minor: 0.5 }, 'amount_minor'],
    ['an amount beyond the bound', { amount_minor: 1_000_000_000_000_000 }, 'amount_minor'],
    ['an amount beyond the bound, charged', { type: 'adjustment', amount_minor: -1_000_000_000_000_000 }, 'amount_minor'],
    ['an unknown type', { type: 'commission' }, 'type'],
    ['an unknown currency', { currency: 'XXX' }, 'currency'],
    ['no description', { description: undefined }, 'description'],
    ['a blank description', { description: '  ' }, 'description'],
    ['no actor', { actor: undefined }, 'actor'],
    ['a malformed member', { user_id: 'me' }, 'user_id'],
    ['an unknown member', { user_id: randomUUID() }, 'user_id'],
    ['a time 11 minutes ahead', { occurred_at: new Date(Date.now() + 660_000).toISOString() }, 'occurred_at'],
    ['a time six years back', { occurred_at: new Date(Date.now() - 6 * 366 * DAY_MS).toISOString() }, 'occurred_at'],
    ['an unknown field', { level: 1 }, 'level'],
  ])('%s', async (_label, fields, field) => {
    const member = await client.newMember();
    const before = await digestRows(app.database);
    expectRefusal(await post(bodyOf(member, fields)), 400, 'VALIDATION_ERROR', [field]);
    expect(await digestRows(app.database)).toBe(before);
  });

  test('a member of another tenant or environment, with the answer of an unknown one', async () => {
    const stranger = apiClient(app, (await app.newTenant()).liveKey);
    const sandbox = apiClient(app, tenant.sandboxKey);
    const unknown = await post(bodyOf(undefined, { user_id: randomUUID() }));
    for (const foreign of [await stranger.newMember(), await sandbox.newMember()]) {
      const answer = await post(bodyOf(foreign));
      expect([answer.status, answer.text]).toEqual([400, unknown.text]);
    }
  });
});

describe('a repeat', () => {
  test('is the first answer, also once the line has cleared, was held or is void', async () => {
    const member = await client.newMember();
    const body = bodyOf(member, { occurred_at: old });
    const first = await post(body);
    const lineId = first.body.commissions[0].id;
    for (const change of [
      clear,
      ...['hold', 'release', 'void'].map((act) => () => client.post(`/api/v1/commissions/${lineId}/${act}`, {})),
    ]) {
      await change();
      const again = await post(body);
      expect([again.status, again.text]).toEqual([200, first.text]);
    }
    expect(await balanceOf(client, member)).toMatchObject({ total: 0 });
  });

  test('with other content is 409 and names what differs, for every field', async () => {
    const member = await client.newMember();
    const other = await client.newMember();
    const body = bodyOf(member, { type: 'adjustment' });
    await post(body);
    for (const [field, value] of Object.entries({
      type: 'correction',
      user_id: other.id,
      amount_minor: -2_500,
      currency: 'EUR',
      description: 'Else',
      actor: 'lee@shop.example',
      occurred_at: old,
    })) {
      expectRefusal(await post({ ...body, [field]: value }), 409, 'EVENT_ID_REUSED', [field]);
    }
    expect(await balanceOf(client, member)).toMatchObject({ pending: 25 });
  });

  test('the id of a purchase is taken; in the other environment it is free', async () => {
    const member = await client.newMember();
    const sale = await purchaseOf(client, {});
    expectRefusal(await post(bodyOf(member, { external_event_id: sale.external_event_id })), 409, 'EVENT_ID_REUSED');
    const sandbox = apiClient(app, tenant.sandboxKey);
    const answer = await post(bodyOf(await sandbox.newMember(), { external_event_id: sale.external_event_id }), sandbox);
    expect(answer.status).toBe(201);
  });
});

function countOf(answers: readonly Response[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
