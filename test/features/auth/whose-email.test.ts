/**
 * Whose email an address is: every sort of sign-in against every sort of person who may have the address already, by the
 * tokens of a provider that is asked over TLS (docs/specification/identity.md#verified-email).
 */
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

const AUDIENCE = 'shop-app';
const CLAIMS = {
  true: true,
  false: false,
  absent: undefined,
  'the word false': 'false',
  'the word true': 'true',
  'a null': null,
};
const ADDRESSES = ['of a verified member', 'of an unverified member', 'of nobody', 'of an open lead'] as const;

type Claim = keyof typeof CLAIMS;
type Address = (typeof ADDRESSES)[number];

interface Rules {
  trustEmail: boolean;
  acceptUnverifiedEmail: boolean;
}

interface Outcome {
  code: 'created' | 'joined' | 'USER_NOT_PROVISIONED' | 'ACCOUNT_LINK_REQUIRED';
  /** Of the member who has the address afterwards; null: there is none. */
  verified: boolean | null;
  /** Whether the lead's referrer became the sponsor, and the lead was converted. */
  leadTaken: boolean;
}

/** The rule once more, as a person would tell it. */
function expectedOf(claim: Claim, { trustEmail, acceptUnverifiedEmail }: Rules, address: Address): Outcome {
  const saysYes = claim === 'true' || claim === 'the word true';
  const saysNothing = claim === 'absent';
  const before = { 'of a verified member': true, 'of an unverified member': false, 'of nobody': null, 'of an open lead': null };
  const unchanged = { verified: before[address], leadTaken: false };
  if (!saysYes && !saysNothing && !acceptUnverifiedEmail) return { code: 'USER_NOT_PROVISIONED', ...unchanged };
  const verified = saysYes || (saysNothing && trustEmail);
  if (address === 'of an unverified member') return { code: 'ACCOUNT_LINK_REQUIRED', ...unchanged };
  if (address === 'of a verified member') {
    return { code: verified && trustEmail ? 'joined' : 'ACCOUNT_LINK_REQUIRED', ...unchanged };
  }
  return { code: 'created', verified, leadTaken: verified && address === 'of an open lead' };
}

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let referrer: { id: string; referral_code: string };
/** Whose members have addresses that nobody has verified. */
let careless: string;

async function newProvider(rules: Partial<Rules>): Promise<string> {
  const answer = await client.post('/api/v1/admin/auth/providers', {
    providerId: `idp-${randomUUID()}`,
    issuerUrl: app.issuer.issuerUrl,
    allowedAudiences: [AUDIENCE],
    ...rules,
  });
  expect(answer.status, answer.text).toBe(201);
  expect(answer.body).toMatchObject(rules);
  return answer.body.providerId as string;
}

const tokenOf = (claims: Record<string, unknown>, subject: string): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: app.issuer.kid })
    .setIssuer(app.issuer.issuerUrl)
    .setAudience(AUDIENCE)
    .setSubject(subject)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(app.issuer.privateKey);

async function exchange(provider: string, claims: Record<string, unknown>, subject: string = randomUUID()) {
  const token = await tokenOf(claims, subject);
  return app.http.post('/api/v1/auth/exchange').set('x-tenant-id', tenant.tenantId).send({ provider, token });
}

const rowOf = async (email: string) =>
  (
    await app.database.asSuperuser<{ id: string; parent_id: string | null; email_verified: boolean }>(
      'select id, parent_id, email_verified from member where tenant_id = $1 and email_norm = $2',
      [tenant.tenantId, email],
    )
  )[0];

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  referrer = await client.newMember();
  careless = await newProvider({ trustEmail: false, acceptUnverifiedEmail: true });
});
afterAll(() => app.close());

const switches = [false, true];
const rules = switches.flatMap((trustEmail) =>
  switches.map((acceptUnverifiedEmail): Rules => ({ trustEmail, acceptUnverifiedEmail })),
);

describe.each(rules)(
  'at a provider with $trustEmail for trustEmail and $acceptUnverifiedEmail for acceptUnverifiedEmail',
  (rule) => {
    let provider: string;
    beforeAll(async () => {
      provider = await newProvider(rule);
    });

    const cases = (Object.keys(CLAIMS) as Claim[]).flatMap((claim) => ADDRESSES.map((address) => [claim, address] as const));
    test.each(cases)('email_verified %s, the address %s', async (claim, address) => {
      const email = `${randomUUID()}@person.example`;
      if (address === 'of a verified member') await client.newMember({ email });
      if (address === 'of an unverified member') expect((await exchange(careless, { email })).status).toBe(200);
      const lead =
        address === 'of an open lead'
          ? (await client.post('/api/v1/leads/capture', { email, referral_code: referrer.referral_code })).body
          : undefined;
      const before = await rowOf(email);

      const answer = await exchange(provider, { email, email_verified: CLAIMS[claim] });

      const after = await rowOf(email);
      const leadNow = lead && (await client.get(`/api/v1/leads/${lead.id}`)).body.conversion_status;
      const code = answer.status === 200 ? (before ? 'joined' : 'created') : answer.body.code;
      const outcome = {
        code,
        verified: after?.email_verified ?? null,
        leadTaken: leadNow === 'converted' && after?.parent_id === referrer.id,
      };
      const expected = expectedOf(claim, rule, address);
      expect(outcome).toEqual(expected);
      expect(answer.status).toBe(
        { created: 200, joined: 200, USER_NOT_PROVISIONED: 403, ACCOUNT_LINK_REQUIRED: 409 }[expected.code],
      );
      if (code === 'USER_NOT_PROVISIONED') {
        expect(answer.body).toEqual({ error: expect.any(String), code, details: { reason: 'EMAIL_UNVERIFIED' } });
      }
      if (lead && !expected.leadTaken) expect([leadNow, after?.parent_id ?? null]).toEqual(['captured', null]);
      if (answer.status === 200) {
        const { sub } = (await client.post('/api/v1/auth/validate', { token: answer.body.accessToken })).body;
        expect(sub).toBe(after?.id);
      }
      expect(after?.id).toBe(before?.id ?? after?.id);
    });
  },
);

test('an unverified address is found by nothing at all: the same answer for a known one and an unknown one', async () => {
  const provider = await newProvider({ trustEmail: true });
  const known = await client.newMember();
  const answers = [];
  for (const email of [known.email, `${randomUUID()}@person.example`]) {
    answers.push((await exchange(provider, { email, email_verified: false })).text);
  }
  expect(answers[0]).toBe(answers[1]);
});

test('an identity that is linked signs in, whatever its token says of the address', async () => {
  const provider = await newProvider({});
  const subject = randomUUID();
  const email = `${subject}@person.example`;
  expect((await exchange(provider, { email, email_verified: true }, subject)).status).toBe(200);
  expect((await exchange(provider, { email, email_verified: false }, subject)).status).toBe(200);
  expect((await rowOf(email))?.email_verified).toBe(true);
});

test('an address is verified by a later sign-in that says so of just this address, and then joins', async () => {
  const trusted = await newProvider({ trustEmail: true });
  const provider = await newProvider({ acceptUnverifiedEmail: true });
  const subject = randomUUID();
  const email = `${subject}@person.example`;
  expect((await exchange(provider, { email, email_verified: false }, subject)).status).toBe(200);
  expect((await exchange(provider, { email: `x${email}`, email_verified: true }, subject)).status).toBe(200);
  expect((await exchange(provider, { email }, subject)).status).toBe(200);
  expect((await exchange(trusted, { email, email_verified: true })).body.code).toBe('ACCOUNT_LINK_REQUIRED');
  expect((await exchange(provider, { email: email.toUpperCase(), email_verified: true }, subject)).status).toBe(200);
  expect((await exchange(trusted, { email, email_verified: true })).status).toBe(200);
});

test('an address stays unverified when the identity it came with is unlinked, or its provider is deleted', async () => {
  const trusted = await newProvider({ trustEmail: true });
  const http = (path: string) => app.http.delete(path).set('x-tenant-api-key', tenant.liveKey);
  for (const loosen of ['identity', 'provider'] as const) {
    const provider = await newProvider({ acceptUnverifiedEmail: true });
    const email = `${randomUUID()}@person.example`;
    await exchange(provider, { email, email_verified: false });
    const id = (await rowOf(email))?.id;
    if (loosen === 'identity') {
      const [identity] = (await client.get(`/api/v1/members/${id}/identities`)).body.data;
      expect((await http(`/api/v1/members/${id}/identities/${identity.id}`)).status).toBe(200);
    } else {
      const all = (await client.get('/api/v1/admin/auth/providers?limit=100')).body.data as { id: string; providerId: string }[];
      const row = all.find(({ providerId }) => providerId === provider);
      expect((await http(`/api/v1/admin/auth/providers/${row?.id}`)).status).toBe(200);
    }
    const answer = await exchange(trusted, { email, email_verified: true });
    expect([answer.status, answer.body.code], loosen).toEqual([409, 'ACCOUNT_LINK_REQUIRED']);
  }
});

test('an address that the tenant sets is verified: the tenant answers for it', async () => {
  const trusted = await newProvider({ trustEmail: true });
  const email = `${randomUUID()}@person.example`;
  await exchange(careless, { email });
  const id = (await rowOf(email))?.id;
  expect((await client.patch(`/api/v1/users/${id}`, { name: 'Ada' })).status).toBe(200);
  expect((await rowOf(email))?.email_verified).toBe(false);
  expect((await client.patch(`/api/v1/users/${id}`, { email: `new-${email}` })).status).toBe(200);
  expect((await exchange(trusted, { email: `new-${email}`, email_verified: true })).status).toBe(200);
});
