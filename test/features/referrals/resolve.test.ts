/** GET /referrals/resolve: whose a code is (docs/specification/attribution.md#codes). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

const resolve = (code: string, by = client) => by.get(`/api/v1/referrals/resolve?referral_code=${encodeURIComponent(code)}`);
const newCode = async (body: object, by = client) =>
  (await by.post('/api/v1/referrals/codes', body)).body as { id: string; code: string };

test('a code in any case is its member’s', async () => {
  const member = await client.newMember({ name: 'Ada Example' });
  const { id, code } = await newCode({ user_id: member.id, code: 'Ada-2026' });
  for (const typed of [code, 'ada-2026', 'aDa-2026']) {
    const answer = await resolve(typed);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        referral_code: 'ADA-2026',
        code_id: id,
        user_id: member.id,
        name: 'Ada Example',
        is_active: true,
        can_recruit: true,
      },
    ]);
  }
});

test('the state of the member is told', async () => {
  const member = await client.newMember({ is_active: false, can_recruit: false });
  expect((await resolve(member.referral_code)).body).toMatchObject({ name: null, is_active: false, can_recruit: false });
});

test('no code of an erased member leads to it any more', async () => {
  const member = await client.newMember({ name: 'Ada Example' });
  const { code } = await newCode({ user_id: member.id });
  await client.post(`/api/v1/members/${member.id}/erasure`, { reason: 'Asked for' });
  for (const typed of [member.referral_code, code]) expectRefusal(await resolve(typed), 404, 'NOT_FOUND');
});

test('unknown, retired, another tenant’s and the other environment’s are one and the same 404', async () => {
  const member = await client.newMember();
  const { id, code } = await newCode({ user_id: member.id });
  await client.patch(`/api/v1/referrals/codes/${id}`, { status: 'retired' });
  const foreign = await apiClient(app, (await app.newTenant()).liveKey).newMember();
  const beside = await apiClient(app, tenant.sandboxKey).newMember();
  const answers = [];
  for (const typed of ['NOBODY-HAS-THIS', code, foreign.referral_code, beside.referral_code, `${member.referral_code} `, '%']) {
    answers.push(await resolve(typed));
  }
  for (const answer of answers) expectRefusal(answer, 404, 'NOT_FOUND');
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test('the same code is another member’s in each tenant and environment', async () => {
  const [other, sandbox] = [apiClient(app, (await app.newTenant()).liveKey), apiClient(app, tenant.sandboxKey)];
  for (const by of [client, other, sandbox]) {
    const member = await by.newMember();
    await newCode({ user_id: member.id, code: 'SAME-FOR-ALL' }, by);
    expect((await resolve('same-for-all', by)).body.user_id).toBe(member.id);
  }
});

test.each(['', ' ', 'x'.repeat(65)])('%j is refused', async (code) => {
  expectRefusal(await resolve(code), 400, 'VALIDATION_ERROR', ['referral_code']);
});

test('without a code it is refused', async () => {
  expectRefusal(await client.get('/api/v1/referrals/resolve'), 400, 'VALIDATION_ERROR', ['referral_code']);
});

test('a member’s bearer token is refused: it is told of nobody else', async () => {
  const member = await client.newMember();
  const { accessToken } = await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, member.id);
  const answer = await client.get(`/api/v1/referrals/resolve?referral_code=${member.referral_code}`, {
    authorization: `Bearer ${accessToken}`,
  });
  expectRefusal(answer, 403, 'FORBIDDEN');
});
