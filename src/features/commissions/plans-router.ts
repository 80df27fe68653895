import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import {
  createCommissionPlan,
  deleteCommissionPlan,
  getCommissionPlan,
  listCommissionPlans,
  publishCommissionPlan,
  updateCommissionPlan,
} from './plans-operations.ts';
import type { PlansService } from './plans-service.ts';

export function mountPlans(router: Router, mount: Mount, plans: PlansService): void {
  mount(
    router,
    createCommissionPlan,
    ({ body, ...context }) => plans.createPlan(context, body),
    (plan) => ({ status: 201, body: plan, headers: { Location: `/api/v1/commission-plans/${plan.id}` } }),
  );
  mount(
    router,
    listCommissionPlans,
    ({ query, ...context }) => plans.listPlans(context, query),
    ({ rows, nextCursor }) => ({ status: 200, body: { data: rows, hasMore: nextCursor !== null, nextCursor } }),
  );
  mount(router, getCommissionPlan, ({ params, ...context }) => plans.readPlan(context, params.planId));
  mount(router, updateCommissionPlan, ({ params, body, ...context }) => plans.updatePlan(context, params.planId, body));
  mount(
    router,
    deleteCommissionPlan,
    ({ params, ...context }) => plans.deletePlan(context, params.planId),
    (id) => ({ status: 200, body: { id, deleted: true } }),
  );
  mount(router, publishCommissionPlan, ({ params, body, ...context }) => plans.publishPlan(context, params.planId, body));
}
