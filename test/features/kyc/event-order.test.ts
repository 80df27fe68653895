/** All orders of five events, each once to three times, end as they do in their order (docs/specification/reliability.md#w-2). */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import type { VendorDelivery } from '../../support/kyc/fake-kyc-events.ts';
import { type FakeKycVendor, type FakeReview, startFakeKycVendor } from '../../support/kyc/fake-kyc-vendor.ts';
import {
  GREEN,
  type KycSide,
  openKycSide,
  type PlantedRecord,
  type RecordState,
  redOf,
} from '../../support/kyc/kyc-deliveries.ts';

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

type Life = readonly (readonly [type: string, fields?: Record<string, unknown>])[];

const RESET = { reviewStatus: 'init' };
const LIVES: Record<string, { life: Life; standing: FakeReview; ends: Partial<RecordState> }> = {
  'approved after all': {
    life: [
      ['applicantPending'],
      ['applicantReviewed', redOf('RETRY', 'Blurred')],
      ['applicantPending'],
      ['applicantReviewed', GREEN],
      ['applicantTagsChanged'],
    ],
    standing: GREEN,
    ends: { status: 'approved', reason: null, verified: true, memberApproved: true, decidedBy: 'vendor' },
  },
  rejected: {
    life: [
      ['applicantCreated'],
      ['applicantPending'],
      ['applicantReviewed', GREEN],
      ['applicantPending'],
      ['applicantReviewed', redOf('FINAL', 'Forged')],
    ],
    standing: redOf('FINAL', 'Forged'),
    ends: { status: 'rejected', reason: 'Forged', verified: false, memberApproved: false },
  },
  'to be sent in again': {
    life: [
      ['applicantPending'],
      ['applicantReviewed', redOf('RETRY', 'Blurred')],
      ['applicantPrechecked'],
      ['applicantAwaitingUser', { reviewStatus: 'awaitingUser' }],
      ['applicantReviewed', redOf('RETRY', 'Cut off')],
    ],
    standing: redOf('RETRY', 'Cut off'),
    ends: { status: 'resubmit_required', reason: 'Cut off' },
  },
  reset: {
    life: [
      ['applicantPending'],
      ['applicantReviewed', GREEN],
      ['applicantStepsReset', RESET],
      ['applicantReviewed', redOf('FINAL', 'Forged')],
      ['applicantReset', RESET],
    ],
    standing: RESET,
    ends: { status: 'not_started', reason: null, decidedBy: null, memberApproved: false },
  },
  deleted: {
    life: [
      ['applicantCreated'],
      ['applicantPending'],
      ['applicantReviewed', GREEN],
      ['applicantDeactivated'],
      ['applicantDeleted'],
    ],
    standing: GREEN,
    ends: { status: 'approved', applicantId: null },
  },
};

function permute<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => permute(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

/** Of the first event of each life. */
const START = Date.now() - 3_600_000;

function deliveriesOf(record: PlantedRecord, life: Life): VendorDelivery[] {
  return life.map(([type, fields], index) =>
    side.event(record, type, { ...fields, createdAt: new Date(START + index * 60_000) }),
  );
}

/** The record does not know its applicant at first. */
async function run(
  life: Life,
  standing: FakeReview,
  arrange: (inOrder: VendorDelivery[]) => VendorDelivery[],
): Promise<RecordState> {
  const record = await side.newRecord({ applicantId: null });
  vendor.setReview(record.memberId, standing);
  for (const delivery of arrange(deliveriesOf(record, life))) expect((await side.send(delivery)).status).toBe(200);
  const state = await side.state(record);
  return { ...state, checkIn: null, applicantId: state.applicantId && 'its own' };
}

/** `times[i]` more of the i-th, at the places that `dice` tells. */
function withRepeats(events: VendorDelivery[], times: readonly number[], dice: readonly number[]): VendorDelivery[] {
  const all = [...events];
  const more = events.flatMap((event, index) => Array.from({ length: times[index] ?? 0 }, () => event));
  for (const [index, event] of more.entries()) all.splice((dice[index] ?? 0) % (all.length + 1), 0, event);
  return all;
}

describe.each(Object.entries(LIVES))('%s', (_name, { life, standing, ends }) => {
  test('in all 120 orders', async () => {
    const expected = await run(life, standing, (inOrder) => inOrder);
    expect(expected).toMatchObject(ends);
    const orders = permute([0, 1, 2, 3, 4]);
    expect(orders).toHaveLength(120);
    const repeats = fc.tuple(
      fc.array(fc.nat(2), { minLength: 5, maxLength: 5 }),
      fc.array(fc.nat(1_000), { minLength: 10, maxLength: 10 }),
    );
    const drawn = fc.sample(repeats, orders.length);
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        for (let order = orders.pop(); order; order = orders.pop()) {
          const [times = [], dice = []] = drawn.pop() ?? [];
          const arranged = order;
          const ended = await run(life, standing, (inOrder) =>
            withRepeats(
              arranged.flatMap((at) => inOrder[at] ?? []),
              times,
              dice,
            ),
          );
          expect(ended, `${arranged.join(' ')}, repeated ${times.join(' ')} at ${dice.join(' ')}`).toEqual(expected);
        }
      }),
    );
  });

  test('all at once', async () => {
    const expected = await run(life, standing, (inOrder) => inOrder);
    for (let round = 0; round < 10; round++) {
      const record = await side.newRecord({ applicantId: null });
      vendor.setReview(record.memberId, standing);
      const deliveries = deliveriesOf(record, life).flatMap((delivery) => [delivery, delivery]);
      const answers = await Promise.all(deliveries.map(side.send));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const state = await side.state(record);
      expect({ ...state, checkIn: null, applicantId: state.applicantId && 'its own' }).toEqual(expected);
    }
  });
});
