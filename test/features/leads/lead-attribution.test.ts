/**
 * Whom a captured lead is credited to, and the receipts that say why: docs/specification/attribution.md#leads,
 * docs/specification/attribution.md#receipts.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { createClickIds } from '../../../src/features/referrals/open/click-ids.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantClick } from '../referrals/plant-click.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let sandbox: ApiClient;
let live: Scope;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
  live = { tenantId: tenant.tenantId, environment: 'LIVE' };
});
afterAll(() => app.close());

const fresh = () => `lead-${randomUUID()}@shop.example`;
const capture = async (body: object, by = client) => (await by.post('/api/v1/leads/capture', body)).body;
const receiptsOf = async (leadId: string, by = client) =>
  (await by.get(`/api/v1/referrals/attributions?lead_id=${leadId}`)).body.data;
const short = (receipt: { candidates: { source: string; reason: string | null }[] }) =>
  receipt.candidates.map(({ source, reason }) => [source, reason]);
const daysAgo = (days: number, plusMs = 0) => new Date(Date.now() - days * 86_400_000 + plusMs).toISOString();

test('a code credits its owner, and the receipt says so', async () => {
  const member = await client.newMember();
  const lead = await capture({ email: fresh(), referral_code: member.referral_code.toLowerCase() });
  const answer = await client.get(`/api/v1/referrals/attributions/${lead.attribution_receipt_id}`);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    id: lead.attribution_receipt_id,
    event_id: null,
    lead_id: lead.id,
    placed_user_id: null,
    rule: 'referral_code',
    user_id: member.id,
    model: 'last_click',
    window_days: 60,
    as_of: lead.created_at,
    created_at: lead.created_at,
    candidates: [
      {
        source: 'referral_code',
        reference: member.referral_code,
        user_id: member.id,
        active: true,
        state: 'usable',
        at: null,
        outcome: 'won',
        reason: null,
        message: null,
      },
    ],
    decided_again: true,
  });
});

test('a capture that names nobody has no receipt, be the lead attributed or not', async () => {
  const member = await client.newMember();
  const email = fresh();
  const lead = await capture({ email, name: 'Ann' });
  expect([lead.attribution_rule, lead.attribution_receipt_id]).toEqual([null, null]);
  await capture({ email, referral_code: member.referral_code });
  await capture({ email, phone: '1' });
  expect((await receiptsOf(lead.id)).map(short)).toEqual([[['referral_code', null]]]);
});

test('the first attribution stands, and each capture that tells something new has a receipt, once', async () => {
  const [first, second] = [await client.newMember(), await client.newMember()];
  const email = fresh();
  const unknown = { email, referral_code: 'NOBODYS-CODE' };
  const lead = await capture(unknown);
  await capture(unknown);
  const attributed = await capture({ email, referral_code: first.referral_code });
  for (let i = 0; i < 3; i++) {
    const again = await capture({ email, referral_code: second.referral_code });
    expect(again).toEqual(attributed);
  }
  const receipts = await receiptsOf(lead.id);
  expect(receipts.map(short)).toEqual([
    [['referral_code', 'UNKNOWN']],
    [['referral_code', null]],
    [
      ['standing', null],
      ['referral_code', 'OUTRANKED'],
    ],
  ]);
  expect(receipts.map((one: { user_id: string }) => one.user_id)).toEqual([null, first.id, first.id]);
  expect(receipts.every((one: { decided_again: boolean }) => one.decided_again)).toBe(true);
  expect(attributed).toMatchObject({
    referrer_user_id: first.id,
    attribution_rule: 'referral_code',
    attribution_receipt_id: receipts[1].id,
  });
  expect(receipts[2].candidates[1].message).toBe('Another candidate comes first in the order of attribution.');
});

test.each(['converted', 'disqualified', 'expired', 'over but not swept'])(
  'a lead that is %s gets neither a referrer nor a receipt from another capture, and its blanks filled',
  async (state) => {
    const member = await client.newMember();
    const { clickId } = await plantClick(app, live, member.id);
    const lead = await capture({ email: fresh() });
    if (state === 'converted') await client.post(`/api/v1/leads/${lead.id}/convert`, {});
    else if (state === 'over but not swept') {
      await app.database.asSuperuser('update lead set expires_at = now() where id = $1', [lead.id]);
    } else await client.patch(`/api/v1/leads/${lead.id}`, { conversion_status: state });
    const before = (await client.get(`/api/v1/leads/${lead.id}`)).body;
    const coded = await capture({ email: lead.email, referral_code: member.referral_code });
    expect(coded).toEqual(before);
    const clicked = await capture({ email: lead.email, click_id: clickId, name: 'Ann' });
    expect(clicked).toEqual({
      ...before,
      click_id: clickId,
      name: 'Ann',
      updated_at: clicked.updated_at,
      updated_by: lead.created_by,
    });
    expect(clicked.referrer_user_id).toBeNull();
    expect(await receiptsOf(lead.id)).toEqual([]);
  },
);

test('a qualified lead is credited by another capture', async () => {
  const member = await client.newMember();
  const lead = await capture({ email: fresh() });
  await client.patch(`/api/v1/leads/${lead.id}`, { conversion_status: 'qualified' });
  const again = await capture({ email: lead.email, referral_code: member.referral_code });
  expect(again).toMatchObject({ referrer_user_id: member.id, attribution_rule: 'referral_code', conversion_status: 'qualified' });
  expect((await receiptsOf(lead.id)).map(({ id }: { id: string }) => id)).toEqual([again.attribution_receipt_id]);
});

describe("a member's email", () => {
  const captured = (body: object, by = client) => by.post('/api/v1/leads/capture', body);

  test('is a lead that is converted from the start, listed, and credited to nobody, in any case', async () => {
    const id = randomUUID();
    const sponsor = await client.newMember();
    const member = await client.newMember({ email: `Own.${id}@shop.example`, parent_id: sponsor.id });
    const other = await client.newMember();
    for (const code of [member.referral_code, other.referral_code]) {
      const answer = await captured({ email: `own.${id}@SHOP.example`, referral_code: code });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        conversion_status: 'converted',
        converted_user_id: member.id,
        referrer_user_id: null,
        attribution_receipt_id: null,
        expires_at: null,
      });
      expect(await receiptsOf(answer.body.id)).toEqual([]);
    }
    const { data } = (await client.get(`/api/v1/leads?email=own.${id}@shop.example&conversion_status=converted`)).body;
    expect(data).toHaveLength(1);
    expect((await client.get(`/api/v1/users?email=own.${id}@shop.example`)).body.data[0].parent_id).toBe(sponsor.id);
  });

  test('converts an open lead that an unverified sign-in has left, whose referrer stays; one that is over stays', async () => {
    const [referrer, other] = [await client.newMember(), await client.newMember()];
    for (const [status, becomes] of [
      ['captured', 'converted'],
      ['qualified', 'converted'],
      ['disqualified', 'disqualified'],
      ['expired', 'expired'],
    ] as const) {
      const lead = await capture({ email: fresh(), referral_code: referrer.referral_code });
      const member = await client.newMember();
      if (status !== 'captured') await client.patch(`/api/v1/leads/${lead.id}`, { conversion_status: status });
      await app.database.asSuperuser('update member set email = $2, email_norm = $2 where id = $1', [member.id, lead.email]);
      const answer = await captured({ email: lead.email, referral_code: other.referral_code });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        id: lead.id,
        conversion_status: becomes,
        converted_user_id: becomes === 'converted' ? member.id : null,
        referrer_user_id: referrer.id,
      });
    }
  });

  test('of the other environment, or of one who has left, is an ordinary lead', async () => {
    const left = await client.newMember();
    expect((await client.post(`/api/v1/members/${left.id}/erasure`, {})).status).toBe(200);
    for (const { email } of [await sandbox.newMember(), left]) {
      const answer = await captured({ email });
      expect([answer.status, answer.body.conversion_status]).toEqual([201, 'captured']);
    }
  });

  test('that signs up in the same moment leaves no open lead, whoever comes first', async () => {
    for (let round = 0; round < 12; round++) {
      const email = fresh();
      const [answer, created] = await Promise.all([captured({ email }), client.post('/api/v1/users', { email })]);
      expect(created.status).toBe(201);
      expect([200, 201]).toContain(answer.status);
      expect((await client.get(`/api/v1/leads/${answer.body.id}`)).body).toMatchObject({
        conversion_status: 'converted',
        converted_user_id: created.body.id,
      });
    }
  });
});

describe('a click', () => {
  test('credits whom it was clicked for; a code beside it comes first', async () => {
    const [clicked, coded] = [await client.newMember(), await client.newMember()];
    const { id, clickId } = await plantClick(app, live, clicked.id);
    const lead = await capture({ email: fresh(), click_id: clickId });
    expect(lead).toMatchObject({ referrer_user_id: clicked.id, attribution_rule: 'click', click_id: clickId });
    const [receipt] = await receiptsOf(lead.id);
    expect(receipt.candidates).toMatchObject([{ source: 'click', reference: id, user_id: clicked.id, outcome: 'won' }]);
    const both = await capture({ email: fresh(), click_id: clickId, referral_code: coded.referral_code });
    expect(both.referrer_user_id).toBe(coded.id);
    expect(short((await receiptsOf(both.id))[0])).toEqual([
      ['referral_code', null],
      ['click', 'OUTRANKED'],
    ]);
  });

  test.each([
    ['just within the window', 60, 30_000, undefined],
    ['outside the window', 60, -30_000, 'OUTSIDE_WINDOW'],
  ])('%s', async (_name, days, plusMs, reason) => {
    const member = await client.newMember();
    const { clickId } = await plantClick(app, live, member.id, daysAgo(days, plusMs));
    const lead = await capture({ email: fresh(), click_id: clickId });
    expect(lead.referrer_user_id).toBe(reason === undefined ? member.id : null);
    expect(short((await receiptsOf(lead.id))[0])).toEqual([['click', reason ?? null]]);
  });

  test('of an inactive member credits nobody, where its code would', async () => {
    const member = await client.newMember({ is_active: false });
    const { clickId } = await plantClick(app, live, member.id);
    const lead = await capture({ email: fresh(), click_id: clickId });
    expect(lead.referrer_user_id).toBeNull();
    expect(short((await receiptsOf(lead.id))[0])).toEqual([['click', 'INACTIVE']]);
  });

  test('at the exact edge of the window, by the clock of the SANDBOX', async () => {
    const own = await app.newTenant();
    const scope: Scope = { tenantId: own.tenantId, environment: 'SANDBOX' };
    const by = apiClient(app, own.sandboxKey);
    await by.post('/api/v1/sandbox/clock', { frozenAt: '2030-03-02T00:00:00.000Z' });
    const member = await by.newMember();
    const outcomes = [];
    for (const at of ['2030-01-01T00:00:00Z', '2029-12-31T23:59:59.999Z', '2030-03-02T00:00:00Z', '2030-03-02T00:00:00.001Z']) {
      const { clickId } = await plantClick(app, scope, member.id, at);
      const lead = await capture({ email: fresh(), click_id: clickId }, by);
      outcomes.push([lead.referrer_user_id === member.id, short((await receiptsOf(lead.id, by))[0])[0]?.[1]]);
    }
    expect(outcomes).toEqual([
      [true, null],
      [false, 'OUTSIDE_WINDOW'],
      [true, null],
      [false, 'AFTER'],
    ]);
  });

  test('id of another tenant, the other environment, of no click, or made up: kept as text, credits nobody', async () => {
    const stranger = await app.newTenant();
    const strangers = await apiClient(app, stranger.liveKey).newMember();
    const sandboxed = await sandbox.newMember();
    const foreign = await plantClick(app, { tenantId: stranger.tenantId, environment: 'LIVE' }, strangers.id);
    const aside = await plantClick(app, { tenantId: tenant.tenantId, environment: 'SANDBOX' }, sandboxed.id);
    const gone = createClickIds(app.config.secrets.apiKeyPepper).sign(live, randomUUID());
    const tried: [string, reason: string, isShown: boolean][] = [
      [foreign.clickId, 'INVALID', true],
      [aside.clickId, 'OTHER_ENVIRONMENT', true],
      [gone, 'UNKNOWN', false],
      [`${gone.slice(0, -2)}AA`, 'INVALID', true],
      ['gclid-Cj0KCQ', 'INVALID', false],
    ];
    for (const [clickId, reason, isShown] of tried) {
      const lead = await capture({ email: fresh(), click_id: clickId });
      expect([lead.click_id, lead.referrer_user_id]).toEqual([clickId, null]);
      const [receipt] = await receiptsOf(lead.id);
      expect(short(receipt)).toEqual([['click', reason]]);
      expect(receipt.candidates[0].reference === clickId).toBe(isShown);
    }
  });

  test('id of a sound click fills a lead that had none', async () => {
    const member = await client.newMember();
    const email = fresh();
    await capture({ email });
    const { clickId } = await plantClick(app, live, member.id);
    expect(await capture({ email, click_id: clickId })).toMatchObject({ referrer_user_id: member.id, attribution_rule: 'click' });
  });
});

test('what is no code and no click id is not kept in a receipt, which is kept for good', async () => {
  const lead = await capture({ email: fresh(), referral_code: 'ann@friend.example', click_id: 'ann@friend.example' });
  const [receipt] = await receiptsOf(lead.id);
  expect(JSON.stringify(receipt)).not.toMatch(/ann@/i);
  expect(short(receipt)).toEqual([
    ['referral_code', 'UNKNOWN'],
    ['click', 'INVALID'],
  ]);
});

describe('receipts', () => {
  test('of another tenant or environment are not found, and not listed', async () => {
    const member = await client.newMember();
    const lead = await capture({ email: fresh(), referral_code: member.referral_code });
    for (const key of [tenant.sandboxKey, (await app.newTenant()).liveKey]) {
      const by = apiClient(app, key);
      expect((await by.get(`/api/v1/referrals/attributions/${lead.attribution_receipt_id}`)).body.code).toBe('NOT_FOUND');
      expect(await receiptsOf(lead.id, by)).toEqual([]);
    }
  });

  test('are listed by the credited member in pages that stand while others are written', async () => {
    const member = await client.newMember();
    const ids: string[] = [];
    const add = async () => {
      const lead = await capture({ email: fresh(), referral_code: member.referral_code });
      ids.push(lead.attribution_receipt_id);
    };
    for (let i = 0; i < 5; i++) await add();
    const path = `/api/v1/referrals/attributions?user_id=${member.id}&limit=2`;
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await client.get(cursor === '' ? path : `${path}&cursor=${cursor}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
      if (seen.length === 2) await add();
    }
    expect(seen).toEqual(ids);
  });

  test('of an event are found by it, with what a purchase has of its own', async () => {
    const member = await client.newMember();
    const body = client.purchaseBody({ attribution: { user_id: member.id } });
    const { event_id: eventId } = (await client.post('/api/v1/events/purchase', body)).body;
    const candidate = { source: 'explicit_user', reference: member.id, state: 'usable', memberId: member.id, memberActive: true };
    const [known] = (await client.get(`/api/v1/referrals/attributions?event_id=${eventId}`)).body.data;
    if (!known) {
      await app.database.asSuperuser(
        `insert into attribution_receipt (tenant_id, environment, event_id, rule, winner_id, model, window_days, as_of, candidates, created_at)
         values ($1, 'LIVE', $2, 'explicit_user', $3, 'last_click', 60, now(), $4, now())`,
        [tenant.tenantId, eventId, member.id, JSON.stringify([{ ...candidate, at: null, named: true, lost: null }])],
      );
    }
    const [receipt] = (await client.get(`/api/v1/referrals/attributions?event_id=${eventId}`)).body.data;
    expect(receipt).toMatchObject({ event_id: eventId, lead_id: null, rule: 'explicit_user', decided_again: true });
  });

  test('that the rule would not come to are told apart', async () => {
    const [member, other] = [await client.newMember(), await client.newMember()];
    const lead = await capture({ email: fresh() });
    const plant = async (rule: string, winner: string | null, lost: string | null) => {
      const candidate = { source: 'referral_code', reference: 'X', state: 'usable', memberId: member.id, memberActive: true };
      const [row] = await app.database.asSuperuser<{ id: string }>(
        `insert into attribution_receipt (tenant_id, environment, lead_id, rule, winner_id, model, window_days, as_of, candidates,
                                          content_key, created_at)
         values ($1, 'LIVE', $2, $3, $4, 'last_click', 60, now(), $5, sha256(uuidv7()::text::bytea), now()) returning id`,
        [tenant.tenantId, lead.id, rule, winner, JSON.stringify([{ ...candidate, at: null, named: true, lost }])],
      );
      return (await client.get(`/api/v1/referrals/attributions/${row?.id}`)).body.decided_again;
    };
    expect(await plant('referral_code', member.id, null)).toBe(true);
    expect(await plant('referral_code', other.id, null)).toBe(false);
    expect(await plant('click', member.id, null)).toBe(false);
    expect(await plant('referral_code', member.id, 'SELF')).toBe(false);
    expect(await plant('none', null, 'RETIRED')).toBe(false);
  });

  test('cannot be changed or removed', async () => {
    const member = await client.newMember();
    const { attribution_receipt_id: id } = await capture({ email: fresh(), referral_code: member.referral_code });
    for (const sql of [
      "update attribution_receipt set rule = 'none' where id = $1",
      'delete from attribution_receipt where id = $1',
    ]) {
      await expect(app.database.asSuperuser(sql, [id])).rejects.toThrow(/./);
    }
  });
});
