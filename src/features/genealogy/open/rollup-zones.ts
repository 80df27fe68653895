/** When rollups are to be built anew, for whatever keeps some by local day or month. */

/**
 * The tenant reports in another zone than its rollups: they are built anew. Only of tenants that changed after they were
 * made, each looked up by itself: read all together the rollups take 100 ms at 10,000 tenants.
 */
export function rollupsInAnotherZone(rollup: 'downline' | 'commissions' | 'sales'): string {
  return `select stale.* from (
      select id, reporting_time_zone from tenant where updated_at <> created_at order by updated_at) changed
    cross join lateral (
      select r.tenant_id, r.environment from rollup_state r
      where r.tenant_id = changed.id and r.rollup = '${rollup}' and r.time_zone <> changed.reporting_time_zone offset 0) stale`;
}
