/**
 * The expectations of the access matrix, one row an operation: a valid request of one's own, and
 * every place where a request can name something of somebody else's.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { defaultPlanFor } from '../../src/features/commissions/plan-definition.ts';
import { call } from './http-call.ts';
import {
  emptyList,
  freshEmail,
  invalid,
  type MatrixRow,
  post,
  type Reference,
  referralCode,
  tooLong,
  uuidReference,
} from './matrix-row.ts';
import { auditRows } from './matrix-rows-audit.ts';
import { authRows } from './matrix-rows-auth.ts';
import { clickRows } from './matrix-rows-clicks.ts';
import { commissionRows } from './matrix-rows-commissions.ts';
import { eventRows } from './matrix-rows-events.ts';
import { genealogyRows } from './matrix-rows-genealogy.ts';
import { importRows } from './matrix-rows-imports.ts';
import { keyRows } from './matrix-rows-keys.ts';
import { kycRows } from './matrix-rows-kyc.ts';
import { kycDocumentRows } from './matrix-rows-kyc-documents.ts';
import { kycEventRows } from './matrix-rows-kyc-events.ts';
import { kycReviewRows } from './matrix-rows-kyc-review.ts';
import { leadRows } from './matrix-rows-leads.ts';
import { ledgerRows } from './matrix-rows-ledger.ts';
import { memberRows } from './matrix-rows-members.ts';
import { paymentFileRows } from './matrix-rows-payment-files.ts';
import { payoutAccountRows } from './matrix-rows-payout-accounts.ts';
import { payoutRows } from './matrix-rows-payouts.ts';
import { erasureRows, profileRows } from './matrix-rows-profile.ts';
import { providerRows } from './matrix-rows-providers.ts';
import { referralRows } from './matrix-rows-referrals.ts';
import { plantWorld, type Side, type World } from './matrix-world.ts';

/** The world that a row is tried in. */
export function worldOf(row: MatrixRow, shared: World): Promise<World> {
  return row.ownWorld === true ? plantWorld(shared.app) : Promise.resolve(shared);
}

/** The side that a row is tried on where one is enough: the first that the operation does not refuse. */
export function sideOf(row: MatrixRow, world: World): Side {
  const found = world.sides.find(({ environment }) => (environment === 'LIVE' ? row.sandboxOnly : row.liveOnly) !== true);
  if (!found) throw new Error('the world has no sides');
  return found;
}

const planReference: Reference = {
  at: 'path.planId',
  object: (_world, side) => side.planId,
  ...uuidReference,
  own: { status: 200 },
  foreign: { status: 404, code: 'NOT_FOUND' },
};

/** A cursor of a list, which the path names with its filters; it must have more than one row. */
async function cursorOf(world: World, side: Side, target: string): Promise<string> {
  const answer = await call(world.app.baseUrl, { method: 'GET', target, headers: { 'x-tenant-api-key': side.key } });
  const { nextCursor } = answer.json as { nextCursor?: string | null };
  if (typeof nextCursor !== 'string') throw new Error(`no cursor at ${target}: ${answer.status} ${answer.text}`);
  return nextCursor;
}

const rateOf = () => ({
  sourceCurrency: 'USD',
  targetCurrency: 'JPY',
  numerator: 1495,
  denominator: 1000,
  source: 'Central bank',
});
const cursorReference = {
  absent: () => randomBytes(52).toString('base64url'),
  malformed: tooLong(1000),
  own: { status: 200 },
  foreign: invalid,
};

export const matrixRows: Record<string, MatrixRow> = {
  ...authRows,
  ...providerRows,
  ...eventRows,
  ...commissionRows,
  ...genealogyRows,
  ...keyRows,
  ...leadRows,
  ...ledgerRows,
  ...payoutRows,
  ...memberRows,
  ...auditRows,
  ...profileRows,
  ...kycRows,
  ...kycEventRows,
  ...kycReviewRows,
  ...kycDocumentRows,
  ...payoutAccountRows,
  ...referralRows,
  ...clickRows,
  ...importRows,
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
  moveMember: {
    request: (side) => ({ path: { userId: side.child.id }, body: { sponsorId: side.root.id } }),
    status: 200,
    readBack: (body) => `/api/v1/members/${String(body['userId'])}/history`,
    references: [
      {
        at: 'path.userId',
        object: (_world, side) => side.child.id,
        ...uuidReference,
        own: { status: 200 },
        foreign: { status: 404, code: 'USER_NOT_FOUND' },
      },
      { at: 'body.sponsorId', object: (_world, side) => side.root.id, ...uuidReference, own: { status: 200 }, foreign: invalid },
    ],
  },
  getMemberHistory: {
    request: (side) => ({ path: { userId: side.child.id } }),
    status: 200,
    references: [
      {
        at: 'path.userId',
        object: (_world, side) => side.child.id,
        ...uuidReference,
        own: { status: 200, check: (body, side) => JSON.stringify(body['sponsor']).includes(side.root.id) },
        foreign: { status: 404, code: 'USER_NOT_FOUND' },
      },
    ],
  },
  listMembers: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      {
        at: 'query.sponsorId',
        object: (_world, side) => side.root.id,
        ...uuidReference,
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: { status: 200, check: emptyList },
      },
      {
        at: 'query.email',
        object: (_world, side) => side.child.email,
        absent: freshEmail,
        malformed: tooLong(254),
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: { status: 200, check: emptyList },
      },
      {
        at: 'query.cursor',
        object: (world, side) => cursorOf(world, side, '/api/v1/members?limit=1'),
        ...cursorReference,
      },
    ],
  },
  getSandboxClock: { request: () => ({}), status: 200, references: [], sandboxOnly: true },
  moveSandboxClock: {
    request: () => ({ body: { advanceSeconds: 1 } }),
    status: 200,
    references: [],
    sandboxOnly: true,
    ownWorld: true,
    async restore({ app }, { tenantId }) {
      await app.database.asSuperuser('delete from sandbox_clock where tenant_id = $1', [tenantId]);
    },
  },
  resetSandbox: { request: () => ({ body: {} }), status: 200, references: [], sandboxOnly: true, ownWorld: true },
  createCommissionPlan: {
    request: () => ({ body: { name: 'Plan', definition: defaultPlanFor('USD') } }),
    status: 201,
    readBack: (body) => `/api/v1/commission-plans/${String(body['id'])}`,
    references: [],
  },
  listCommissionPlans: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      {
        at: 'query.cursor',
        object: (world, side) => cursorOf(world, side, '/api/v1/commission-plans?limit=1'),
        ...cursorReference,
      },
    ],
  },
  getCommissionPlan: {
    request: (side) => ({ path: { planId: side.planId } }),
    status: 200,
    references: [planReference],
  },
  publishCommissionPlan: {
    // Stands before the update, after whose fuzzing the draft is seldom good; in the future, so that it pays no other row.
    request: (side) => ({ path: { planId: side.planId }, body: { effectiveFrom: '2099-01-01T00:00:00Z' } }),
    status: 201,
    references: [{ ...planReference, own: { status: 201 } }],
  },
  updateCommissionPlan: {
    request: (side) => ({ path: { planId: side.planId }, body: { definition: defaultPlanFor('USD') } }),
    status: 200,
    references: [planReference],
  },
  deleteCommissionPlan: {
    request: (side) => ({ path: { planId: side.sparePlanIds.pop() ?? '' } }),
    status: 200,
    references: [{ ...planReference, object: (_world, side) => side.sparePlanIds.pop() ?? '' }],
  },
  createExchangeRate: {
    request: () => ({ body: rateOf() }),
    status: 201,
    references: [],
  },
  listExchangeRates: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      {
        at: 'query.cursor',
        async object(world, side) {
          for (let i = 0; i < 2; i++) await post(world, side, '/api/v1/admin/exchange-rates', rateOf());
          return cursorOf(world, side, '/api/v1/admin/exchange-rates?limit=1');
        },
        ...cursorReference,
      },
    ],
  },
  ...paymentFileRows,
  ...erasureRows,
};
