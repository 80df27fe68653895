/** Plans other than the default. */
import {
  DEFAULT_PLAN,
  type PlanDefinitionInput,
  planDefinition,
} from '../../../src/features/commissions/open/plan-definition.ts';
import type { TestApp, TestTenant } from '../app/test-app.ts';

/**
 * Changes the tenant's first LIVE plan from `effectiveFrom` on; returns the version's id. The operation
 * publishes for sales to come only, so for sales in the past the superuser does it.
 */
export async function publishPlan(
  app: TestApp,
  tenant: TestTenant,
  change: Partial<PlanDefinitionInput>,
  effectiveFrom = '2000-01-01T00:00:00Z',
): Promise<string> {
  const rows = await app.database.asSuperuser<{ id: string }>(
    `insert into commission_plan_version (tenant_id, environment, plan_id, version, effective_from, definition)
     select v.tenant_id, v.environment, v.plan_id, max(v.version) + 1, $2, $3
     from commission_plan_version v where v.tenant_id = $1 and v.environment = 'LIVE'
     group by v.tenant_id, v.environment, v.plan_id order by v.plan_id limit 1
     returning id`,
    [tenant.tenantId, effectiveFrom, JSON.stringify(planDefinition.parse({ ...DEFAULT_PLAN, ...change }))],
  );
  const [row] = rows;
  if (!row) throw new Error('the tenant has no plan to follow on');
  return row.id;
}

/** A further LIVE plan beside the first, in force from `effectiveFrom` until `effectiveTo`; returns its version's id. */
export async function addPlan(
  app: TestApp,
  tenant: TestTenant,
  change: Partial<PlanDefinitionInput>,
  { effectiveFrom = '2000-01-01T00:00:00Z', effectiveTo = undefined as string | undefined } = {},
): Promise<string> {
  const [row] = await app.database.asSuperuser<{ id: string }>(
    `with plan as (insert into commission_plan (tenant_id, environment, name) values ($1, 'LIVE', 'Another plan') returning *)
     insert into commission_plan_version (tenant_id, environment, plan_id, version, effective_from, effective_to, definition)
     select plan.tenant_id, plan.environment, plan.id, 1, $2, $3, $4 from plan returning id`,
    [tenant.tenantId, effectiveFrom, effectiveTo ?? null, JSON.stringify({ ...DEFAULT_PLAN, ...change })],
  );
  if (!row) throw new Error('the plan was not added');
  return row.id;
}
