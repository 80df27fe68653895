/** Under whom a new member stands, and the receipt that says why: docs/specification/attribution.md#sign-up. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
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

const fresh = () => `new-${randomUUID()}@shop.example`;
const daysAgo = (days: number, plusMs = 0) => new Date(Date.now() - days * 86_400_000 + plusMs).toISOString();
const create = (body: object, by = client) => by.post('/api/v1/users', { email: fresh(), ...body });
const capture = async (body: object, by = client) => (await by.post('/api/v1/leads/capture', { email: fresh(), ...body })).body;
const leadOf = async (id: string, by = client) => (await by.get(`/api/v1/leads/${id}`)).body;
const receiptsOf = async (userId: string, by = client) =>
  (await by.get(`/api/v1/referrals/attributions?placed_user_id=${userId}`)).body.data;
const fieldsOf = (answer: { body: { details?: { fields?: { field: string }[] } } }) =>
  answer.body.details?.fields?.map(({ field }) => field);

interface Short {
  rule: string;
  user_id: string | null;
  candidates: [source: string, reason: string | null][];
}

/** The one receipt of the member, which the rule comes to again. */
async function receiptOf(userId: string, by = client): Promise<Short> {
  const receipts = await receiptsOf(userId, by);
  expect(receipts).toHaveLength(1);
  const [receipt] = receipts;
  expect(receipt).toMatchObject({ event_id: null, lead_id: null, placed_user_id: userId, decided_again: true });
  const { rule, user_id, candidates } = receipt;
  return {
    rule,
    user_id,
    candidates: candidates.map(({ source, reason }: { source: string; reason: string | null }) => [source, reason]),
  };
}

/** A lead with a referrer, and the member that it refers to. */
async function newLead(by = client) {
  const referrer = await by.newMember();
  return { referrer, lead: await capture({ referral_code: referrer.referral_code }, by) };
}

describe('with nobody named', () => {
  test('the referrer of the open lead is the sponsor, whatever the case of the email', async () => {
    const { referrer, lead } = await newLead();
    const answer = await create({ email: lead.email.toUpperCase() });
    expect(answer.status).toBe(201);
    expect(answer.body.parent_id).toBe(referrer.id);
    expect(await leadOf(lead.id)).toMatchObject({ conversion_status: 'converted', converted_user_id: answer.body.id });
    expect(await receiptOf(answer.body.id)).toEqual({ rule: 'lead', user_id: referrer.id, candidates: [['lead', null]] });
    const [receipt] = await receiptsOf(answer.body.id);
    expect(receipt.candidates[0]).toMatchObject({ reference: lead.id, state: 'usable', active: true });
  });

  test('a qualified lead counts, and null codes and clicks are none', async () => {
    const { referrer, lead } = await newLead();
    await client.patch(`/api/v1/leads/${lead.id}`, { conversion_status: 'qualified' });
    const { body } = await create({ email: lead.email, referral_code: null, click_id: null });
    expect(body.parent_id).toBe(referrer.id);
  });

  test('without a lead, or with one that nobody referred, the member is a root without a receipt', async () => {
    const lead = await capture({});
    for (const email of [fresh(), lead.email]) {
      const { body } = await create({ email });
      expect(body.parent_id).toBeNull();
      expect(await receiptsOf(body.id)).toEqual([]);
    }
    expect((await leadOf(lead.id)).conversion_status).toBe('converted');
  });

  test.each(['disqualified', 'expired'])('a lead that is %s refers nobody any more', async (status) => {
    const { lead } = await newLead();
    await client.patch(`/api/v1/leads/${lead.id}`, { conversion_status: status });
    const { body } = await create({ email: lead.email });
    expect(body.parent_id).toBeNull();
    expect((await leadOf(lead.id)).conversion_status).toBe(status);
  });

  test('a lead whose time is over refers nobody, also before the sweep has come', async () => {
    const { lead } = await newLead();
    await app.database.asSuperuser("update lead set expires_at = now() - interval '1 second' where id = $1", [lead.id]);
    expect((await create({ email: lead.email })).body.parent_id).toBeNull();
  });

  test('a referrer who was deactivated receives the recruit, for it may recruit', async () => {
    const { referrer, lead } = await newLead();
    await client.patch(`/api/v1/users/${referrer.id}`, { is_active: false });
    const { body } = await create({ email: lead.email });
    expect(body.parent_id).toBe(referrer.id);
    expect((await receiptsOf(body.id))[0].candidates[0]).toMatchObject({ active: false, outcome: 'won' });
  });

  test('a referrer who may not recruit, or has left, is passed over, and the lead is converted', async () => {
    const [stopped, left] = [await newLead(), await newLead()];
    await client.patch(`/api/v1/users/${stopped.referrer.id}`, { can_recruit: false });
    expect((await client.post(`/api/v1/members/${left.referrer.id}/erasure`, {})).status).toBe(200);
    for (const { lead } of [stopped, left]) {
      const answer = await create({ email: lead.email });
      expect([answer.status, answer.body.parent_id]).toEqual([201, null]);
      expect(await receiptOf(answer.body.id)).toEqual({ rule: 'none', user_id: null, candidates: [['lead', 'NOT_RECRUITING']] });
      expect((await leadOf(lead.id)).converted_user_id).toBe(answer.body.id);
    }
  });

  test('a lead of the other environment, or of another tenant, is nobody', async () => {
    const other = apiClient(app, (await app.newTenant()).liveKey);
    for (const side of [sandbox, other]) {
      const { lead } = await newLead(side);
      const { body } = await create({ email: lead.email });
      expect(body.parent_id).toBeNull();
      expect(await receiptsOf(body.id)).toEqual([]);
      expect((await leadOf(lead.id, side)).conversion_status).toBe('captured');
    }
  });
});

test('parent_id null makes a root whatever lead there is, which is converted; a code beside it still counts', async () => {
  const { lead } = await newLead();
  const { body } = await create({ email: lead.email, parent_id: null });
  expect(body.parent_id).toBeNull();
  expect(await receiptOf(body.id)).toEqual({ rule: 'none', user_id: null, candidates: [['lead', 'SET_ASIDE']] });
  expect((await leadOf(lead.id)).converted_user_id).toBe(body.id);
  const coded = await client.newMember();
  expect((await create({ parent_id: null, referral_code: coded.referral_code })).body.parent_id).toBe(coded.id);
});

describe('the order', () => {
  /** Everybody who could be the sponsor, each by a way of its own. */
  async function everybody() {
    const { referrer, lead } = await newLead();
    const [parent, coded, clicked] = [await client.newMember(), await client.newMember(), await client.newMember()];
    const { clickId } = await plantClick(app, live, clicked.id);
    return {
      email: lead.email as string,
      ways: {
        explicit_user: { body: { parent_id: parent.id }, id: parent.id },
        referral_code: { body: { referral_code: coded.referral_code.toLowerCase() }, id: coded.id },
        click: { body: { click_id: clickId }, id: clicked.id },
        lead: { body: {}, id: referrer.id },
      },
    };
  }
  const ORDER = ['explicit_user', 'referral_code', 'click', 'lead'] as const;
  const pairs = ORDER.flatMap((first, i) => ORDER.slice(i + 1).map((second) => [first, second] as const));

  test.each(pairs)('%s wins over %s', async (first, second) => {
    const { email, ways } = await everybody();
    const isLead = second === 'lead';
    const { status, body } = await create({ ...(isLead && { email }), ...ways[first].body, ...ways[second].body });
    expect([status, body.parent_id]).toEqual([201, ways[first].id]);
    expect(await receiptOf(body.id)).toEqual({
      rule: first,
      user_id: ways[first].id,
      candidates: [
        [first, null],
        [second, 'OUTRANKED'],
      ],
    });
  });

  test('of all four parent_id wins, and the receipt has each', async () => {
    const { email, ways } = await everybody();
    const { body } = await create({ email, ...ways.click.body, ...ways.referral_code.body, ...ways.explicit_user.body });
    expect(body.parent_id).toBe(ways.explicit_user.id);
    expect((await receiptOf(body.id)).candidates.map(([source]) => source)).toEqual(ORDER);
  });

  test('every combination of what can be wrong is decided again to the same', async () => {
    const recruiter = await client.newMember();
    const stopped = await client.newMember();
    const retired = (await client.post('/api/v1/referrals/codes', { user_id: recruiter.id })).body;
    await client.patch(`/api/v1/referrals/codes/${retired.id}`, { status: 'retired' });
    const clicks = [
      undefined,
      await plantClick(app, live, recruiter.id),
      await plantClick(app, live, stopped.id),
      await plantClick(app, live, recruiter.id, daysAgo(61)),
      { clickId: 'no click at all' },
    ];
    const leads = [undefined, recruiter.referral_code, stopped.referral_code];
    const codes = [undefined, recruiter.referral_code, stopped.referral_code, retired.code, 'NOBODY-HAS-IT', '?'];
    const made: string[] = [];
    for (const leadCode of leads) {
      for (const code of codes) {
        for (const click of clicks) {
          const email = fresh();
          if (leadCode) await capture({ email, referral_code: leadCode });
          made.push(JSON.stringify({ email, parent_id: recruiter.id, referral_code: code, click_id: click?.clickId }));
          made.push(JSON.stringify({ email: fresh(), referral_code: code, click_id: click?.clickId }));
        }
      }
    }
    await client.patch(`/api/v1/users/${stopped.id}`, { can_recruit: false });
    let written = 0;
    for (const text of made) {
      const answer = await client.post('/api/v1/users', JSON.parse(text));
      if (answer.status !== 201) continue;
      for (const receipt of await receiptsOf(answer.body.id)) {
        expect(receipt).toMatchObject({ decided_again: true, user_id: answer.body.parent_id });
        written++;
      }
    }
    expect(written).toBeGreaterThan(90);
  });
});

describe('a click', () => {
  test('is a 400 when it is unknown: made up, of another tenant, or of the other environment', async () => {
    const other = await app.newTenant();
    const stranger = await apiClient(app, other.liveKey).newMember();
    const inSandbox = await sandbox.newMember();
    const foreign = await plantClick(app, { tenantId: other.tenantId, environment: 'LIVE' }, stranger.id);
    const elsewhere = await plantClick(app, { ...live, environment: 'SANDBOX' }, inSandbox.id);
    const known = await plantClick(app, live, (await client.newMember()).id);
    await app.database.asSuperuser('delete from referral_click where id = $1', [known.id]);
    for (const clickId of [foreign.clickId, elsewhere.clickId, known.clickId, 'nothing', `ck_${'A'.repeat(43)}`]) {
      const { lead } = await newLead();
      const answer = await create({ email: lead.email, click_id: clickId });
      expect([answer.status, fieldsOf(answer)]).toEqual([400, ['click_id']]);
      expect((await leadOf(lead.id)).conversion_status).toBe('captured');
    }
  });

  test('that is unknown loses beside a code, and no text of strangers is kept', async () => {
    const coded = await client.newMember();
    const { status, body } = await create({ referral_code: coded.referral_code, click_id: 'somebody@else.example' });
    expect([status, body.parent_id]).toEqual([201, coded.id]);
    expect((await receiptOf(body.id)).candidates[1]).toEqual(['click', 'INVALID']);
    expect((await receiptsOf(body.id))[0].candidates[1].reference).toBe('(other text)');
  });

  test('counts to the end of the window, and is passed over behind it', async () => {
    const clicked = await client.newMember();
    const { lead, referrer } = await newLead();
    const inside = await plantClick(app, live, clicked.id, daysAgo(60, 60_000));
    const outside = await plantClick(app, live, clicked.id, daysAgo(60, -1));
    expect((await create({ click_id: inside.clickId })).body.parent_id).toBe(clicked.id);
    const { body } = await create({ email: lead.email, click_id: outside.clickId });
    expect(body.parent_id).toBe(referrer.id);
    expect((await receiptOf(body.id)).candidates).toEqual([
      ['click', 'OUTSIDE_WINDOW'],
      ['lead', null],
    ]);
    const alone = await create({ click_id: outside.clickId });
    expect([alone.status, alone.body.parent_id]).toEqual([201, null]);
    expect((await receiptOf(alone.body.id)).rule).toBe('none');
  });

  test('of a member who may not recruit is passed over, of an inactive one counts', async () => {
    const [stopped, inactive] = [await client.newMember(), await client.newMember()];
    const [one, two] = [await plantClick(app, live, stopped.id), await plantClick(app, live, inactive.id)];
    await client.patch(`/api/v1/users/${stopped.id}`, { can_recruit: false });
    await client.patch(`/api/v1/users/${inactive.id}`, { is_active: false });
    expect((await create({ click_id: one.clickId })).body.parent_id).toBeNull();
    expect((await create({ click_id: two.clickId })).body.parent_id).toBe(inactive.id);
  });
});

test('a code or parent that is unknown is a 400 though a lead would do, and one that may not recruit a 403', async () => {
  const { lead } = await newLead();
  const stopped = await client.newMember({ can_recruit: false });
  const [unknown, nobody] = [
    await create({ email: lead.email, referral_code: 'NOBODY-HAS-IT' }),
    await create({ email: lead.email, parent_id: randomUUID() }),
  ];
  expect([unknown.status, fieldsOf(unknown), nobody.status, fieldsOf(nobody)]).toEqual([
    400,
    ['referral_code'],
    400,
    ['parent_id'],
  ]);
  for (const named of [{ referral_code: stopped.referral_code }, { parent_id: stopped.id }]) {
    const answer = await create({ email: lead.email, ...named });
    expect([answer.status, answer.body.code]).toEqual([403, 'RECRUITING_DISABLED']);
  }
  expect((await leadOf(lead.id)).conversion_status).toBe('captured');
});

test('two sign-ups of one lead at once: one converts it, the other is EMAIL_EXISTS', async () => {
  for (let round = 0; round < 8; round++) {
    const { referrer, lead } = await newLead();
    const answers = await Promise.all([
      create({ email: lead.email }),
      round % 2 === 0 ? create({ email: lead.email }) : client.post(`/api/v1/leads/${lead.id}/convert`, {}),
    ]);
    const [won] = answers.filter(({ status }) => status === 201);
    const [lost] = answers.filter(({ status }) => status !== 201);
    expect([won?.status, lost?.status]).toEqual([201, 409]);
    expect(['EMAIL_EXISTS', 'STATE_CONFLICT']).toContain(lost?.body.code);
    const member = won?.body.user ?? won?.body;
    expect(member.parent_id).toBe(referrer.id);
    expect((await leadOf(lead.id)).converted_user_id).toBe(member.id);
    await receiptOf(member.id);
  }
});

test('a conversion goes the same way, with its receipt', async () => {
  const { referrer, lead } = await newLead();
  const { body } = await client.post(`/api/v1/leads/${lead.id}/convert`, {});
  expect(body.user.parent_id).toBe(referrer.id);
  expect(await receiptOf(body.user.id)).toEqual({ rule: 'lead', user_id: referrer.id, candidates: [['lead', null]] });
});

test('whom the tenant places by its id alone, or nobody, needs no receipt', async () => {
  const sponsor = await client.newMember();
  const placed = await client.newMember({ parent_id: sponsor.id });
  expect(placed.parent_id).toBe(sponsor.id);
  for (const { id } of [sponsor, placed]) {
    expect((await client.get(`/api/v1/referrals/attributions?placed_user_id=${id}`)).body.data).toEqual([]);
  }
});
