import { camelList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import {
  createCommissionPlan,
  deleteCommissionPlan,
  getCommissionPlan,
  lintCommissionPlan,
  listCommissionPlans,
  publishCommissionPlan,
  updateCommissionPlan,
} from './plans-operations.ts';
import type { PlansService } from './plans-service.ts';

export function plansRoutes(plans: PlansService): Route[] {
  return [
    route(
      createCommissionPlan,
      ({ body, ...context }) => plans.createPlan(context, body),
      (plan) => ({ status: 201, body: plan, headers: { Location: `/api/v1/commission-plans/${plan.id}` } }),
    ),
    route(listCommissionPlans, ({ query, ...context }) => plans.listPlans(context, query), camelList()),
    route(getCommissionPlan, ({ params, ...context }) => plans.readPlan(context, params.planId)),
    route(lintCommissionPlan, ({ body, ...context }) => plans.lintDefinition(context, body)),
    route(updateCommissionPlan, ({ params, body, ...context }) => plans.updatePlan(context, params.planId, body)),
    route(
      deleteCommissionPlan,
      ({ params, ...context }) => plans.deletePlan(context, params.planId),
      (id) => ({ status: 200, body: { id, deleted: true } }),
    ),
    route(publishCommissionPlan, ({ params, body, ...context }) => plans.publishPlan(context, params.planId, body)),
  ];
}
