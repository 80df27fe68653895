/**
 * What each event of the vendor means, and that the order in which events come does not.
 * Source: docs/specification/webhooks.md#kyc-order, docs/specification/reliability.md#w-2.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KycStatus } from '../../../src/features/kyc/open/kyc-states.ts';
import { decideEvent, effectOf, isBeyondMemory, REMEMBERED_DAYS } from '../../../src/features/kyc/vendor/vendor-event.ts';
import { readVendorEvent, type VendorEvent } from '../../../src/features/kyc/vendor/vendor-payload.ts';
import type { VendorReview } from '../../../src/vendors/kyc/kyc-vendor.ts';

type Seen = Parameters<typeof decideEvent>[0];

const NOON = Date.parse('2026-11-21T12:00:00Z');
const wire = (at: number) => new Date(at).toISOString().replace('T', ' ').replace('Z', '');
const minutes = (count: number) => wire(NOON + count * 60_000);

function eventOf(type: string, fields: Record<string, unknown> = {}): VendorEvent {
  const payload = { type, applicantId: 'a1', applicantType: 'individual', createdAtMs: minutes(1), ...fields };
  return readVendorEvent(Buffer.from(JSON.stringify(payload)));
}

const record = (fields: Partial<Seen> = {}): Seen => ({
  provider: 'kycvendor',
  providerApplicantId: 'a1',
  status: 'not_started',
  rejectionReason: null,
  decidedBy: null,
  lastEventAt: null,
  ...fields,
});

const completed = (reviewAnswer: string, more: Record<string, unknown> = {}) => ({
  reviewStatus: 'completed',
  reviewResult: { reviewAnswer, ...more },
});
const GREEN = completed('GREEN');
const green = { review: GREEN };

const verdict = (status: KycStatus, reason: string | null = null) => ({ kind: 'verdict', verdict: { status, reason } });

describe('each kind of the table', () => {
  test.each<readonly [string, Record<string, unknown>, object]>([
    ['applicantCreated', {}, { kind: 'created' }],
    ['applicantPending', {}, verdict('pending')],
    ['applicantPrechecked', {}, verdict('pending')],
    ['applicantAwaitingService', {}, verdict('pending')],
    ['applicantOnHold', {}, verdict('pending')],
    ['applicantAwaitingUser', {}, verdict('resubmit_required', 'The provider gave no reason')],
    ['applicantReviewed', GREEN, verdict('approved')],
    [
      'applicantReviewed',
      completed('RED', { reviewRejectType: 'FINAL', moderationComment: 'Forged', rejectLabels: ['FORGERY'] }),
      verdict('rejected', 'Forged'),
    ],
    [
      'applicantReviewed',
      completed('RED', { reviewRejectType: 'RETRY', rejectLabels: ['BAD_PHOTO', 'GLARE'] }),
      verdict('resubmit_required', 'BAD_PHOTO, GLARE'),
    ],
    ['applicantReviewed', completed('RED', { moderationComment: 'No' }), verdict('resubmit_required', 'No')],
    ['applicantReviewed', { ...GREEN, reviewStatus: 'pending' }, { kind: 'none' }],
    ['applicantReviewed', { ...GREEN, reviewStatus: null }, { kind: 'none' }],
    ['applicantReviewed', { reviewStatus: 'completed' }, { kind: 'none' }],
    ['applicantReviewed', completed('BLUE'), { kind: 'none' }],
    ['applicantWorkflowCompleted', GREEN, verdict('approved')],
    [
      'applicantWorkflowCompleted',
      completed('RED', { reviewRejectType: 'FINAL', moderationComment: 'F' }),
      verdict('rejected', 'F'),
    ],
    ['applicantWorkflowFailed', {}, { kind: 'ask' }],
    ['applicantReset', {}, { kind: 'reset' }],
    ['applicantStepsReset', {}, verdict('resubmit_required', 'The provider gave no reason')],
    ['applicantLevelChanged', {}, { kind: 'level' }],
    ['applicantPersonalInfoChanged', {}, { kind: 'ask' }],
    ['applicantDeleted', {}, { kind: 'deleted' }],
    ['applicantPersonalDataDeleted', {}, { kind: 'deleted' }],
    ...[
      'applicantDeactivated',
      'applicantActivated',
      'applicantTagsChanged',
      'applicantActionPending',
      'applicantActionReviewed',
      'applicantActionOnHold',
      'applicantActionLevelChanged',
      'applicantVerificationLinkOpened',
      'videoIdentStatusChanged',
      'applicantKytTxnApproved',
      'kytCaseCreated',
      'amlCaseCreated',
      'travelRuleAction',
      'kybCompanyActivity',
      'constructor',
      'somethingNew',
      '',
    ].map((type) => [type, GREEN, { kind: 'none' }] as const),
  ])('%s %j', (type, fields, effect) => {
    expect(effectOf(eventOf(type, fields))).toEqual(effect);
  });

  test('nothing is made of a company', () => {
    expect(effectOf(eventOf('applicantReviewed', { ...GREEN, applicantType: 'company' }))).toEqual({ kind: 'none' });
  });
});

describe('an approval', () => {
  const event = eventOf('applicantReviewed', GREEN);

  test('counts only when the vendor, asked, stands by it', () => {
    expect(decideEvent(record(), event, undefined)).toBe('ask_first');
    expect(decideEvent(record(), event, green)).toMatchObject({
      outcome: 'applied',
      change: { status: 'approved' },
      counts: true,
    });
  });

  test.each<[string, VendorReview | undefined]>([
    ['has begun anew', { reviewStatus: 'init' }],
    ['is still at it', { reviewStatus: 'pending' }],
    ['has a partial result', { ...GREEN, reviewStatus: 'pending' }],
    ['has refused', completed('RED', { reviewRejectType: 'FINAL' })],
    ['says what we do not know', { reviewStatus: 'pondering' }],
    ['knows no such applicant', undefined],
  ])('changes nothing when the vendor %s, who is asked again soon', (_name, review) => {
    expect(decideEvent(record({ status: 'pending' }), event, { review })).toEqual({ outcome: 'not_confirmed', askInSeconds: 60 });
  });

  test('is not asked about when it is older than what counted', () => {
    expect(decideEvent(record({ lastEventAt: new Date(NOON + 60_001) }), event, undefined)).toEqual({ outcome: 'older' });
  });
});

describe('the order', () => {
  const pending = eventOf('applicantPending');
  const at = (ms: number) => new Date(NOON + 60_000 + ms);

  test('goes by the millisecond', () => {
    expect(decideEvent(record({ lastEventAt: at(1) }), pending, undefined)).toEqual({ outcome: 'older' });
    expect(decideEvent(record({ lastEventAt: at(-1) }), pending, undefined)).toMatchObject({ outcome: 'applied' });
  });

  test('of one instant what is final wins, and a refusal over all', () => {
    const rejected = eventOf('applicantReviewed', completed('RED', { reviewRejectType: 'FINAL' }));
    const approved = record({ status: 'approved', lastEventAt: at(0) });
    expect(decideEvent(approved, pending, undefined)).toEqual({ outcome: 'older' });
    expect(decideEvent(approved, eventOf('applicantReset'), undefined)).toEqual({ outcome: 'older' });
    expect(decideEvent(approved, rejected, undefined)).toMatchObject({ change: { status: 'rejected' } });
  });

  test('is not guessed when the event has no time: the vendor is asked', () => {
    const timeless = eventOf('applicantPending', { createdAtMs: null });
    expect(decideEvent(record(), timeless, undefined)).toEqual({ outcome: 'not_confirmed', askInSeconds: 0 });
  });

  test('a state that is there already counts, and is no change', () => {
    expect(decideEvent(record({ status: 'pending' }), pending, undefined)).toEqual({ outcome: 'no_change', counts: true });
  });
});

describe('another level', () => {
  const event = eventOf('applicantLevelChanged');

  test.each<[VendorReview, KycStatus]>([
    [{ reviewStatus: 'init' }, 'not_started'],
    [{ reviewStatus: 'pending' }, 'pending'],
    [GREEN, 'pending'],
  ])('at %j', (review, status) => {
    expect(decideEvent(record({ status: 'approved' }), event, undefined)).toBe('ask_first');
    expect(decideEvent(record({ status: 'approved' }), event, { review })).toMatchObject({ change: { status } });
  });
});

describe("staff's decisions", () => {
  const held = (status: KycStatus) => record({ status, decidedBy: 'admin', rejectionReason: 'Ours' });

  test.each(['applicantPending', 'applicantAwaitingUser', 'applicantLevelChanged', 'applicantWorkflowFailed'])(
    '%s changes nothing',
    (type) => {
      expect(decideEvent(held('rejected'), eventOf(type), undefined)).toEqual({ outcome: 'held_by_staff' });
    },
  );

  test('an approval changes nothing, and the vendor is not asked', () => {
    expect(decideEvent(held('rejected'), eventOf('applicantReviewed', GREEN), undefined)).toEqual({ outcome: 'held_by_staff' });
  });

  test('a reset gives them back to the vendor, who is asked what came of it', () => {
    expect(decideEvent(held('approved'), eventOf('applicantReset'), undefined)).toEqual({
      outcome: 'applied',
      change: { status: 'not_started', reason: null },
      counts: true,
      askInSeconds: 60,
    });
  });

  test('what they want sent in again still has to be, after a reset', () => {
    expect(decideEvent(held('resubmit_required'), eventOf('applicantReset'), undefined)).toMatchObject({
      change: { status: 'resubmit_required', reason: 'Ours' },
    });
  });
});

describe('the applicant', () => {
  test('is learned by a record without one, whatever becomes of the event', () => {
    const unknown = record({ providerApplicantId: null });
    expect(decideEvent(unknown, eventOf('applicantCreated'), undefined)).toEqual({ outcome: 'applied', learn: true });
    expect(decideEvent(unknown, eventOf('applicantPending'), undefined)).toMatchObject({ learn: true });
    expect(decideEvent({ ...unknown, decidedBy: 'admin' }, eventOf('applicantPending'), undefined)).toMatchObject({
      learn: true,
    });
    expect(decideEvent(unknown, eventOf('applicantCreated', { applicantId: null }), undefined)).toEqual({ outcome: 'no_change' });
    expect(decideEvent(record(), eventOf('applicantCreated'), undefined)).toEqual({ outcome: 'no_change' });
  });

  test('is dropped when it is deleted, and no other', () => {
    expect(decideEvent(record({ decidedBy: 'admin' }), eventOf('applicantDeleted'), undefined)).toEqual({
      outcome: 'applied',
      forget: true,
    });
    const other = eventOf('applicantPersonalDataDeleted', { applicantId: 'a2' });
    expect(decideEvent(record(), other, undefined)).toEqual({ outcome: 'no_change' });
    expect(decideEvent(record({ providerApplicantId: null }), other, undefined)).toEqual({ outcome: 'no_change' });
  });

  test('of another record, or of a member verified by hand, changes nothing', () => {
    const other = eventOf('applicantReviewed', { ...GREEN, applicantId: 'a2' });
    expect(decideEvent(record(), other, undefined)).toEqual({ outcome: 'no_change' });
    expect(decideEvent(record({ provider: 'manual' }), eventOf('applicantPending'), undefined)).toEqual({ outcome: 'no_change' });
  });
});

test('the reset that staff had asked for leaves what they want sent in again', () => {
  const asked = record({ status: 'resubmit_required', rejectionReason: 'The back is missing', decidedBy: null });
  expect(decideEvent(asked, eventOf('applicantReset'), undefined)).toMatchObject({ outcome: 'no_change', counts: true });
  expect(decideEvent({ ...asked, decidedBy: 'vendor' }, eventOf('applicantReset'), undefined)).toMatchObject({
    change: { status: 'not_started' },
  });
});

/** A record that events come to one after another, as the transaction would leave it; the vendor says `review` all along. */
function run(events: readonly VendorEvent[], review: VendorReview): Seen {
  const present = record();
  for (const event of new Set(events)) {
    const decision = decideEvent(present, event, { review });
    if (decision === 'ask_first') throw new Error('it was asked');
    if (decision.change) {
      present.status = decision.change.status;
      present.rejectionReason = decision.change.reason;
      const isOpen = decision.change.status === 'pending' || decision.change.status === 'not_started';
      present.decidedBy = isOpen || event.type === 'applicantReset' ? null : 'vendor';
    }
    if (decision.counts) present.lastEventAt = event.createdAt;
  }
  return present;
}

const TYPES: readonly [string, Record<string, unknown>][] = [
  ['applicantCreated', {}],
  ['applicantPending', {}],
  ['applicantOnHold', {}],
  ['applicantAwaitingUser', { reviewResult: { moderationComment: 'More' } }],
  ['applicantReviewed', GREEN],
  ['applicantReviewed', completed('RED', { reviewRejectType: 'RETRY', moderationComment: 'Again' })],
  ['applicantReviewed', completed('RED', { reviewRejectType: 'FINAL', moderationComment: 'Never' })],
  ['applicantReset', {}],
  ['applicantStepsReset', {}],
  ['applicantLevelChanged', {}],
  ['applicantTagsChanged', {}],
  ['applicantWorkflowFailed', {}],
];

/** Mostly each at a time of its own, now and then two at one. */
const lives = fc
  .array(fc.tuple(fc.constantFrom(...TYPES), fc.integer({ min: 0, max: 12 })), { minLength: 1, maxLength: 8 })
  .map((life) =>
    life.map(([[type, fields], minute], index) =>
      eventOf(type, { ...fields, createdAtMs: minutes(minute), correlationId: `${index}` }),
    ),
  );

test('however events come, and however often, they end as in their order', () => {
  const shuffles = lives.chain((life) =>
    fc.tuple(
      fc.constant(life),
      fc.array(fc.constantFrom(...life), { maxLength: 6 }).chain((more) => {
        const all = [...life, ...more];
        return fc.shuffledSubarray(all, { minLength: all.length });
      }),
      fc.constantFrom<VendorReview>(GREEN, { reviewStatus: 'init' }, { reviewStatus: 'pending' }, completed('RED')),
    ),
  );
  fc.assert(
    fc.property(shuffles, ([life, arrival, review]) => {
      const inOrder = life.toSorted((a, b) => (a.createdAt?.getTime() ?? 0) - (b.createdAt?.getTime() ?? 0));
      expect(run(arrival, review)).toEqual(run(inOrder, review));
    }),
    { numRuns: 5_000 },
  );
});

test('what is a day from being forgotten is beyond memory, and what has no time never is', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const aged = (milliseconds: number) => ({ createdAt: new Date(now - milliseconds) });
  const limit = (REMEMBERED_DAYS - 1) * 86_400_000;
  expect([isBeyondMemory(aged(limit), now), isBeyondMemory(aged(limit + 1), now)]).toEqual([false, true]);
  expect([isBeyondMemory(aged(-limit * 2), now), isBeyondMemory({ createdAt: null }, now)]).toEqual([false, false]);
});
