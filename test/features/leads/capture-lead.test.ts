/** POST /leads/capture: docs/specification/attribution.md#leads. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

const capture = (body: object) => client.post('/api/v1/leads/capture', body);
const fresh = () => `lead-${randomUUID()}@shop.example`;

const details = {
  name: 'Ann',
  phone: '+49 (0)30 / 12-34 ext. 5',
  source: 'spring fair',
  utm_source: 'news',
  utm_medium: 'mail',
  utm_campaign: 'may',
  click_id: 'c-1',
};

describe('the first capture', () => {
  test('is 201 with everything that was said', async () => {
    const member = await client.newMember();
    const email = fresh();
    const answer = await capture({ email, referral_code: member.referral_code, ...details });
    expect(answer.status).toBe(201);
    expect(answer.headers['x-environment']).toBe('LIVE');
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email,
      referrer_user_id: member.id,
      attribution_rule: 'referral_code',
      attribution_receipt_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      conversion_status: 'captured',
      converted_user_id: null,
      expires_at: new Date(Date.parse(answer.body.created_at) + 180 * 86_400_000).toISOString(),
      created_by: { kind: 'api_key', id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: null },
      updated_by: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: answer.body.created_at,
      ...details,
    });
  });

  test('of an email alone: the rest is null', async () => {
    const { body } = await capture({ email: fresh() });
    expect(body).toMatchObject({
      name: null,
      phone: null,
      referrer_user_id: null,
      source: null,
      utm_source: null,
      click_id: null,
    });
  });

  test('keeps the email in lower case and composed', async () => {
    const id = randomUUID();
    const { body } = await capture({ email: `José.${id}@Shop.EXAMPLE`.normalize('NFD') });
    expect(body.email).toBe(`josé.${id}@shop.example`.normalize('NFC'));
  });

  test('takes the code in any case, and an inactive or non-recruiting owner', async () => {
    const owner = await client.newMember({ is_active: false, can_recruit: false });
    for (const code of [owner.referral_code, owner.referral_code.toLowerCase()]) {
      expect((await capture({ email: fresh(), referral_code: code })).body.referrer_user_id).toBe(owner.id);
    }
  });

  test('with an unknown code keeps the lead, unattributed; so with a code of another tenant or environment', async () => {
    const sandboxed = await apiClient(app, tenant.sandboxKey).newMember();
    const stranger = await apiClient(app, (await app.newTenant()).liveKey).newMember();
    for (const code of ['NO-SUCH-CODE', sandboxed.referral_code, stranger.referral_code]) {
      const answer = await capture({ email: fresh(), referral_code: code });
      expect([answer.status, answer.body.referrer_user_id]).toEqual([201, null]);
    }
  });
});

describe('a later capture', () => {
  test('is 200, keeps what was said first and fills the blanks', async () => {
    const email = fresh();
    const first = await capture({ email, name: 'Ann', utm_source: 'news' });
    const second = await capture({ email: email.toUpperCase(), ...details, name: 'Anna', utm_source: 'search' });
    expect(second.status).toBe(200);
    const changed = { updated_at: expect.stringMatching(/Z$/), updated_by: first.body.created_by };
    expect(second.body).toEqual({ ...first.body, ...details, name: 'Ann', utm_source: 'news', ...changed });
    expect(second.body.updated_at > first.body.updated_at).toBe(true);
    expect((await capture({ email })).body).toEqual(second.body);
  });

  test('keeps the first attribution', async () => {
    const [one, two] = [await client.newMember(), await client.newMember()];
    const email = fresh();
    await capture({ email, referral_code: one.referral_code });
    expect((await capture({ email, referral_code: two.referral_code })).body.referrer_user_id).toBe(one.id);
  });

  test('attributes a lead that has no referrer yet, also one that came with an unknown code', async () => {
    const member = await client.newMember();
    for (const code of [undefined, 'NO-SUCH-CODE']) {
      const email = fresh();
      await capture({ email, ...(code === undefined ? {} : { referral_code: code }) });
      expect((await capture({ email, referral_code: member.referral_code })).body.referrer_user_id).toBe(member.id);
    }
  });

  test('of a converted lead leaves it converted', async () => {
    const member = await client.newMember();
    const email = fresh();
    const first = await capture({ email, referral_code: member.referral_code });
    const { id } = await client.newMember({ email });
    const again = await capture({ email });
    expect([again.status, again.body]).toEqual([
      200,
      {
        ...first.body,
        conversion_status: 'converted',
        converted_user_id: id,
        updated_at: expect.stringMatching(/Z$/),
        updated_by: first.body.created_by,
      },
    ]);
  });

  test('in the other environment or another tenant is another lead', async () => {
    const email = fresh();
    const ids = [(await capture({ email })).body.id];
    for (const key of [tenant.sandboxKey, (await app.newTenant()).liveKey]) {
      const answer = await apiClient(app, key).post('/api/v1/leads/capture', { email });
      expect(answer.status).toBe(201);
      ids.push(answer.body.id);
    }
    expect(new Set(ids).size).toBe(3);
  });
});

describe('bounds', () => {
  const longest = { name: 255, phone: 32, source: 100, utm_source: 255, utm_medium: 255, utm_campaign: 255 };
  test('the longest values are accepted', async () => {
    const fields = Object.fromEntries(Object.entries(longest).map(([field, length]) => [field, 'é'.repeat(length)]));
    const answer = await capture({ email: fresh(), ...fields });
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining(fields)]);
  });
  test.each(Object.entries(longest))('%s of more than %i characters is a 400', async (field, length) => {
    expectRefusal(await capture({ email: fresh(), [field]: 'x'.repeat(length + 1) }), 400, 'VALIDATION_ERROR', [field]);
  });
  test.each<[body: object, field: string]>([
    [{}, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ email: `${'x'.repeat(64)}@${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(58)}.com` }, 'email'],
    [{ email: 'a@shop.example', parent_id: randomUUID() }, 'parent_id'],
    [{ email: 'a@shop.example', phone: 49301234 }, 'phone'],
  ])('%j is a 400 that names %s', async (body, field) => {
    expectRefusal(await capture(body), 400, 'VALIDATION_ERROR', [field]);
  });
});
