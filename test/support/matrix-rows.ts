/**
 * The expectations of the access matrix, one row an operation: a valid request of one's own, and
 * every place where a request can name something of somebody else's.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { call } from './http-call.ts';
import type { Side, World } from './matrix-world.ts';

export interface MatrixRequest {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
}

export interface Expected {
  status: number;
  /** Error code of a refusal. */
  code?: string;
  /** What else must hold of the body. */
  check?: (body: Record<string, unknown>, side: Side) => boolean;
  /** What must hold of the row's `readBack`. */
  shows?: (body: Record<string, unknown>) => boolean;
}

/** A place in the request that names an object. */
export interface Reference {
  /** `path.user_id`, `query.cursor`, `body.attribution.user_id`. */
  at: string;
  /** The request it is put into, when the row's own would hide it. */
  within?: (side: Side) => MatrixRequest;
  /** What a side's own object is called there; may make one. */
  object(world: World, side: Side): string | Promise<string>;
  absent(): string;
  malformed: string;
  own: Expected;
  /** The answer to another tenant's, the other environment's, and an absent object: one and the same. */
  foreign: Expected;
}

export interface MatrixRow {
  request(side: Side): MatrixRequest;
  status: number;
  references: Reference[];
  /** Fields that look like names of objects and are not looked up, each with why. */
  inert?: Record<string, string>;
  /** A read that shows what a write has made. */
  readBack?: (body: Record<string, unknown>) => string;
}

const invalid: Expected = { status: 400, code: 'VALIDATION_ERROR' };
const uuidReference = { absent: () => randomUUID(), malformed: 'not-a-uuid' };
const tooLong = (length: number) => 'x'.repeat(length + 1);
const freshEmail = () => `${randomUUID()}@fresh.example`;

const referralCode = {
  object: (_world: World, side: Side) => side.root.referralCode,
  absent: () => randomBytes(5).toString('hex').toUpperCase(),
  malformed: tooLong(64),
};

const emptyList = (body: Record<string, unknown>) => Array.isArray(body['data']) && body['data'].length === 0;

const customerOf = (event: Record<string, unknown>) => event['customer'] as Record<string, unknown>;

async function post(world: World, side: Side, target: string, body: object): Promise<void> {
  const answer = await call(world.app.baseUrl, { method: 'POST', target, headers: { 'x-tenant-api-key': side.key }, body });
  if (answer.status !== 201) throw new Error(`not planted: ${answer.status} ${answer.text}`);
}

const purchaseOf = (side: Side, externalEventId: string) => ({
  external_event_id: externalEventId,
  amount_minor: 5_000,
  currency: 'USD',
  customer: { external_id: side.purchase.customerExternalId },
  attribution: { user_id: side.root.id },
});

/** A cursor of the ledger of the side's root member, who gets a second entry for it. */
async function ledgerCursor(world: World, side: Side): Promise<string> {
  await post(world, side, '/api/v1/events/purchase', purchaseOf(side, randomUUID()));
  const target = `/api/v1/members/${side.root.id}/ledger?limit=1`;
  const answer = await call(world.app.baseUrl, { method: 'GET', target, headers: { 'x-tenant-api-key': side.key } });
  return String((answer.json as Record<string, unknown>)['nextCursor']);
}

export const matrixRows: Record<string, MatrixRow> = {
  getUserStatus: {
    request: (side) => ({ query: { user_id: side.root.id } }),
    status: 200,
    references: [
      {
        at: 'query.user_id',
        object: (_world, side) => side.root.id,
        ...uuidReference,
        own: { status: 200 },
        foreign: { status: 404, code: 'USER_NOT_FOUND' },
      },
    ],
  },
  createUser: {
    request: () => ({ body: { email: freshEmail() } }),
    status: 201,
    readBack: (body) => `/api/v1/users/status?user_id=${String(body['id'])}`,
    references: [
      { at: 'body.parent_id', object: (_world, side) => side.root.id, ...uuidReference, own: { status: 201 }, foreign: invalid },
      { at: 'body.referral_code', ...referralCode, own: { status: 201 }, foreign: invalid },
      {
        at: 'body.email',
        async object(world, side) {
          const email = freshEmail();
          await post(world, side, '/api/v1/users', { email, name: `${side.canaries[0]} taken` });
          return email;
        },
        absent: freshEmail,
        malformed: 'no address',
        own: { status: 409, code: 'EMAIL_EXISTS' },
        foreign: { status: 201, check: (body, side) => body['tenant_id'] === side.tenantId },
      },
      {
        at: 'body.external_id',
        async object(world, side) {
          const externalId = randomUUID();
          await post(world, side, '/api/v1/users', { email: freshEmail(), external_id: externalId });
          return externalId;
        },
        absent: () => randomUUID(),
        malformed: tooLong(255),
        own: { status: 409, code: 'EXTERNAL_ID_EXISTS' },
        foreign: { status: 201 },
      },
    ],
  },
  listUsers: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      {
        at: 'query.parent_id',
        object: (_world, side) => side.root.id,
        ...uuidReference,
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: { status: 200, check: emptyList },
      },
      {
        at: 'query.email',
        object: (_world, side) => side.child.email,
        absent: freshEmail,
        malformed: 'no address',
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: { status: 200, check: emptyList },
      },
      {
        at: 'query.cursor',
        object: (_world, side) => side.cursor,
        absent: () => randomBytes(52).toString('base64url'),
        malformed: tooLong(1000),
        own: { status: 200 },
        foreign: invalid,
      },
    ],
  },
  updateUser: {
    request: (side) => ({ path: { user_id: side.child.id }, body: { is_active: true, can_recruit: true } }),
    status: 200,
    references: [
      {
        at: 'path.user_id',
        object: (_world, side) => side.root.id,
        ...uuidReference,
        own: { status: 200 },
        foreign: { status: 404, code: 'USER_NOT_FOUND' },
      },
    ],
  },
  captureLead: {
    request: () => ({ body: { email: freshEmail(), name: 'Lead' } }),
    status: 201,
    inert: { 'body.click_id': 'kept as text until clicks exist' },
    references: [
      {
        at: 'body.email',
        async object(world, side) {
          const email = freshEmail();
          await post(world, side, '/api/v1/leads/capture', { email, phone: '+1 555', referral_code: side.root.referralCode });
          return email;
        },
        absent: freshEmail,
        malformed: 'no address',
        own: { status: 200, check: (body) => body['phone'] === '+1 555' },
        foreign: { status: 201, check: (body) => body['phone'] === null && body['referrer_user_id'] === null },
      },
      {
        at: 'body.referral_code',
        ...referralCode,
        own: { status: 201, check: (body, side) => body['referrer_user_id'] === side.root.id },
        foreign: { status: 201, check: (body) => body['referrer_user_id'] === null },
      },
    ],
  },
  recordPurchase: {
    request: (side) => ({ body: purchaseOf(side, randomUUID()) }),
    status: 201,
    readBack: (body) => `/api/v1/events/${String(body['event_id'])}`,
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
      {
        at: 'body.attribution.referral_code',
        // `attribution.user_id` would win.
        within: (side) => ({ body: { ...purchaseOf(side, randomUUID()), attribution: {} } }),
        ...referralCode,
        own: { status: 201, check: (body) => body['status'] === 'accepted' },
        foreign: { status: 201, check: (body) => body['status'] === 'unattributed' && String(body['commissions']) === '' },
      },
    ],
  },
  getEvent: {
    request: (side) => ({ path: { event_id: side.purchase.eventId } }),
    status: 200,
    references: [
      {
        at: 'path.event_id',
        object: (_world, side) => side.purchase.eventId,
        ...uuidReference,
        own: { status: 200 },
        foreign: { status: 404, code: 'NOT_FOUND' },
      },
    ],
  },
  getCommissionBreakdown: {
    request: (side) => ({ path: { userId: side.root.id } }),
    status: 200,
    references: [
      {
        at: 'path.userId',
        object: (_world, side) => side.root.id,
        ...uuidReference,
        own: { status: 200 },
        foreign: { status: 404, code: 'USER_NOT_FOUND' },
      },
    ],
  },
  verifyLedger: {
    request: () => ({}),
    status: 200,
    references: [],
  },
  getTrialBalance: {
    request: () => ({}),
    status: 200,
    references: [],
  },
  getMemberBalances: {
    request: (side) => ({ path: { userId: side.root.id } }),
    status: 200,
    references: [
      {
        at: 'path.userId',
        object: (_world, side) => side.root.id,
        ...uuidReference,
        own: { status: 200 },
        foreign: { status: 404, code: 'USER_NOT_FOUND' },
      },
    ],
  },
  listMemberLedger: {
    request: (side) => ({ path: { userId: side.root.id }, query: { limit: '1' } }),
    status: 200,
    references: [
      {
        at: 'path.userId',
        object: (_world, side) => side.root.id,
        ...uuidReference,
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: { status: 404, code: 'USER_NOT_FOUND' },
      },
      {
        at: 'query.cursor',
        object: ledgerCursor,
        absent: () => randomBytes(52).toString('base64url'),
        malformed: tooLong(1000),
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: invalid,
      },
    ],
  },
};
