/** Plans other than the default. */
import { DEFAULT_PLAN, type PlanDefinitionInput, planDefinition } from '../../src/features/commissions/plan-definition.ts';
import type { TestApp, TestTenant } from './test-app.ts';

/**
 * Changes the tenant's LIVE plan from `effectiveFrom` on; returns the version's id. The operation
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
     group by v.tenant_id, v.environment, v.plan_id
     returning id`,
    [tenant.tenantId, effectiveFrom, JSON.stringify(planDefinition.parse({ ...DEFAULT_PLAN, ...change }))],
  );
  const [row] = rows;
  if (!row) throw new Error('the tenant has no plan to follow on');
  return row.id;
}
