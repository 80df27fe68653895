/**
 * A client that was written from the service description and /openapi.json alone: from a lead to the referrer who is
 * paid, over HTTP and nothing else. Each step sends what the description names and goes on with what was answered.
 */
import type { Response } from 'supertest';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { jpegOf } from '../support/kyc/sample-documents.ts';

const API = '/api/v1';
const HOLDING_SECONDS = 32 * 86_400;

let app: TestApp;
let client: ApiClient;
let key: string;

beforeAll(async () => {
  app = await startTestApp({ JOBS: 'inline', SWEEP_INTERVAL_MS: '50' });
});
beforeEach(async () => {
  key = (await app.newTenant()).sandboxKey;
  client = apiClient(app, key);
  await ok(200, client.patch(`${API}/admin/settings`, { payments: { provider: 'payvendor' } }));
});
afterAll(() => app.close());

async function ok<Body extends object>(status: number, answer: Promise<Response>): Promise<Body> {
  const { status: answered, body, text } = await answer;
  expect(answered, text).toBe(status);
  return body as Body;
}

const postNothing = async (path: string): Promise<Response> => app.http.post(path).set('x-tenant-api-key', key);

/** By hand: three documents, each with the two bodies of the description, and the approval. */
async function verify(userId: string): Promise<void> {
  const started = await ok<{ kycRecordId: string; requiredDocuments: { required: boolean }[] }>(
    200,
    postNothing(`${API}/members/${userId}/kyc/start`),
  );
  const documents = `${API}/members/${userId}/kyc/documents`;
  for (const [n] of started.requiredDocuments.filter(({ required }) => required).entries()) {
    const named = { fileName: `page-${n}.jpg`, mimeType: 'image/jpeg' };
    const content = jpegOf({ comment: `page ${n}` });
    const { uploadUrl, filePath } = await ok<{ uploadUrl: string; filePath: string }>(
      200,
      client.post(`${documents}/upload-url`, named),
    );
    const sent = await fetch(uploadUrl, {
      method: 'PUT',
      headers: { 'content-type': 'image/jpeg' },
      body: new Uint8Array(content),
    });
    expect(sent.status).toBe(200);
    await ok(201, client.post(documents, { ...named, fileSize: content.length, filePath }));
  }
  expect(await ok(200, client.get(`${API}/members/${userId}/kyc`))).toMatchObject({ status: 'pending' });
  await ok(200, postNothing(`${API}/admin/kyc/${started.kycRecordId}/approve`));
}

/** Payouts to its number stay on their way until they are told of. */
async function openAccount(userId: string): Promise<void> {
  const address = { addressLine1: '1 Main St', city: 'Boston', state: 'MA', postalCode: '02101', countryCode: 'USA' };
  const person = { givenName: 'Rita', surname: 'Lee', dateOfBirth: '1990-01-31', countryCode: 'USA', address };
  await ok(200, client.patch(`${API}/members/${userId}/profile`, person));
  const { methods } = await ok<{ methods: { id: string; currency: string }[] }>(
    200,
    client.get(`${API}/payout-methods?country=US`),
  );
  const method = methods.find(({ currency }) => currency === 'USD');
  await ok(
    201,
    client.post(`${API}/members/${userId}/payout-accounts`, {
      methodType: method?.id,
      currency: 'USD',
      bankAccount: { routingNumber: '110000000', accountNumber: '000123450001', accountHolderName: 'Rita Lee' },
    }),
  );
}

/** Draft, approval, execution; the simulated provider is told to have paid as soon as it has the payout. */
async function payOut(userId: string): Promise<void> {
  await ok(200, client.post(`${API}/sandbox/clock`, { advanceSeconds: HOLDING_SECONDS }));
  const run = await ok<{ id: string; payouts: { userId: string }[]; blocked: object[] }>(
    201,
    client.post(`${API}/payout-runs`, { currency: 'USD' }),
  );
  expect(
    run.payouts.map((payout) => payout.userId),
    JSON.stringify(run.blocked),
  ).toEqual([userId]);
  await ok(200, postNothing(`${API}/payout-runs/${run.id}/approve`));
  await ok(200, postNothing(`${API}/payout-runs/${run.id}/execute`));
  const payouts = () => ok<{ data: { id: string; status: string }[] }>(200, client.get(`${API}/payouts?runId=${run.id}`));
  const [payout] = (await payouts()).data;
  await expect
    .poll(
      async () => {
        await client.post(`${API}/sandbox/vendor-events`, { kind: 'payout', payoutId: payout?.id, outcome: 'paid' });
        return (await payouts()).data.map(({ status }) => status);
      },
      { timeout: 60_000, interval: 100 },
    )
    .toEqual(['paid']);
}

/** What the shop does when the lead signs up. */
type SignUp = (lead: { email: string; code: string }) => object;

async function travel(signUp: SignUp): Promise<void> {
  const rita = await ok<{ id: string; referral_code: string }>(
    201,
    client.post(`${API}/users`, { email: 'rita@shop.example', membership_tier: 'SENIOR' }),
  );
  const email = 'lee@shop.example';
  const lead = await ok<{ id: string; referrer_user_id: string }>(
    201,
    client.post(`${API}/leads/capture`, { email, name: 'Lee', referral_code: rita.referral_code }),
  );
  expect(lead.referrer_user_id).toBe(rita.id);

  const lee = await ok<{ id: string; parent_id: string }>(
    201,
    client.post(`${API}/users`, signUp({ email, code: rita.referral_code })),
  );
  expect(lee.parent_id).toBe(rita.id);
  const converted = await ok<{ conversion_status: string }>(200, client.get(`${API}/leads/${lead.id}`));
  expect(converted.conversion_status).toBe('converted');

  const { commissions } = await ok<{ commissions: { user_id: string; amount_minor: number }[] }>(
    201,
    client.post(`${API}/events/purchase`, {
      external_event_id: 'order-1',
      amount_minor: 100_000,
      currency: 'USD',
      customer: { external_id: 'lee' },
      buyer_user_id: lee.id,
    }),
  );
  expect(commissions).toMatchObject([{ user_id: rita.id, amount_minor: 10_000 }]);

  await openAccount(rita.id);
  await verify(rita.id);
  await payOut(rita.id);
  const { commission_balance } = await ok<{ commission_balance: object }>(
    200,
    client.get(`${API}/users/status?user_id=${rita.id}`),
  );
  expect(commission_balance).toEqual({ pending: 0, cleared: 0, paid: 100, total: 100 });
}

test('a lead that signs up with the code of its referrer has the referrer paid', async () => {
  await travel(({ email, code }) => ({ email, referral_code: code }));
});

test('nobody who is not verified is paid', async () => {
  const { id } = await client.newMember();
  const buyer = await client.newMember({ parent_id: id });
  await openAccount(id);
  await ok(201, client.post(`${API}/events/purchase`, client.purchaseBody({ amount_minor: 100_000, buyer_user_id: buyer.id })));
  await ok(200, client.post(`${API}/sandbox/clock`, { advanceSeconds: HOLDING_SECONDS }));
  const run = await ok<object>(201, client.post(`${API}/payout-runs`, { currency: 'USD' }));
  expect(run).toMatchObject({ payouts: [], blocked: [{ userId: id, reason: 'KYC_REQUIRED' }] });
});

test('a lead that signs up with nothing but its email has the referrer paid', async () => {
  await travel(({ email }) => ({ email }));
});
