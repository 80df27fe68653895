/** Commission plans in SQL. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

const lockPlans = prepared<unknown, [string, string]>(
  'plans_lock',
  "select pg_advisory_xact_lock(hashtextextended($1 || ':' || $2, 2))",
);

const insertFirstPlan = prepared<unknown, [string, string, string, string]>(
  'plans_insert_first',
  `with plan as (
     insert into commission_plan (tenant_id, environment, name)
     select $1, $2, $3 where not exists (select from commission_plan where tenant_id = $1 and environment = $2)
     returning id)
   insert into commission_plan_version (tenant_id, environment, plan_id, version, effective_from, definition)
   select $1, $2, plan.id, 1, '-infinity', $4::jsonb from plan`,
);

/** A plan in force for every sale that no later version claims, unless the scope has a plan already. */
export async function ensurePlan(db: Db, scope: Scope, name: string, definition: unknown): Promise<void> {
  await Promise.all([
    db.rows(lockPlans(scope.tenantId, scope.environment)),
    db.rows(insertFirstPlan(scope.tenantId, scope.environment, name, JSON.stringify(definition))),
  ]);
}
