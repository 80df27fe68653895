/** Events that a SANDBOX has its simulated vendor send. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { type FakeKycVendor, startFakeKycVendor } from '../../support/kyc/fake-kyc-vendor.ts';
import { type KycSide, openKycSide, type PlantedRecord } from '../../support/kyc/kyc-deliveries.ts';
import { plantKycSettings } from '../../support/kyc/kyc-settings.ts';

let vendor: FakeKycVendor;
let app: TestApp;
let side: KycSide;
let client: ApiClient;
let record: PlantedRecord;

const PATH = '/api/v1/sandbox/vendor-events';
const bodyOf = (outcome: string, more: object = {}) => ({ kind: 'kyc', userId: record.memberId, outcome, ...more });
const send = (outcome: string, more: object = {}, headers: Record<string, string> = {}) =>
  client.post(PATH, bodyOf(outcome, more), headers);

beforeAll(async () => {
  vendor = await startFakeKycVendor();
  app = await startTestApp({ OUTGOING_ALLOWED_HOSTS: vendor.host });
  side = await openKycSide(app, vendor, { environment: 'SANDBOX' });
  // No account of its own.
  await plantKycSettings(app, side.scope);
  client = apiClient(app, side.key);
});
beforeEach(async () => {
  record = await side.newRecord();
});
afterAll(async () => {
  await app.close();
  vendor.close();
});

test.each([
  ['pending', 'pending', { reviewStatus: 'pending' }],
  ['on_hold', 'pending', { reviewStatus: 'onHold' }],
  ['approved', 'approved', { reviewStatus: 'completed', reviewResult: { reviewAnswer: 'GREEN' } }],
  ['rejected', 'rejected', { reviewStatus: 'completed', reviewResult: { reviewAnswer: 'RED', reviewRejectType: 'FINAL' } }],
  ['resubmit_required', 'resubmit_required', { reviewResult: { reviewAnswer: 'RED', reviewRejectType: 'RETRY' } }],
])('%s', async (outcome, status, review) => {
  const answer = await send(outcome);
  expect([answer.status, answer.body]).toEqual([
    200,
    { kind: 'kyc', userId: record.memberId, kycRecordId: record.recordId, status, effect: 'applied' },
  ]);
  expect(await side.state(record)).toMatchObject({ status, memberApproved: status === 'approved' });
  const [row] = await app.database.asSuperuser<{ simulated_review: object }>(
    'select simulated_review from kyc_record where id = $1',
    [record.recordId],
  );
  expect(row?.simulated_review).toMatchObject(review);
  expect((await send(outcome)).body).toMatchObject({ status, effect: 'no_change' });
});

test('one after another, as the vendor would decide', async () => {
  for (const [outcome, status] of [
    ['pending', 'pending'],
    ['approved', 'approved'],
    ['reset', 'not_started'],
    ['resubmit_required', 'resubmit_required'],
    ['rejected', 'rejected'],
  ] as const) {
    expect((await send(outcome)).body).toMatchObject({ status, effect: 'applied' });
  }
  expect(await side.log(record)).toEqual([
    'kyc_record.submitted pending',
    'sandbox.vendor_event_sent pending',
    'kyc_record.approved approved',
    'sandbox.vendor_event_sent approved',
    'kyc_record.reset not_started',
    'sandbox.vendor_event_sent reset',
    'kyc_record.resubmit_requested resubmit_required',
    'sandbox.vendor_event_sent resubmit_required',
    'kyc_record.rejected rejected',
    'sandbox.vendor_event_sent rejected',
  ]);
});

test('the reason is what the member is shown, and is of what has one', async () => {
  await send('rejected', { reason: 'The document has expired' });
  expect(await side.state(record)).toMatchObject({ status: 'rejected', reason: 'The document has expired' });
  expect((await send('approved', { reason: 'x' })).body).toMatchObject({ code: 'VALIDATION_ERROR' });
  expect((await send('rejected', { reason: 'x'.repeat(501) })).status).toBe(400);
});

test("staff's decision is kept, until the vendor resets", async () => {
  await app.database.asSuperuser(
    "update kyc_record set status = 'rejected', rejection_reason = 'Ours', decided_by = 'admin' where id = $1",
    [record.recordId],
  );
  expect((await send('approved')).body).toMatchObject({ status: 'rejected', effect: 'held_by_staff' });
  expect((await send('reset')).body).toMatchObject({ status: 'not_started', effect: 'applied' });
  expect((await send('approved')).body).toMatchObject({ status: 'approved', effect: 'applied' });
});

test("the clock of the SANDBOX is not the vendor's", async () => {
  const own = await openKycSide(app, vendor, { environment: 'SANDBOX' });
  await plantKycSettings(app, own.scope);
  const { memberId: userId } = await own.newRecord();
  const ownClient = apiClient(app, own.key);
  for (const outcome of ['pending', 'approved', 'reset', 'rejected']) {
    await ownClient.post('/api/v1/sandbox/clock', { advanceSeconds: 86_400 });
    expect((await ownClient.post(PATH, { kind: 'kyc', userId, outcome })).body).toMatchObject({ effect: 'applied' });
  }
});

test('a repeat with its Idempotency-Key has one effect; twenty at once have twenty, in some order', async () => {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const first = await send('approved', {}, headers);
  const again = await send('approved', {}, headers);
  expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  expect(await side.log(record)).toEqual(['kyc_record.approved approved', 'sandbox.vendor_event_sent approved']);
  const outcomes = ['pending', 'approved', 'rejected', 'reset'];
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => send(outcomes[index % 4] ?? 'pending')));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const sent = (await side.log(record)).map((entry) => entry.startsWith('sandbox.vendor_event_sent '));
  expect([sent.filter((is) => is).length, sent.filter((is) => !is).length]).toEqual([21, 21]);
});

describe('refused, without a trace', () => {
  const refusalOf = async (caller: ApiClient, userId: string) => {
    const before = await app.database.asSuperuser('select count(*) from kyc_event');
    const { status, body } = await caller.post(PATH, { kind: 'kyc', userId, outcome: 'approved' });
    expect(await app.database.asSuperuser('select count(*) from kyc_event')).toEqual(before);
    return [status, body.code];
  };

  test('in LIVE', async () => {
    const live = apiClient(app, side.tenant.liveKey);
    expect(await refusalOf(live, record.memberId)).toEqual([403, 'ENVIRONMENT_MISMATCH']);
  });

  test("for a member that is another's, or nobody's", async () => {
    const other = await openKycSide(app, vendor, { environment: 'SANDBOX' });
    const theirs = await other.newRecord();
    expect(await refusalOf(client, theirs.memberId)).toEqual([404, 'USER_NOT_FOUND']);
    expect(await refusalOf(client, crypto.randomUUID())).toEqual([404, 'USER_NOT_FOUND']);
  });

  test('where no verification was started, or one by hand', async () => {
    const { id } = await client.newMember();
    expect(await refusalOf(client, id)).toEqual([409, 'STATE_CONFLICT']);
    const manual = await side.newRecord({ provider: 'manual' });
    expect(await refusalOf(client, manual.memberId)).toEqual([409, 'STATE_CONFLICT']);
  });

  test('where the SANDBOX has a vendor account', async () => {
    const own = await openKycSide(app, vendor, { environment: 'SANDBOX' });
    const { memberId } = await own.newRecord();
    expect(await refusalOf(apiClient(app, own.key), memberId)).toEqual([409, 'STATE_CONFLICT']);
    expect((await apiClient(app, own.key).post(PATH, { kind: 'kyc', userId: memberId, outcome: 'approved' })).body.error).toMatch(
      /vendor account/,
    );
  });
});
