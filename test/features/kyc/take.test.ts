/** Taking a verification. Source: docs/specification/verification.md#taking. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantRecord, plantRequired } from '../../support/kyc/kyc-records.ts';

const MINUTES = 60_000;

let app: TestApp;
let tenant: TestTenant;
let scope: Scope;
/** Two reviewers, each by a key of its own. */
let eve: ApiClient;
let bob: ApiClient;
let kycId: string;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  eve = apiClient(app, tenant.liveKey);
  const made = await eve.post('/api/v1/admin/api-keys', { name: 'Bob', scopes: ['admin:kyc'] });
  expect(made.status, made.text).toBe(201);
  bob = apiClient(app, made.body.apiKey as string);
  kycId = await plantRecord(app, scope, { memberId: (await eve.newMember()).id });
  await plantRequired(app, scope, kycId);
});
afterAll(() => app.close());

const take = (by: ApiClient, body: object = {}, id = kycId) => by.post(`/api/v1/admin/kyc/${id}/take`, body);
const release = (by: ApiClient) => by.post(`/api/v1/admin/kyc/${kycId}/release`, {});
const review = async () => (await eve.get(`/api/v1/admin/kyc/${kycId}`)).body;
const freeFor = async (by: ApiClient): Promise<string[]> => {
  const { data } = (await by.get('/api/v1/admin/kyc?status=pending&free=true')).body as { data: { id: string }[] };
  return data.map(({ id }) => id);
};
/** So many minutes go by. */
const pass = (minutes: number) =>
  app.database.asSuperuser('update kyc_record set taken_until = taken_until - make_interval(mins => $2) where id = $1', [
    kycId,
    minutes,
  ]);
const log = async () => {
  const rows = await app.database.asSuperuser<{ action: string }>(
    "select action from audit_log where object_id = $1 and action in ('kyc_record.taken', 'kyc_record.released') order by id",
    [kycId],
  );
  return rows.map(({ action }) => action.slice('kyc_record.'.length));
};

describe('taking', () => {
  test('is for 15 minutes, is shown in the queue and in the review, and is nothing that the vendor waits for', async () => {
    const before = await review();
    const answer = await take(eve);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({
      id: kycId,
      userId: before.userId,
      status: 'pending',
      message: 'The verification is taken for 15 minutes',
      takenBy: { kind: 'api_key', id: expect.any(String), name: null },
      takenUntil: expect.stringMatching(/Z$/),
    });
    const { takenBy, takenUntil } = answer.body;
    expect(Math.abs(Date.parse(takenUntil as string) - Date.now() - 15 * MINUTES)).toBeLessThan(MINUTES);
    expect(await review()).toMatchObject({ takenBy, takenUntil, updatedAt: before.updatedAt });
    expect((await bob.get('/api/v1/admin/kyc')).body.data).toMatchObject([{ id: kycId, takenBy, takenUntil }]);
  });

  test('again renews it, and leaves one entry in the log', async () => {
    await take(eve);
    await pass(10);
    expect(Date.parse((await take(eve)).body.takenUntil as string)).toBeGreaterThan(Date.now() + 14 * MINUTES);
    expect(await log()).toEqual(['taken']);
  });

  test('is refused while another has it, and says who; from them it is taken all the same', async () => {
    const { takenBy, takenUntil } = (await take(eve)).body;
    const refused = await take(bob);
    expectRefusal(refused, 409, 'STATE_CONFLICT');
    expect(refused.body.details).toEqual({ takenBy, takenUntil });
    expect((await take(bob, { from: false })).status).toBe(409);
    expect((await take(bob, { from: true })).body.takenBy).toMatchObject({ name: 'Bob' });
    expectRefusal(await take(eve), 409, 'STATE_CONFLICT');
    expect(await log()).toEqual(['taken', 'taken']);
  });

  test('ends by itself at its time', async () => {
    await take(eve);
    await pass(14);
    expect((await take(bob)).status).toBe(409);
    await pass(1);
    expect(await review()).toMatchObject({ takenBy: null, takenUntil: null });
    expect((await take(bob)).body.takenBy).toMatchObject({ name: 'Bob' });
  });

  test('by two at once is won by exactly one', async () => {
    for (let round = 0; round < 5; round++) {
      const statuses = (await Promise.all([take(eve), take(bob)])).map(({ status }) => status).toSorted((a, b) => a - b);
      expect(statuses).toEqual([200, 409]);
      await pass(20);
    }
  });

  test('goes by the real time where the clock of a SANDBOX is moved', async () => {
    const sandbox = apiClient(app, tenant.sandboxKey);
    const there: Scope = { ...scope, environment: 'SANDBOX' };
    const id = await plantRecord(app, there, { memberId: (await sandbox.newMember()).id });
    await sandbox.post('/api/v1/sandbox/clock', { advanceSeconds: 86_400 });
    const { takenUntil } = (await take(sandbox, {}, id)).body;
    expect(Math.abs(Date.parse(takenUntil as string) - Date.now() - 15 * MINUTES)).toBeLessThan(MINUTES);
    await sandbox.post('/api/v1/sandbox/clock', { advanceSeconds: 86_400 });
    expect((await sandbox.get(`/api/v1/admin/kyc/${id}`)).body.takenUntil).toBe(takenUntil);
  });

  test('is not had by strangers, nor by a key that does not review', async () => {
    const other = apiClient(app, (await app.newTenant()).liveKey);
    for (const stranger of [other, apiClient(app, tenant.sandboxKey)]) {
      expectRefusal(await take(stranger), 404, 'NOT_FOUND');
      expectRefusal(await release(stranger), 404, 'NOT_FOUND');
    }
    const made = await eve.post('/api/v1/admin/api-keys', { name: 'Reader', scopes: ['kyc:read'] });
    expectRefusal(await take(apiClient(app, made.body.apiKey as string)), 403, 'FORBIDDEN');
  });

  test('ends with an erasure, and nobody takes what is left', async () => {
    await take(eve);
    await eve.post(`/api/v1/members/${(await review()).userId}/erasure`, {});
    expect(await review()).toMatchObject({ takenBy: null, takenUntil: null });
    expectRefusal(await take(eve), 409, 'STATE_CONFLICT');
  });
});

describe('a decision', () => {
  test.each([
    ['approve', {}],
    ['reject', { reason: 'No' }],
    ['request-resubmit', { reason: 'Again' }],
  ])('ends it, and is never locked by it: %s', async (deed, body) => {
    await take(eve);
    expect((await bob.post(`/api/v1/admin/kyc/${kycId}/${deed}`, body)).status).toBe(200);
    expect(await review()).toMatchObject({ takenBy: null, takenUntil: null });
  });

  test('on a document leaves it', async () => {
    await take(eve);
    const { documents } = await review();
    await eve.post(`/api/v1/admin/kyc/${kycId}/documents/${documents[0].id}/review`, { decision: 'accepted' });
    expect((await review()).takenBy).not.toBeNull();
  });
});

test('what one has taken one gives back, and nothing of another', async () => {
  expect((await release(eve)).body).toMatchObject({ takenBy: null, message: 'Nobody has taken the verification' });
  await take(eve);
  expect((await release(bob)).body).toMatchObject({ takenBy: { kind: 'api_key' }, message: 'Another has taken it' });
  expect((await release(eve)).body).toMatchObject({ takenBy: null, takenUntil: null });
  await take(eve);
  expect((await bob.post(`/api/v1/admin/kyc/${kycId}/release`, { from: true })).body).toMatchObject({ takenBy: null });
  expect((await take(bob)).status).toBe(200);
  expect(await log()).toEqual(['taken', 'released', 'taken', 'released', 'taken']);
});

test('the queue of what is free leaves out what others have, and not what oneself has', async () => {
  const second = await plantRecord(app, scope, { memberId: (await eve.newMember()).id });
  await take(eve);
  expect(await freeFor(bob)).toEqual([second]);
  expect(await freeFor(eve)).toEqual([kycId, second]);
  await pass(15);
  expect(await freeFor(bob)).toEqual([kycId, second]);
  expect((await bob.get('/api/v1/admin/kyc?free=false')).body.data).toHaveLength(2);
});
