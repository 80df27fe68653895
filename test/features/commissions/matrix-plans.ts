/** The access matrix of commission plans. */
import { defaultPlanFor } from '../../../src/features/commissions/open/plan-definition.ts';
import { cursorOf, cursorReference, type MatrixRow, type Reference, uuidReference } from '../../support/matrix/matrix-row.ts';

const planReference: Reference = {
  at: 'path.planId',
  object: (_world, side) => side.planId,
  ...uuidReference,
  own: { status: 200 },
  foreign: { status: 404, code: 'NOT_FOUND' },
};

const withoutTiers = {
  mode: 'unilevel',
  base: 'gross',
  levels: [{ level: 1, rateBps: 1000 }],
  tierRules: { ORDINARY: {}, SENIOR: {}, MANAGER: {} },
  compression: 'compress',
  personalPurchase: 'none',
  holding: { days: 14 },
};

export const planRows: Record<string, MatrixRow> = {
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
  lintCommissionPlan: {
    // One that has something to be told of, and is short enough to be the example of the document.
    request: () => ({ body: { definition: withoutTiers } }),
    status: 200,
    references: [{ ...planReference, at: 'body.planId' }],
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
};
