/**
 * What comes of the KYC vendor's deliveries (docs/specification/webhooks.md#kyc-events,
 * docs/specification/reliability.md#vendors-events).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { type FakeKycVendor, startFakeKycVendor } from '../../support/kyc/fake-kyc-vendor.ts';
import { GREEN, type KycSide, openKycSide, redOf } from '../../support/kyc/kyc-deliveries.ts';

let vendor: FakeKycVendor;
let app: TestApp;
let side: KycSide;

beforeAll(async () => {
  vendor = await startFakeKycVendor();
  app = await startTestApp({ OUTGOING_ALLOWED_HOSTS: vendor.host });
  side = await openKycSide(app, vendor);
});
afterAll(async () => {
  await app.close();
  vendor.close();
});

const RECEIVED = { status: 200, json: { message: 'Event received' } };
const START = Date.now() - 3_600_000;
const at = (minute: number) => new Date(START + minute * 60_000);
const asksOf = (applicantId: string) => vendor.requests.filter((request) => request.includes(`${applicantId}/status`)).length;

test('an approval is the vendor, asked, standing by it', async () => {
  const record = await side.newRecord();
  expect(await side.send(side.event(record, 'applicantPending', { createdAt: at(1) }))).toMatchObject(RECEIVED);
  expect(await side.state(record)).toMatchObject({ status: 'pending', verified: false, memberApproved: false, checkIn: 900 });
  vendor.setReview(record.memberId, GREEN);
  const answer = await side.send(side.event(record, 'applicantReviewed', { ...GREEN, createdAt: at(2) }));
  expect(answer).toMatchObject(RECEIVED);
  expect(answer.headers.get('x-environment')).toBe('LIVE');
  expect(await side.state(record)).toEqual({
    status: 'approved',
    reason: null,
    applicantId: record.applicantId,
    decidedBy: 'vendor',
    lastEventAt: at(2),
    checkIn: null,
    verified: true,
    memberApproved: true,
  });
  expect(await side.log(record)).toEqual(['kyc_record.submitted pending', 'kyc_record.approved approved']);
  await side.send(side.event(record, 'applicantReset', { reviewStatus: 'init', createdAt: at(3) }));
  expect(await side.state(record)).toMatchObject({
    status: 'not_started',
    verified: false,
    memberApproved: false,
    decidedBy: null,
  });
});

test('a refusal says why, to the member; the log has no word of it', async () => {
  const record = await side.newRecord();
  await side.send(side.event(record, 'applicantReviewed', { ...redOf('FINAL', 'Born in the future'), createdAt: at(1) }));
  expect(await side.state(record)).toMatchObject({ status: 'rejected', reason: 'Born in the future', decidedBy: 'vendor' });
  await side.send(side.event(record, 'applicantReviewed', { ...redOf('RETRY', 'Blurred'), createdAt: at(2) }));
  expect(await side.state(record)).toMatchObject({ status: 'resubmit_required', reason: 'Blurred' });
  const [entry] = await app.database.asSuperuser<{ actor_id: string; details: Record<string, unknown> }>(
    `select actor_id, details from audit_log where object_id = $1 order by id limit 1`,
    [record.recordId],
  );
  expect(entry).toMatchObject({ actor_id: 'kycvendor', details: { from: 'not_started', to: 'rejected', labels: ['LABEL'] } });
  expect(JSON.stringify(entry)).not.toMatch(/future|for staff/);
});

test('an approval that the vendor does not stand by changes nothing, and is asked about in a minute', async () => {
  const record = await side.newRecord();
  await side.send(side.event(record, 'applicantReset', { createdAt: at(5) }));
  expect(await side.send(side.event(record, 'applicantReviewed', { ...GREEN, createdAt: at(6) }))).toMatchObject(RECEIVED);
  expect(await side.state(record)).toMatchObject({ status: 'not_started', checkIn: 60, lastEventAt: at(5) });
  expect((await side.log(record)).at(-1)).toBe('kyc_record.vendor_event not_confirmed');
});

test('an old approval that is replayed is not even asked about', async () => {
  const record = await side.newRecord();
  vendor.setReview(record.memberId, GREEN);
  const old = side.event(record, 'applicantReviewed', { ...GREEN, createdAt: at(1) });
  await side.send(old);
  await side.send(side.event(record, 'applicantReset', { createdAt: at(2) }));
  expect(await side.send(old)).toMatchObject(RECEIVED);
  const sameAgain = side.event(record, 'applicantReviewed', { ...GREEN, createdAt: at(1) });
  expect(await side.send(sameAgain)).toMatchObject(RECEIVED);
  expect(asksOf(record.applicantId)).toBe(1);
  expect(await side.state(record)).toMatchObject({ status: 'not_started' });
  expect(await side.log(record)).toEqual([
    'kyc_record.approved approved',
    'kyc_record.reset not_started',
    'kyc_record.vendor_event older',
  ]);
});

describe('when the vendor does not answer', () => {
  test.each([
    ['is down', { status: 503 }],
    ['refuses us', { status: 401 }],
    ['answers with what cannot be used', 'garbage' as const],
  ])('because it %s, nothing is kept, and the delivery is wanted again', async (_name, fault) => {
    const record = await side.newRecord();
    vendor.setReview(record.memberId, GREEN);
    vendor.failNext(new RegExp(record.applicantId), ...Array.from({ length: 4 }, () => fault));
    const delivery = side.event(record, 'applicantReviewed', { ...GREEN, createdAt: at(1) });
    const kept = await side.kept();
    const answer = await side.send(delivery);
    expect(answer).toMatchObject({ status: 503, json: { code: 'SERVICE_UNAVAILABLE' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect([await side.kept(), await side.log(record)]).toEqual([kept, []]);
    // What is left of the faults, one attempt or more a delivery.
    for (let tries = 0; tries < 4; tries++) await side.send(delivery);
    expect(await side.send(delivery)).toMatchObject(RECEIVED);
    expect(await side.state(record)).toMatchObject({ status: 'approved' });
  });
});

describe('deliveries at once', () => {
  test('a thousand of one event: one change, one question, a thousand answers', async () => {
    const record = await side.newRecord();
    vendor.setReview(record.memberId, GREEN);
    const delivery = side.event(record, 'applicantReviewed', { ...GREEN, createdAt: at(1) });
    // A connection whose headers wait for longer than ten seconds is cut, on a slow machine: the vendor delivers again.
    const deliver = () => side.send(delivery).catch(() => side.send(delivery));
    const answers = await Promise.all(Array.from({ length: 1_000 }, deliver));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await side.log(record)).toEqual(['kyc_record.approved approved']);
    expect(asksOf(record.applicantId)).toBe(1);
    const [events] = await app.database.asSuperuser('select count(*)::int as count from kyc_event where kyc_record_id = $1', [
      record.recordId,
    ]);
    expect(events).toEqual({ count: 1 });
  });

  test('several events of one applicant: one question answers those that wait for it', async () => {
    const record = await side.newRecord();
    vendor.setReview(record.memberId, GREEN);
    const deliveries = ['applicantReviewed', 'applicantWorkflowCompleted'].flatMap((type) =>
      [1, 2, 3].map((minute) => side.event(record, type, { ...GREEN, createdAt: at(minute) })),
    );
    // The vendor takes its time, so that the others come while it is asked.
    vendor.meanwhile = () => sleep(300);
    const answers = await Promise.all(deliveries.map(side.send));
    vendor.meanwhile = undefined;
    expect(answers.map(({ status }) => status)).toEqual(deliveries.map(() => 200));
    expect(await side.state(record)).toMatchObject({ status: 'approved', lastEventAt: at(3) });
    expect((await side.log(record)).filter((entry) => entry === 'kyc_record.approved approved')).toHaveLength(1);
    expect(asksOf(record.applicantId)).toBeLessThan(6);
  });

  test('what changes while the vendor is asked counts', async () => {
    const record = await side.newRecord();
    vendor.setReview(record.memberId, GREEN);
    const reset = side.event(record, 'applicantReset', { createdAt: at(9) });
    vendor.meanwhile = async (request) => {
      if (request.includes(record.applicantId)) await side.send(reset);
    };
    expect(await side.send(side.event(record, 'applicantReviewed', { ...GREEN, createdAt: at(8) }))).toMatchObject(RECEIVED);
    vendor.meanwhile = undefined;
    expect(await side.state(record)).toMatchObject({ status: 'not_started', lastEventAt: at(9) });
    expect(await side.log(record)).toEqual(['kyc_record.vendor_event no_change', 'kyc_record.vendor_event older']);
  });

  test('two members who are said to be one applicant: one of them is', async () => {
    const [one, other] = [await side.newRecord({ applicantId: null }), await side.newRecord({ applicantId: null })];
    const claims = [one, other].map((record) => side.event({ ...record, applicantId: one.applicantId }, 'applicantPending'));
    const statuses = (await Promise.all(claims.map(side.send))).map(({ status }) => status);
    for (const claim of claims) expect((await side.send(claim)).status).toBe(200);
    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
    const held = [(await side.state(one)).applicantId, (await side.state(other)).applicantId];
    expect(held.filter((id) => id === one.applicantId)).toHaveLength(1);
  });
});

describe('whom it is about', () => {
  test('a member without a record, an unknown one, none at all: kept, for later', async () => {
    const own = await openKycSide(app, vendor);
    const { memberId } = await side.newRecord();
    const nobody = { memberId: crypto.randomUUID(), recordId: '', applicantId: 'f'.repeat(24) };
    for (const about of [nobody, { ...nobody, memberId }, { ...nobody, memberId: 'not-a-uuid' }]) {
      expect(await own.send(own.event(about, 'applicantPending'))).toMatchObject(RECEIVED);
    }
    expect(await own.send(own.event(nobody, 'amlCaseCreated', { externalUserId: null }))).toMatchObject(RECEIVED);
    expect(await own.kept()).toEqual([...Array(3).fill('applicantPending unmatched'), 'amlCaseCreated unmatched']);
  });

  test("an applicant of another tenant's is nobody here; the same id may be both tenants' own", async () => {
    const other = await openKycSide(app, vendor);
    const theirs = await other.newRecord();
    expect(await side.send(side.event(theirs, 'applicantReviewed', redOf('FINAL', 'No')))).toMatchObject(RECEIVED);
    expect(await other.state(theirs)).toMatchObject({ status: 'not_started' });
    const ours = await side.newRecord({ applicantId: theirs.applicantId });
    await side.send(side.event(ours, 'applicantPending', { externalUserId: null }));
    expect([(await side.state(ours)).status, (await other.state(theirs)).status]).toEqual(['pending', 'not_started']);
  });

  test('a record that does not know its applicant yet learns it; deleted, it is nobody again', async () => {
    const record = await side.newRecord({ applicantId: null });
    await side.send(side.event(record, 'applicantPending', { externalUserId: record.memberId.toUpperCase(), createdAt: at(1) }));
    expect(await side.state(record)).toMatchObject({ status: 'pending', applicantId: record.applicantId });
    await side.send(side.event(record, 'applicantDeleted', { createdAt: at(2) }));
    expect(await side.state(record)).toMatchObject({ status: 'pending', applicantId: null });
    await side.send(side.event(record, 'applicantOnHold', { createdAt: at(3) }));
    expect(await side.state(record)).toMatchObject({ applicantId: null });
  });

  test('an approval that comes before the applicant is stored is asked about all the same', async () => {
    const record = await side.newRecord({ applicantId: null });
    vendor.setReview(record.memberId, GREEN);
    await side.send(side.event(record, 'applicantReviewed', GREEN));
    expect(await side.state(record)).toMatchObject({ status: 'approved', applicantId: record.applicantId });
  });

  test('a member verified by hand, and a company, are left alone', async () => {
    const manual = await side.newRecord({ provider: 'manual' });
    await side.send(side.event(manual, 'applicantReviewed', redOf('FINAL', 'No')));
    const record = await side.newRecord();
    await side.send(side.event(record, 'applicantReviewed', { ...redOf('FINAL', 'No'), extra: { applicantType: 'company' } }));
    for (const one of [manual, record]) {
      expect((await side.state(one)).status).toBe('not_started');
      expect(await side.log(one)).toEqual(['kyc_record.vendor_event no_change']);
    }
  });
});

test("staff's decision is changed by a reset alone", async () => {
  const record = await side.newRecord();
  await app.database.asSuperuser(
    "update kyc_record set status = 'rejected', rejection_reason = 'Ours', decided_by = 'admin' where id = $1",
    [record.recordId],
  );
  vendor.setReview(record.memberId, GREEN);
  await side.send(side.event(record, 'applicantReviewed', { ...GREEN, createdAt: at(1) }));
  expect(await side.state(record)).toMatchObject({ status: 'rejected', reason: 'Ours', decidedBy: 'admin', lastEventAt: null });
  await side.send(side.event(record, 'applicantReset', { createdAt: at(2) }));
  expect(await side.state(record)).toMatchObject({ status: 'not_started', decidedBy: null, checkIn: 60 });
  expect(await side.log(record)).toEqual(['kyc_record.vendor_event held_by_staff', 'kyc_record.reset not_started']);
});

test.each(['applicantReset', 'applicantPending'])('of an erased member nothing is learned anew: %s', async (type) => {
  const record = await side.newRecord({ applicantId: null });
  await app.database.asSuperuser(
    `with member as (update member set erased_at = now() where id = $1)
     update kyc_record set status = 'rejected', rejection_reason = 'Erased', decided_by = 'admin' where id = $2`,
    [record.memberId, record.recordId],
  );
  const delivery = side.event(record, type, { ...redOf('FINAL', 'A name'), createdAt: at(1) });
  for (let times = 0; times < 2; times++) expect(await side.send(delivery)).toMatchObject(RECEIVED);
  expect(await side.state(record)).toMatchObject({ status: 'rejected', reason: 'Erased', decidedBy: 'admin', applicantId: null });
  const kept = await app.database.asSuperuser('select applicant_id, body::text from kyc_event where kyc_record_id = $1', [
    record.recordId,
  ]);
  expect(kept).toEqual([{ applicant_id: null, body: '{}' }]);
  expect(await side.log(record)).toEqual(['kyc_record.vendor_event held_by_staff']);
});

test.each(['applicantWorkflowFailed', 'applicantPersonalInfoChanged'])('after %s the vendor is asked at once', async (type) => {
  const record = await side.newRecord();
  await side.send(side.event(record, type));
  expect(await side.state(record)).toMatchObject({ status: 'not_started', checkIn: 0 });
});

test('another level: the vendor tells how far it got', async () => {
  const record = await side.newRecord();
  await side.send(side.event(record, 'applicantPending', { createdAt: at(1) }));
  await side.send(side.event(record, 'applicantLevelChanged', { createdAt: at(2) }));
  expect(await side.state(record)).toMatchObject({ status: 'not_started' });
  vendor.setReview(record.memberId, { reviewStatus: 'queued' });
  await side.send(side.event(record, 'applicantLevelChanged', { createdAt: at(3) }));
  expect(await side.state(record)).toMatchObject({ status: 'pending' });
});

test('what is unknown is kept as it came, whatever is in it', async () => {
  const own = await openKycSide(app, vendor);
  const record = await own.newRecord();
  const odd = { deep: { nul: 'a\0b', half: '\ud800', '\0': [1e300, null] }, __proto__x: 1 };
  expect(await own.send(own.event(record, 'somethingNew', { extra: odd }))).toMatchObject(RECEIVED);
  expect(await own.kept()).toEqual(['somethingNew no_change']);
  const [row] = await app.database.asSuperuser<{ body: Record<string, unknown> }>(
    'select body from kyc_event where tenant_id = $1',
    [own.scope.tenantId],
  );
  expect(row?.body['deep']).toEqual({ nul: 'a\ufffdb', half: '\ufffd', '\ufffd': [1e300, null] });
});

test('256 kB is received, more is not', async () => {
  const record = await side.newRecord();
  const sized = (bytes: number) => {
    const bare = side.event(record, 'applicantTagsChanged', { extra: { filler: '' } }).body.length;
    return side.event(record, 'applicantTagsChanged', { extra: { filler: 'x'.repeat(bytes - bare) } });
  };
  expect(await side.send(sized(256 * 1024))).toMatchObject(RECEIVED);
  expect(await side.send(sized(256 * 1024 + 1))).toMatchObject({ status: 413, json: { code: 'BODY_TOO_LARGE' } });
  expect(await side.send(sized(2 * 1024 * 1024))).toMatchObject({ status: 413 });
});
