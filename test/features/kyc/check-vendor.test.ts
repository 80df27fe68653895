/** Asking the vendor about records whose events were lost, and taking back at the vendor what staff no longer go by. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockRecord } from '../../../src/features/kyc/records/kyc-record-queries.ts';
import { runJobs } from '../../support/jobs/run-jobs.ts';
import type { FakeReview } from '../../support/kyc/fake-kyc-vendor.ts';
import {
  auditOf,
  type KycTenant,
  type KycWorld,
  newKycTenant,
  recordOf,
  type StoredRecord,
  startKycWorld,
  startPath,
} from '../../support/kyc/kyc-world.ts';

let world: KycWorld;
let live: KycTenant;
let memberId: string;

beforeAll(async () => {
  world = await startKycWorld();
  live = await newKycTenant(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.vendor.workAgain();
  memberId = (await live.client.newMember()).id;
  await live.client.post(startPath(memberId), {});
});

const sql = (text: string) => world.app.database.asSuperuser(`update kyc_record set ${text} where member_id = $1`, [memberId]);
const record = () => recordOf(world, memberId);

/** What the record is once it was due and the vendor was asked. */
async function check(): Promise<StoredRecord> {
  await sql("check_at = now() - interval '1 second'");
  await world.app.runSweep('check-kyc', live.scope);
  await runJobs(world.app, 'ask-kyc-vendor');
  return record();
}

const approvedAt = async () =>
  (
    await world.app.database.asSuperuser<{ at: Date | null }>('select kyc_approved_at as at from member where id = $1', [
      memberId,
    ])
  )[0]?.at;

const RED = { reviewAnswer: 'RED', rejectLabels: ['FORGERY'], moderationComment: 'Not genuine', clientComment: 'Staff only' };

describe('a record whose event was lost becomes what the vendor says', () => {
  test.each<[FakeReview, string, string | null]>([
    [{ reviewStatus: 'pending' }, 'pending', null],
    [{ reviewStatus: 'onHold', reviewResult: { reviewAnswer: 'GREEN' } }, 'pending', null],
    [{ reviewStatus: 'completed', reviewResult: { reviewAnswer: 'GREEN' } }, 'approved', null],
    [{ reviewStatus: 'completed', reviewResult: { ...RED, reviewRejectType: 'FINAL' } }, 'rejected', 'Not genuine'],
    [{ reviewStatus: 'completed', reviewResult: { ...RED, reviewRejectType: 'RETRY' } }, 'resubmit_required', 'Not genuine'],
    [{ reviewStatus: 'completed', reviewResult: RED }, 'resubmit_required', 'Not genuine'],
    [{ reviewStatus: 'awaitingUser' }, 'resubmit_required', 'The provider gave no reason'],
  ])('%j: %s', async (review, status, reason) => {
    const before = Date.now();
    world.vendor.setReview(memberId, review);
    const checked = await check();
    expect(checked).toMatchObject({ status, rejection_reason: reason, decided_by: status === 'pending' ? null : 'vendor' });
    // What the vendor told of before that does not count any more.
    expect(checked.last_event_at?.getTime()).toBeGreaterThan(before - 5_000);
    expect((await approvedAt()) != null).toBe(status === 'approved');
    const [entry] = (await auditOf(world, checked.id)).slice(-1);
    expect(entry).toEqual({
      action: 'kyc_record.reconciled',
      details: { from: 'not_started', to: status, providerStatus: review.reviewStatus },
    });
    expect(JSON.stringify(await auditOf(world, checked.id))).not.toMatch(/Not genuine|Staff only/);
    expect(checked.check_at === null).toBe(status !== 'pending');
  });

  test('from approved too, when it was asked for', async () => {
    world.vendor.setReview(memberId, { reviewStatus: 'completed', reviewResult: { reviewAnswer: 'GREEN' } });
    expect((await check()).status).toBe('approved');
    const entries = await auditOf(world, (await record()).id);
    // The same answer again changes nothing, and ends the asking.
    expect(await check()).toMatchObject({ status: 'approved', check_at: null });
    expect(await auditOf(world, (await record()).id)).toEqual(entries);
    world.vendor.setReview(memberId, { reviewStatus: 'init' });
    expect((await check()).status).toBe('not_started');
    expect(await approvedAt()).toBeNull();
  });
});

describe('nothing changes', () => {
  test.each<[string, FakeReview, string]>([
    ['by an unknown review status', { reviewStatus: 'somethingNew' }, 'pending'],
    ['by a decision without an answer', { reviewStatus: 'completed', reviewResult: null }, 'pending'],
    ['by the same status', { reviewStatus: 'queued' }, 'pending'],
    ['when papers are still to come in again', { reviewStatus: 'init' }, 'resubmit_required'],
  ])('%s', async (_name, review, status) => {
    await sql(`status = '${status}'`);
    const entries = await auditOf(world, (await record()).id);
    world.vendor.setReview(memberId, review);
    expect(await check()).toMatchObject({ status, last_event_at: null });
    expect(await auditOf(world, (await record()).id)).toEqual(entries);
  });

  test.each([
    ['staff have decided', "decided_by = 'admin', status = 'rejected', rejection_reason = 'No'", 'rejected'],
    ['it is verified by hand', "provider = 'manual'", 'not_started'],
    ['there is no applicant', 'provider_applicant_id = null', 'not_started'],
  ])('and the vendor is not asked when %s', async (_name, change, status) => {
    world.vendor.setReview(memberId, { reviewStatus: 'completed', reviewResult: { reviewAnswer: 'GREEN' } });
    await sql(change);
    const asked = world.vendor.requests.length;
    expect(await check()).toMatchObject({ status, check_at: null });
    expect(world.vendor.requests).toHaveLength(asked);
  });

  test.each([
    [
      'an event moved it',
      "status = 'rejected', rejection_reason = 'By event', last_event_at = now(), updated_at = now()",
      'rejected',
    ],
    ['staff decided', "status = 'rejected', rejection_reason = 'By staff', decided_by = 'admin', updated_at = now()", 'rejected'],
    ['a newer event changed nothing', 'last_event_at = now(), updated_at = now()', 'not_started'],
  ])('when %s while the vendor was asked', async (_name, change, status) => {
    world.vendor.setReview(memberId, { reviewStatus: 'completed', reviewResult: { reviewAnswer: 'GREEN' } });
    world.vendor.meanwhile = async (request) => {
      if (request.endsWith('/status')) await sql(change);
    };
    expect((await check()).status).toBe(status);
  });
});

test('the vendor is asked ever more seldom, for as long as the record is pending', async () => {
  world.vendor.setReview(memberId, { reviewStatus: 'pending' });
  await check();
  const minutes: number[] = [];
  for (let i = 0; i < 9; i++) {
    const { check_at: at } = await check();
    minutes.push(Math.round(((at?.getTime() ?? 0) - Date.now()) / 60_000));
  }
  expect(minutes).toEqual([30, 60, 120, 240, 480, 960, 1440, 1440, 1440]);
});

test('a record that nobody sends papers for is let go of, and taken up again by a start', async () => {
  await sql('checks = 7');
  expect((await check()).check_at).toBeNull();
  await live.client.post(startPath(memberId), {});
  expect(await record()).toMatchObject({ checks: 0, check_at: expect.any(Date) });
});

test('a vendor that is away fails no job, and is asked again', async () => {
  world.vendor.failNext(/status$/, 'drop', 'drop', 'drop');
  expect(await check()).toMatchObject({ status: 'not_started', check_at: expect.any(Date) });
  expect(
    await world.app.database.asSuperuser(
      "select name from pgboss.job where state in ('retry', 'failed') or name = 'dead-letters'",
    ),
  ).toEqual([]);
});

test('an applicant that the vendor does not know is forgotten, and the next start makes another', async () => {
  const { provider_applicant_id: gone } = await record();
  world.vendor.applicants.delete(gone ?? '');
  expect(await check()).toMatchObject({ status: 'not_started', provider_applicant_id: null, check_at: null });
  expect((await auditOf(world, (await record()).id)).at(-1)?.details).toEqual({ applicantKnown: false, status: 'not_started' });
  const again = await live.client.post(startPath(memberId), {});
  expect(again.body.sdkConfig.applicantId).not.toBe(gone);
});

test('many workers sweeping at once have the vendor asked once', async () => {
  await sql("check_at = now() - interval '1 second'");
  const asked = world.vendor.requests.length;
  await Promise.all(Array.from({ length: 8 }, () => world.app.runSweep('check-kyc', live.scope)));
  await runJobs(world.app, 'ask-kyc-vendor');
  expect(world.vendor.requests.slice(asked)).toHaveLength(1);
});

test('a record that somebody holds keeps no other waiting', async () => {
  const other = (await live.client.newMember()).id;
  await live.client.post(startPath(other), {});
  await world.app.database.asSuperuser("update kyc_record set check_at = now() - interval '1 second' where member_id = any($1)", [
    [memberId, other],
  ]);
  const { id } = await record();
  await world.app.composition.frames.write(live.scope, async (db) => {
    await lockRecord(db, live.scope, id);
    expect(await world.app.runSweep('check-kyc', live.scope)).toBe(1);
  });
  await runJobs(world.app, 'ask-kyc-vendor');
});

describe('a reset at the vendor', () => {
  async function reset(): Promise<StoredRecord> {
    const { id } = await record();
    await world.app.composition.frames.write(live.scope, (db) =>
      world.app.composition.queue.enqueue(db, live.scope, 'reset-kyc-applicant', { kycRecordId: id }),
    );
    await runJobs(world.app, 'reset-kyc-applicant');
    return record();
  }

  test('gives the word back to the vendor, and what staff asked for stands', async () => {
    await sql("status = 'resubmit_required', rejection_reason = 'Expired', decided_by = 'admin'");
    world.vendor.setReview(memberId, { reviewStatus: 'completed', reviewResult: { reviewAnswer: 'GREEN' } });
    const before = Date.now();
    const done = await reset();
    expect(done).toMatchObject({ status: 'resubmit_required', rejection_reason: 'Expired', decided_by: null });
    expect(done.last_event_at?.getTime()).toBeGreaterThanOrEqual(before);
    expect(world.vendor.applicantOf(memberId)).toMatchObject({ resets: 1, review: { reviewStatus: 'init' } });
    expect((await auditOf(world, done.id)).at(-1)?.action).toBe('kyc_record.reset');
    // The member may have sent papers in since: a repeat does nothing.
    expect(await reset()).toEqual(done);
    expect(world.vendor.applicantOf(memberId)?.resets).toBe(1);
  });

  test('does nothing once the member has gone on', async () => {
    await sql("status = 'pending', decided_by = 'admin'");
    await reset();
    expect(world.vendor.applicantOf(memberId)?.resets).toBe(0);
  });

  test('is done by a start that comes first, before the token is given', async () => {
    await sql("status = 'resubmit_required', rejection_reason = 'Expired', decided_by = 'admin'");
    const asked = world.vendor.requests.length;
    expect((await live.client.post(startPath(memberId), {})).body).toMatchObject({ status: 'resubmit_required' });
    expect(world.vendor.requests.slice(asked).map((request) => request.replace(/.*\//, ''))).toEqual(['reset', 'sdk']);
    expect(await record()).toMatchObject({ decided_by: null, rejection_reason: 'Expired' });
    await reset();
    expect(world.vendor.applicantOf(memberId)?.resets).toBe(1);
  });

  test('of an applicant that is gone has the start make another', async () => {
    await sql("status = 'resubmit_required', rejection_reason = 'Expired', decided_by = 'admin'");
    world.vendor.applicants.clear();
    const started = await live.client.post(startPath(memberId), {});
    expect(started.body.sdkConfig.applicantId).toBe(world.vendor.applicantOf(memberId)?.id);
  });

  test("that fails gives no token, and holds the vendor's word", async () => {
    await sql("status = 'resubmit_required', rejection_reason = 'Expired', decided_by = 'admin'");
    world.vendor.failNext(/reset$/, { status: 401 });
    expect((await live.client.post(startPath(memberId), {})).body.code).toBe('PROVIDER_CONFIGURATION');
    expect(await record()).toMatchObject({ decided_by: 'admin' });
  });

  test('is repeated until the vendor answers; an applicant it does not know is forgotten', async () => {
    await sql("status = 'resubmit_required', rejection_reason = 'Expired', decided_by = 'admin'");
    world.vendor.failNext(/reset$/, 'drop', 'drop', 'drop');
    expect(await reset()).toMatchObject({ decided_by: 'admin' });
    await world.app.database.asSuperuser("update pgboss.job set start_after = now() where state = 'retry'");
    world.vendor.applicants.clear();
    await runJobs(world.app, 'reset-kyc-applicant');
    expect(await record()).toMatchObject({ decided_by: null, provider_applicant_id: null });
  });
});
