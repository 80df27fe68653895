/** Erasure: nothing of the person is left, and the books stand as they stood. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { listTenantTables } from '../../support/database/walls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { accountsPath, newAccount } from '../../support/payments/payout-accounts.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let top: MemberBody;
let member: MemberBody;
let mark: string;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  mark = randomUUID().slice(0, 13);
  top = await client.newMember({ membership_tier: 'DIRECTOR' });
  await client.post('/api/v1/leads/capture', {
    email: `${mark}@person.example`,
    name: `${mark} lead`,
    phone: `+49 ${mark}`,
    referral_code: top.referral_code,
  });
  member = await client.newMember({
    email: `${mark}@Person.example`,
    name: `${mark} name`,
    external_id: `${mark}-external`,
    parent_id: top.id,
    membership_tier: 'DIRECTOR',
  });
});
afterAll(() => app.close());

const erase = (id = member.id, body: object = {}, by = client) => by.post(`/api/v1/members/${id}/erasure`, body);
const statsOf = async (id: string) => (await client.get(`/api/v1/members/${id}/team-stats?period=all`)).body;

/** Tables in which the text is still found, in any row of any tenant. */
async function tablesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of await listTenantTables(app.database)) {
    const rows = await app.database.asSuperuser(`select from ${table} t where t::text ilike '%' || $1 || '%'`, [text]);
    if (rows.length > 0) found.push(table);
  }
  return found;
}

const accountRows = () =>
  app.database.asSuperuser<Record<string, unknown>>('select * from payout_account where member_id = $1', [member.id]);

async function plantIdentity(): Promise<void> {
  const values = [tenant.tenantId, member.id, mark];
  await app.database.asSuperuser(
    `with provider as (
       insert into auth_provider (tenant_id, environment, provider_id, issuer_url, jwks_uri, allowed_audiences, auto_create_users, trust_email)
       values ($1, 'LIVE', 'idp', 'https://idp.example', 'https://idp.example/jwks', '{api}', true, false) returning id),
     identity as (
       insert into member_identity (tenant_id, environment, auth_provider_id, subject, member_id)
       select $1, 'LIVE', provider.id, $3 || '-subject', $2 from provider)
     insert into token_family (tenant_id, environment, member_id, auth_provider_id, absolute_expires_at)
     select $1, 'LIVE', $2, provider.id, now() + interval '90 days' from provider`,
    values,
  );
}

describe('an erasure', () => {
  test('leaves nothing of the person anywhere', async () => {
    await client.patch(`/api/v1/members/${member.id}/profile`, {
      givenName: `${mark} given`,
      surname: `${mark} surname`,
      idNumber: mark,
      address: { city: `${mark} city` },
    });
    await client.patch(`/api/v1/members/${member.id}/profile`, { countryCode: 'DEU', address: { addressLine1: 'Lindenstr. 1' } });
    const account = await newAccount(client, member.id);
    await client.patch(accountsPath(member.id, account.id), { displayName: `${mark} account` });
    await app.database.asSuperuser(
      `update payout_account set bank_name = $2, status_reason = $2, tos_acceptance = jsonb_build_object('ip', $2::text)
       where id = $1`,
      [account.id, mark],
    );
    const [known] = await accountRows();
    await plantIdentity();
    const customer = { external_id: 'customer-7', email: `${mark}@PERSON.example`, name: `${mark} customer` };
    await client.post('/api/v1/events/purchase', client.purchaseBody({ customer, attribution: { user_id: top.id } }));
    await client.patch('/api/v1/admin/settings', { referrals: { allowedDestinationHosts: ['shop.example'] } });
    const page = { user_id: member.id, name: `${mark} link`, destination_url: `https://shop.example/${mark}` };
    const links = [await client.post('/api/v1/referrals/links', page), await client.post('/api/v1/referrals/links', page)];
    const [{ id: linkId, slug }, { id: deletedId }] = links.map(({ body }) => body);
    await app.http.delete(`/api/v1/referrals/links/${deletedId}`).set('x-tenant-api-key', tenant.liveKey);
    expect((await tablesWith(mark)).toSorted()).toEqual([
      'customer',
      'lead',
      'member',
      'member_identity',
      'member_profile',
      'payout_account',
      'referral_link',
    ]);

    const answer = await erase();
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({
      userId: member.id,
      email: `erased-${member.id}@erased.invalid`,
      erasedAt: expect.any(String),
      reason: null,
    });
    expect(await tablesWith(mark)).toEqual([]);
    const [kept] = await accountRows();
    expect(kept).toMatchObject({ id: account.id, status: 'deactivated', is_primary: false, display_name: 'erased' });
    expect(kept).toMatchObject({ bank_sealed: null, last_four: null, check_at: null, method_type: 'sepa_bank_transfer' });
    expect(kept?.['fingerprint']).not.toEqual(known?.['fingerprint']);
    expect((await app.http.get(`/r/${slug}`).redirects(0)).status).toBe(404);
    expect((await client.patch(`/api/v1/referrals/links/${linkId}`, { status: 'active' })).status).toBe(404);
    const families = await app.database.asSuperuser('select revoke_reason from token_family where member_id = $1', [member.id]);
    expect(families).toEqual([{ revoke_reason: 'member_erased' }]);
    expect((await client.get(`/api/v1/members/${member.id}/profile`)).body).toMatchObject({
      name: null,
      surname: null,
      idNumber: null,
      address: null,
      email: answer.body.email,
    });
  });

  test('leaves the books as they were, and sound', async () => {
    for (let i = 0; i < 3; i++) {
      await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: member.id } }));
    }
    const books = async () => {
      const trial = (await client.get('/api/v1/admin/ledger/trial-balance')).body as { asOf: string };
      const balances = (await client.get(`/api/v1/members/${member.id}/balances`)).body as { asOf: string };
      const lines = (await client.get('/api/v1/commissions?limit=100')).body;
      return { trial: { ...trial, asOf: '' }, balances: { ...balances, asOf: '' }, lines };
    };
    const before = await books();
    await erase();
    expect(await books()).toEqual(before);
    expect(JSON.stringify(before)).toContain(member.id);
    await expectSoundBooks(app);
  });

  test('takes the member out of the business: inactive, counted so above, recruiting nobody', async () => {
    expect(await statsOf(top.id)).toMatchObject({ teamSize: 1, activeMembers: 1 });
    await erase();
    expect(await statsOf(top.id)).toMatchObject({ teamSize: 1, activeMembers: 0 });
    const status = (await client.get(`/api/v1/users/status?user_id=${member.id}`)).body;
    expect(status).toMatchObject({ is_active: false, can_recruit: false });
    const recruit = { email: `${randomUUID()}@test.example`, referral_code: member.referral_code };
    expectRefusal(await client.post('/api/v1/users', recruit), 400, 'VALIDATION_ERROR', ['referral_code']);
    const under = { email: recruit.email, parent_id: member.id };
    expect((await client.post('/api/v1/users', under)).body.code).toBe('RECRUITING_DISABLED');
    await expectSoundBooks(app);
  });

  test('retires every code of the member, and of nobody else: none credits it, none is given to another', async () => {
    const other = (await client.post('/api/v1/referrals/codes', { user_id: member.id, code: 'ADA-LOVELACE' })).body;
    await erase();
    const codes = (await client.get(`/api/v1/referrals/codes?user_id=${member.id}`)).body.data;
    expect(codes).toMatchObject([
      { code: expect.stringMatching(/^ERASED-[0-9A-F]{24}$/), status: 'retired', is_default: true },
      { code: expect.stringMatching(/^ERASED-[0-9A-F]{24}$/), status: 'retired', is_default: false },
    ]);
    for (const code of [member.referral_code, other.code, codes[0].code]) {
      const sale = client.purchaseBody({ attribution: { referral_code: code } });
      expect((await client.post('/api/v1/events/purchase', sale)).body.status).toBe('unattributed');
    }
    const taken = await client.post('/api/v1/referrals/codes', { user_id: top.id, code: other.code });
    expectRefusal(taken, 409, 'CODE_TAKEN');
    const tops = (await client.get(`/api/v1/referrals/codes?user_id=${top.id}`)).body.data;
    expect(tops).toMatchObject([{ status: 'active' }]);
    for (const change of [{ status: 'active' }, { is_default: true }]) {
      expectRefusal(await client.patch(`/api/v1/referrals/codes/${other.id}`, change), 409, 'STATE_CONFLICT');
    }
    expect((await client.get(`/api/v1/users/status?user_id=${member.id}`)).status).toBe(200);
  });

  test('of a member that was inactive counts it once', async () => {
    await client.patch(`/api/v1/users/${member.id}`, { is_active: false });
    await erase();
    expect(await statsOf(top.id)).toMatchObject({ teamSize: 1, activeMembers: 0 });
    await expectSoundBooks(app);
  });

  test('repeated, or done twice at once, answers the same and is one entry in the audit log', async () => {
    const answers = await Promise.all([erase(), erase(), erase()]);
    answers.push(await erase(member.id, { reason: 'Again' }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const { data } = (await client.get(`/api/v1/admin/audit-logs?objectId=${member.id}`)).body;
    expect(data).toMatchObject([{ action: 'member.erased', actor: { kind: 'api_key' }, objectKind: 'member' }]);
  });

  test('keeps its reason with the member, and out of the audit log', async () => {
    expect((await erase(member.id, { reason: 'Ticket 42' })).body.reason).toBe('Ticket 42');
    expect((await erase(member.id, { reason: 'Ticket 43' })).body.reason).toBe('Ticket 42');
    const { data } = (await client.get('/api/v1/admin/audit-logs?action=member.erased')).body;
    expect(data.map((row: { details: object }) => row.details)).toEqual([{}]);
  });

  test('cannot be undone', async () => {
    await erase();
    const put = [
      client.patch(`/api/v1/users/${member.id}`, { is_active: true }),
      client.patch(`/api/v1/users/${member.id}`, { can_recruit: true }),
      client.patch(`/api/v1/members/${member.id}/profile`, { name: 'Back' }),
    ];
    for (const answer of await Promise.all(put)) expect([answer.status, answer.body.code]).toEqual([409, 'STATE_CONFLICT']);
  });

  test('frees the email and the external id for a new member', async () => {
    await erase();
    const again = await client.newMember({ email: `${mark}@person.example`, external_id: `${mark}-external` });
    expect(again.id).not.toBe(member.id);
  });

  test('is not held up by somebody who has taken the address that is to stand there', async () => {
    await client.newMember({ email: `erased-${member.id}@erased.invalid` });
    const answer = await erase();
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.email).toMatch(new RegExp(`^erased-${member.id}-[0-9a-f-]{36}@erased\\.invalid$`));
  });

  test('leaves others alone, also those of the same email elsewhere', async () => {
    const sandbox = apiClient(app, tenant.sandboxKey);
    const twin = await sandbox.newMember({ email: `${mark}@person.example`, name: 'Twin' });
    await erase();
    expect((await sandbox.get(`/api/v1/members/${twin.id}/profile`)).body).toMatchObject({ name: 'Twin', email: twin.email });
    expect((await client.get(`/api/v1/members/${top.id}/profile`)).body.email).toBe(top.email);
  });
});

describe('refused', () => {
  test('are strangers and bearer tokens', async () => {
    const other = await app.newTenant();
    for (const key of [other.liveKey, tenant.sandboxKey]) {
      expect((await erase(member.id, {}, apiClient(app, key))).body.code).toBe('USER_NOT_FOUND');
    }
    expect((await erase(randomUUID())).body.code).toBe('USER_NOT_FOUND');
    app.composition.members.authenticate = (token) => Promise.resolve({ memberId: token, sessionId: randomUUID() });
    const own = await client.post(`/api/v1/members/${member.id}/erasure`, {}, { authorization: `Bearer ${member.id}` });
    expect(own.body.code).toBe('FORBIDDEN');
    expect(await tablesWith(mark)).toEqual(['lead', 'member']);
  });

  test('is a reason that is too long, or another field', async () => {
    expect((await erase(member.id, { reason: 'x'.repeat(501) })).status).toBe(400);
    expect((await erase(member.id, { force: true })).status).toBe(400);
  });
});
