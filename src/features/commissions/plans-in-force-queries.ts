/** Versions of commission plans that are in force at an instant, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';

interface InForceRow {
  id: string;
  plan_id: string;
  name: string;
  version: number;
  effective_from: Date | null;
  definition: unknown;
}

const inForce = statement<InForceRow, { at: Date | null }>('plans_in_force', ({ at }) =>
  raw(
    `select v.id, v.plan_id, v.version, p.name, nullif(v.effective_from, '-infinity') as effective_from, v.definition
   from (select distinct on (x.plan_id) x.* from commission_plan_version x
         where ${ofTenant('x')} and x.effective_from <= coalesce(:at::timestamptz, scope_now(:tenantId, :environment))
         order by x.plan_id, x.effective_from desc, x.id desc) v
   join commission_plan p on ${ofTenant('p')} and p.id = v.plan_id
   where v.effective_to is null or v.effective_to > coalesce(:at::timestamptz, scope_now(:tenantId, :environment))`,
    { at },
  ),
);

/** The version in force of each plan, at an instant; null: by the scope's clock. */
export async function listVersionsInForce(
  db: Db,
  scope: Scope,
  at: Date | null,
): Promise<{ id: string; planId: string; name: string; version: number; effectiveFrom: Date | null; definition: unknown }[]> {
  const rows = await db.rows(inForce(scope, { at }));
  return rows.map((row) => ({
    id: row.id,
    planId: row.plan_id,
    name: row.name,
    version: row.version,
    effectiveFrom: row.effective_from,
    definition: row.definition,
  }));
}
