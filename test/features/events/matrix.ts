/** The access matrix of the Events group. */

import { randomBytes, randomUUID } from 'node:crypto';
import { call } from '../../support/app/http-call.ts';
import {
  customerOf,
  type Expected,
  emptyList,
  freshEmail,
  invalid,
  type MatrixRow,
  ofOwner,
  post,
  purchaseOf,
  type Reference,
  referralCode,
  tooLong,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';
import { referralsOf } from '../referrals/matrix.ts';
import { clickIdOf } from '../referrals/matrix-clicks.ts';

const unknownEvent: Expected = { status: 404, code: 'NOT_FOUND' };

const eventId: Reference = {
  at: 'path.event_id',
  object: (_world, side) => side.purchase.eventId,
  ...uuidReference,
  own: { status: 200 },
  foreign: unknownEvent,
};

/** A purchase that nothing has taken back yet. */
async function freshPurchase(world: World, side: Side): Promise<string> {
  const externalEventId = randomUUID();
  await post(world, side, '/api/v1/events/purchase', purchaseOf(side, externalEventId));
  return externalEventId;
}

const refundOf = (purchaseExternalEventId: string) => ({
  external_event_id: randomUUID(),
  purchase_external_event_id: purchaseExternalEventId,
  amount_minor: 1,
});
const openDisputeOf = (purchaseExternalEventId: string) => ({
  ...refundOf(purchaseExternalEventId),
  dispute_id: randomUUID(),
  stage: 'opened',
});
const bonusOf = (side: Side) => ({
  external_event_id: randomUUID(),
  type: 'bonus',
  user_id: side.root.id,
  amount_minor: 100,
  currency: 'USD',
  description: 'for the matrix',
  actor: 'matrix',
});

/** The purchase to take back, and the event's own id, which is unique in a side alone. */
function reversalReferences(path: string, bodyOf: (purchaseExternalEventId: string) => object): Reference[] {
  return [
    {
      at: 'body.purchase_external_event_id',
      object: freshPurchase,
      absent: () => randomUUID(),
      malformed: tooLong(200),
      own: { status: 201 },
      foreign: unknownEvent,
    },
    {
      at: 'body.external_event_id',
      async object(world, side) {
        const body = bodyOf(side.purchase.externalEventId) as { external_event_id: string };
        await post(world, side, path, body);
        return body.external_event_id;
      },
      absent: () => randomUUID(),
      malformed: tooLong(200),
      // Known, and of other content.
      own: { status: 409, code: 'EVENT_ID_REUSED' },
      foreign: { status: 201 },
    },
  ];
}

const listFilter = (
  at: string,
  object: (side: Side) => string,
  malformed: string,
  absent = () => randomUUID() as string,
): Reference => ({
  at,
  object: (_world, side) => object(side),
  absent,
  malformed,
  own: { status: 200, check: (body) => !emptyList(body) },
  foreign: { status: 200, check: emptyList },
});

/** What a sale may be credited by, beside a user's id, which would win. What is not one's own credits nobody. */
function attributionNames(body: (side: Side) => Record<string, unknown>): Reference[] {
  const shared = {
    within: (side: Side) => ({ body: body(side) }),
    own: { status: 200, check: (answer: Record<string, unknown>) => answer['status'] === 'accepted' },
    foreign: {
      status: 200,
      check: (answer: Record<string, unknown>) => answer['status'] === 'unattributed' && String(answer['commissions']) === '',
    },
  };
  return [
    { at: 'body.attribution.referral_code', ...referralCode, ...shared },
    { at: 'body.attribution.link_id', object: (_world, side) => referralsOf(side).linkId, ...uuidReference, ...shared },
    { at: 'body.attribution.lead_id', object: (_world, side) => side.lead.id, ...uuidReference, ...shared },
    {
      at: 'body.attribution.click_id',
      object: clickIdOf,
      absent: () => `ck_${randomBytes(32).toString('base64url')}`,
      malformed: tooLong(255),
      ...shared,
    },
  ];
}

/** A purchase that nothing has taken back yet, by the id of the event. */
async function freshEventId(world: World, side: Side): Promise<string> {
  const externalEventId = await freshPurchase(world, side);
  const target = `/api/v1/events?external_event_id=${externalEventId}`;
  const { json } = await call(world.app.baseUrl, { method: 'GET', target, headers: { 'x-tenant-api-key': side.key } });
  return (json as { data: { event_id: string }[] }).data[0]?.event_id ?? '';
}

const previewed = async (side: Side, world: World) => ({
  path: { event_id: await freshEventId(world, side) },
  body: { kind: 'refund', amount_minor: 1 },
});

export const eventRows: Record<string, MatrixRow> = {
  recordPurchase: {
    request: (side) => ({ body: purchaseOf(side, randomUUID()) }),
    status: 201,
    readBack: (body) => `/api/v1/events/${String(body['event_id'])}`,
    inert: { 'body.discount_code': 'a word of the shop, which rules are asked of' },
    references: [
      {
        at: 'body.external_event_id',
        async object(world, side) {
          const externalEventId = randomUUID();
          await post(world, side, '/api/v1/events/purchase', purchaseOf(side, externalEventId));
          return externalEventId;
        },
        absent: () => randomUUID(),
        malformed: tooLong(200),
        own: { status: 200 },
        foreign: { status: 201 },
      },
      {
        at: 'body.customer.external_id',
        object: (_world, side) => side.purchase.customerExternalId,
        absent: () => randomUUID(),
        malformed: tooLong(255),
        own: { status: 201, shows: (event) => customerOf(event)['name'] !== null },
        foreign: { status: 201, shows: (event) => customerOf(event)['name'] === null && customerOf(event)['email'] === null },
      },
      {
        at: 'body.customer.email',
        object: (_world, side) => side.root.email,
        absent: freshEmail,
        malformed: 'no address',
        own: { status: 201 },
        foreign: { status: 201 },
      },
      {
        at: 'body.buyer_user_id',
        object: (_world, side) => side.child.id,
        ...uuidReference,
        own: { status: 201 },
        foreign: invalid,
      },
      {
        at: 'body.attribution.user_id',
        object: (_world, side) => side.child.id,
        ...uuidReference,
        own: { status: 201 },
        foreign: invalid,
      },
      ...attributionNames((side) => ({
        ...purchaseOf(side, randomUUID()),
        customer: { external_id: randomUUID() },
        attribution: {},
      })).map((name) => ({ ...name, own: { ...name.own, status: 201 }, foreign: { ...name.foreign, status: 201 } })),
    ],
  },
  getEvent: {
    request: (side) => ({ path: { event_id: side.purchase.eventId } }),
    status: 200,
    memberStatus: (side, memberId) => (memberId === side.root.id ? 200 : 404),
    references: [
      {
        at: 'path.event_id',
        object: (_world, side) => side.purchase.eventId,
        ...uuidReference,
        own: { status: 200 },
        foreign: { status: 404, code: 'NOT_FOUND' },
        member: ofOwner((side) => side.root.id, { status: 200 }, { status: 404, code: 'NOT_FOUND' }),
      },
    ],
  },
  explainEvent: {
    // A receipt keeps what a sale or a lead named, whether there was such a thing or not.
    showsRequestsOf: ['recordPurchase', 'recordEventBatch', 'captureLead'],
    request: (side) => ({ path: { event_id: side.purchase.eventId } }),
    status: 200,
    references: [eventId],
  },
  listEvents: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      listFilter('query.user_id', (side) => side.root.id, 'not-a-uuid'),
      {
        ...listFilter('query.customer_external_id', () => '', tooLong(255)),
        // A customer that no other row has named on another side.
        async object(world, side) {
          const customer = { external_id: randomUUID() };
          await post(world, side, '/api/v1/events/purchase', { ...purchaseOf(side, randomUUID()), customer });
          return customer.external_id;
        },
      },
      {
        ...listFilter('query.external_event_id', () => '', tooLong(200)),
        async object(world, side) {
          const externalEventId = randomUUID();
          await post(world, side, '/api/v1/events/purchase', purchaseOf(side, externalEventId));
          return externalEventId;
        },
      },
      listFilter('query.purchase_event_id', (side) => side.purchase.eventId, 'not-a-uuid'),
      {
        at: 'query.cursor',
        object: (_world, side) => side.eventCursor,
        absent: () => randomBytes(52).toString('base64url'),
        malformed: tooLong(1000),
        own: { status: 200 },
        foreign: invalid,
      },
    ],
  },
  recordRefund: {
    request: (side) => ({ body: refundOf(side.purchase.externalEventId) }),
    fresh: async (side, world) => ({ body: refundOf(await freshPurchase(world, side)) }),
    status: 201,
    repeatedStatus: 422,
    readBack: (body) => `/api/v1/events/${String(body['event_id'])}`,
    references: reversalReferences('/api/v1/events/refund', refundOf),
  },
  recordChargeback: {
    request: (side) => ({ body: openDisputeOf(side.purchase.externalEventId) }),
    fresh: async (side, world) => ({ body: openDisputeOf(await freshPurchase(world, side)) }),
    status: 201,
    readBack: (body) => `/api/v1/events/${String(body['event_id'])}`,
    references: [
      ...reversalReferences('/api/v1/events/chargeback', openDisputeOf),
      {
        at: 'body.dispute_id',
        async object(world, side) {
          const body = openDisputeOf(await freshPurchase(world, side));
          await post(world, side, '/api/v1/events/chargeback', body);
          return body.dispute_id;
        },
        absent: () => randomUUID(),
        malformed: tooLong(200),
        own: { status: 409, code: 'STATE_CONFLICT' },
        foreign: { status: 201 },
      },
    ],
  },
  previewReversal: {
    request: (side) => ({ path: { event_id: side.purchase.eventId }, body: { kind: 'refund', amount_minor: 1 } }),
    fresh: previewed,
    status: 200,
    // What other rows have taken back of that purchase is not there to be taken.
    repeatedStatus: 422,
    references: [
      { ...eventId, object: freshEventId },
      {
        at: 'body.external_event_id',
        async object(world, side) {
          const body = refundOf(await freshPurchase(world, side));
          await post(world, side, '/api/v1/events/refund', body);
          return body.external_event_id;
        },
        absent: () => randomUUID(),
        malformed: tooLong(200),
        own: { status: 409, code: 'EVENT_ID_REUSED' },
        foreign: { status: 200 },
      },
      {
        at: 'body.dispute_id',
        within: (side) => ({
          path: { event_id: side.purchase.eventId },
          body: { kind: 'chargeback', stage: 'opened', amount_minor: 1 },
        }),
        async object(world, side) {
          const body = openDisputeOf(await freshPurchase(world, side));
          await post(world, side, '/api/v1/events/chargeback', body);
          return body.dispute_id;
        },
        absent: () => randomUUID(),
        malformed: tooLong(200),
        own: { status: 409, code: 'STATE_CONFLICT' },
        foreign: { status: 200 },
      },
    ],
  },
  recordManualCommission: {
    request: (side) => ({ body: bonusOf(side) }),
    status: 201,
    readBack: (body) => `/api/v1/events/${String(body['event_id'])}`,
    references: [
      { at: 'body.user_id', object: (_world, side) => side.child.id, ...uuidReference, own: { status: 201 }, foreign: invalid },
      {
        at: 'body.external_event_id',
        async object(world, side) {
          const body = bonusOf(side);
          await post(world, side, '/api/v1/events/commission', { ...body, amount_minor: 200 });
          return body.external_event_id;
        },
        absent: () => randomUUID(),
        malformed: tooLong(200),
        own: { status: 409, code: 'EVENT_ID_REUSED' },
        foreign: { status: 201 },
      },
    ],
  },
  quotePurchase: {
    request: () => ({ body: { amountMinor: 10_000, currency: 'USD' } }),
    status: 200,
    references: [
      {
        at: 'body.buyerUserId',
        object: (_world, side) => side.child.id,
        ...uuidReference,
        own: { status: 200, check: (body, side) => JSON.stringify(body['attribution']).includes(side.root.id) },
        foreign: invalid,
      },
      {
        at: 'body.attribution.userId',
        object: (_world, side) => side.root.id,
        ...uuidReference,
        own: { status: 200, check: (body) => body['status'] === 'accepted' },
        foreign: invalid,
      },
      ...attributionNames(() => ({ amountMinor: 10_000, currency: 'USD', attribution: {} })).map((name) => ({
        ...name,
        at: name.at.replace(/_(\w)/, (_all, letter: string) => letter.toUpperCase()),
      })),
      {
        at: 'body.customerExternalId',
        // A customer's first referrer would be credited, also one that another row of the matrix has made.
        within: (side) => ({ body: { amountMinor: 10_000, currency: 'USD', attribution: { userId: side.root.id } } }),
        object: (_world, side) => side.purchase.customerExternalId,
        absent: () => randomUUID(),
        malformed: tooLong(255),
        own: { status: 200 },
        foreign: { status: 200 },
      },
    ],
  },
  recordEventBatch: {
    request: (side) => ({ body: { events: [{ kind: 'purchase', ...purchaseOf(side, randomUUID()) }] } }),
    status: 207,
    largeBody: true,
    references: [],
  },
};
