/** The export: everything that is held on a member, complete however long, and nothing of anybody else. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { house } from '../../../src/features.ts';
import { scopesOf } from '../../../src/house/house.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { COMPLETE_PROFILE, newAccount, newIban, sepaAccount } from '../../support/payments/payout-accounts.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let member: MemberBody;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
  app.composition.members.authenticate = (token) => Promise.resolve({ memberId: token, sessionId: randomUUID() });
});
beforeEach(async () => {
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  member = await client.newMember({ name: 'Ann Example', external_id: 'ann-1', membership_tier: 'DIRECTOR' });
});
afterAll(() => app.close());

const pathOf = (id = member.id) => `/api/v1/members/${id}/data-export`;
async function read(id = member.id) {
  const answer = await client.get(pathOf(id));
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

test('has the member, the profile with the ID number in full, and what happened to it', async () => {
  await client.patch(`/api/v1/members/${member.id}/profile`, {
    surname: 'Example',
    idNumber: 'AB-123456789',
    address: { city: 'Rome' },
  });
  await client.patch(`/api/v1/users/${member.id}`, { membership_tier: 'MANAGER' });
  const whole = await read();
  expect(whole.member).toMatchObject({
    id: member.id,
    email: member.email,
    name: 'Ann Example',
    externalId: 'ann-1',
    erasedAt: null,
  });
  expect(whole.profile).toEqual({
    businessName: null,
    givenName: null,
    surname: 'Example',
    dateOfBirth: null,
    idNumber: 'AB-123456789',
    countryCode: null,
    address: { city: 'Rome' },
  });
  expect(whole.referralCodes).toMatchObject([{ code: member.referral_code, status: 'active' }]);
  expect(whole.history.tier).toHaveLength(2);
  const byTheTenant = { kind: 'api_key', id: null };
  expect(whole.auditEntries).toMatchObject([
    { action: 'member_profile.updated', actor: byTheTenant },
    { action: 'member.updated', actor: byTheTenant, details: { fields: ['membership_tier'] } },
    { action: 'member_data.exported', actor: byTheTenant },
  ]);
});

test('has the ID number in full for a key that may read it alone, whosever token comes with it', async () => {
  await client.patch(`/api/v1/members/${member.id}/profile`, { idNumber: 'AB-123456789' });
  // Whatever scope the export itself needs.
  const others = scopesOf(house).filter((scope) => scope !== 'identity:read');
  const { apiKey } = await app.tenants.createKey({ ...tenant, environment: 'LIVE', scopes: others });
  const weaker = apiClient(app, apiKey);
  for (const headers of [{}, { authorization: `Bearer ${member.id}` }]) {
    const answer = await weaker.get(pathOf(), headers);
    expect(answer.body.profile.idNumber).toBe('•••• 6789');
    expect(answer.text).not.toContain('12345');
    expect((await client.get(pathOf(), headers)).body.profile.idNumber).toBe('AB-123456789');
  }
});

test('has what it earned, and the ledger of it', async () => {
  const { body: purchase } = await client.post(
    '/api/v1/events/purchase',
    client.purchaseBody({ attribution: { user_id: member.id } }),
  );
  const { commissions, ledgerEntries } = await read();
  expect(commissions.map((line: { id: string }) => line.id)).toEqual(purchase.commissions.map((line: { id: string }) => line.id));
  expect(commissions).toMatchObject([
    { eventId: purchase.event_id, level: 1, amountMinor: purchase.commissions[0].amount_minor },
  ]);
  const ledger = (await client.get(`/api/v1/members/${member.id}/ledger`)).body.data;
  expect(ledgerEntries).toMatchObject(
    ledger.map(({ journalId, amountMinor, recordedAt }: Record<string, unknown>) => ({ journalId, amountMinor, recordedAt })),
  );
});

test('has its own lead in full, and of the leads it referred ids and dates only', async () => {
  const said = { email: member.email, name: 'Ann as a lead', phone: '123', utm_campaign: 'spring', click_id: 'c-1' };
  const own = await client.post('/api/v1/leads/capture', said);
  const referred = await client.post('/api/v1/leads/capture', {
    email: 'somebody.else@lead.example',
    name: 'Somebody Else',
    referral_code: member.referral_code,
  });
  const whole = await read();
  const kept = { name: 'Ann as a lead', phone: '123', utmCampaign: 'spring', clickId: 'c-1', conversionStatus: 'converted' };
  expect(whole.leads).toMatchObject([{ id: own.body.id, ...kept }]);
  expect(whole.leadsReferred).toEqual([{ id: referred.body.id, createdAt: referred.body.created_at }]);
  expect(JSON.stringify(whole)).not.toMatch(/somebody/i);
});

test('has its links, also the deleted ones, and nobody else’s', async () => {
  await client.patch('/api/v1/admin/settings', { referrals: { allowedDestinationHosts: ['shop.example'] } });
  const other = await client.newMember();
  const make = async (of: string, name: string) => {
    const body = { user_id: of, destination_url: `https://shop.example/${name}`, name };
    return (await client.post('/api/v1/referrals/links', body)).body;
  };
  const [one, gone] = [await make(member.id, 'one'), await make(member.id, 'gone')];
  await make(other.id, 'others');
  await app.http.delete(`/api/v1/referrals/links/${gone.id}`).set('x-tenant-api-key', tenant.liveKey);
  const fieldsOf = (link: Record<string, string>, status: string) => ({
    id: link['id'],
    slug: link['slug'],
    destinationUrl: link['destination_url'],
    name: link['name'],
    status,
    expiresAt: null,
    createdAt: link['created_at'],
  });
  expect((await read()).referralLinks).toEqual([fieldsOf(one, 'active'), fieldsOf(gone, 'deleted')]);
});

test('has customers with its email, identities and sessions', async () => {
  const customer = { external_id: 'c-1', email: member.email.toUpperCase(), name: 'Ann as a customer' };
  await client.post('/api/v1/events/purchase', client.purchaseBody({ customer }));
  await client.post(
    '/api/v1/events/purchase',
    client.purchaseBody({ customer: { external_id: 'c-2', email: 'x@other.example' } }),
  );
  await app.database.asSuperuser(
    `with provider as (
       insert into auth_provider (tenant_id, environment, provider_id, issuer_url, jwks_uri, allowed_audiences, auto_create_users, trust_email)
       values ($1, 'LIVE', 'idp', 'https://idp.example', 'https://idp.example/jwks', '{api}', true, false) returning id),
     identity as (
       insert into member_identity (tenant_id, environment, auth_provider_id, subject, member_id)
       select $1, 'LIVE', provider.id, 'subject-1', $2 from provider)
     insert into token_family (tenant_id, environment, member_id, auth_provider_id, absolute_expires_at)
     select $1, 'LIVE', $2, provider.id, now() + interval '90 days' from provider`,
    [tenant.tenantId, member.id],
  );
  const whole = await read();
  expect(whole.customers).toMatchObject([{ externalId: 'c-1', name: 'Ann as a customer' }]);
  expect(whole.identities).toMatchObject([{ providerId: 'idp', subject: 'subject-1' }]);
  expect(whole.sessions).toMatchObject([{ revokedAt: null }]);
});

test('has its payout accounts, without their numbers', async () => {
  await client.patch(`/api/v1/members/${member.id}/profile`, COMPLETE_PROFILE);
  const iban = newIban();
  const { id } = await newAccount(client, member.id, sepaAccount(iban));
  const whole = await read();
  expect(whole.payoutAccounts).toEqual([
    {
      id,
      providerType: 'manual',
      methodType: 'sepa_bank_transfer',
      displayName: `•••• ${iban.slice(-4)}`,
      bankName: null,
      country: 'DE',
      currency: 'EUR',
      isPrimary: true,
      status: 'active',
      statusReason: null,
      holderType: 'individual',
      nameMatch: 'not_compared',
      tosAcceptance: null,
      createdAt: expect.any(String),
    },
  ]);
  expect(JSON.stringify(whole)).not.toContain(iban.slice(4));
});

test('is complete and in order over many pages', async () => {
  await app.database.asSuperuser(
    `insert into audit_log (tenant_id, environment, action, actor_kind, object_kind, object_id, details)
     select $1, 'LIVE', 'thing.changed', 'system', 'member', $2, jsonb_build_object('n', n) from generate_series(1, 1500) n`,
    [tenant.tenantId, member.id],
  );
  const { auditEntries } = await read();
  // The last is the export itself.
  expect(auditEntries.slice(0, -1).map(({ details }: { details: { n: number } }) => details.n)).toEqual(
    Array.from({ length: 1500 }, (_, n) => n + 1),
  );
});

test('of an erased member has its books and nobody', async () => {
  await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: member.id } }));
  const { commissions } = await read();
  await client.post(`/api/v1/members/${member.id}/erasure`, { acknowledgeOwed: true });
  const whole = await read();
  expect(whole.commissions).toEqual(commissions);
  expect(whole.member).toMatchObject({ name: null, externalId: null, email: `erased-${member.id}@erased.invalid` });
  expect(whole.profile.idNumber).toBeNull();
});

test('is for the member itself and for keys of its own tenant and environment', async () => {
  const other = await app.newTenant();
  for (const key of [other.liveKey, tenant.sandboxKey]) {
    expect((await apiClient(app, key).get(pathOf())).body.code).toBe('USER_NOT_FOUND');
  }
  const recruit = await client.newMember({ parent_id: member.id });
  const as = (id: string, target: string) =>
    app.http.get(pathOf(target)).set('x-tenant-api-key', tenant.liveKey).set('authorization', `Bearer ${id}`);
  expect((await as(member.id, member.id)).status).toBe(200);
  expect((await as(member.id, recruit.id)).body.code).toBe('FORBIDDEN');
  expect((await as(recruit.id, member.id)).body.code).toBe('FORBIDDEN');
});
