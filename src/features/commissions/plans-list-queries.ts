/** Which sales the plans of a list cover, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { SCOPE_NOW } from '../../db/scope-clock.ts';
import { ofTenant } from '../../db/tenant-condition.ts';

export interface StoredCover {
  planId: string;
  version: number;
  /** Null: from the beginning of time. */
  effectiveFrom: Date | null;
  effectiveTo: Date | null;
  /** As it was stored, unchecked; null: all sales. */
  scope: unknown;
}

/** Of several versions that have begun the one that began last is in force, and none of the others any more. */
const covers = statement<StoredCover, { planIds: string[] }>('plans_covers', ({ planIds }) =>
  raw(
    `select v.plan_id as "planId", v.version, nullif(v.effective_from, '-infinity') as "effectiveFrom", v.effective_to as "effectiveTo",
          v.definition -> 'scope' as scope
   from commission_plan_version v cross join (select ${SCOPE_NOW} as now) clock
   where ${ofTenant('v')} and v.plan_id = any (:planIds::uuid[]) and (v.effective_to is null or v.effective_to > clock.now)
     and not exists (
       select from commission_plan_version n
       where ${ofTenant('n')} and n.plan_id = v.plan_id and n.effective_from <= clock.now
         and (n.effective_from, n.version) > (v.effective_from, v.version))
   order by v.effective_from, v.version`,
    { planIds },
  ),
);

/** The versions that pay sales of now or later, the next first. */
export function listCovers(db: Db, scope: Scope, planIds: readonly string[]): Promise<StoredCover[]> {
  return db.rows(covers(scope, { planIds: [...planIds] }));
}
