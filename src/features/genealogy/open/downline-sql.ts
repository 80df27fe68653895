/**
 * What the counts of downlines and other rollups are told, in SQL, for the statements that change what they count. In each
 * text `rows` is what stands behind `from`: the name of a CTE, or a select in brackets.
 */
import { ofTenant } from '../../../db/tenant-condition.ts';

/**
 * Changes of counts, to be folded later. Rows have member_id, whose change it is; ancestor_ids, nearest first, whose
 * downlines grow by `delta` members and `active_delta` active ones; sponsor_id, whose first level grows by
 * `sponsor_delta`; and joined_at, in whose month the members count as new, or null.
 */
export const insertPendingCounts = (rows: string): string =>
  `insert into downline_pending (tenant_id, environment, member_id, ancestor_ids, delta, active_delta, sponsor_id, sponsor_delta,
                                   joined_at)
     select :tenantId, :environment, r.member_id, r.ancestor_ids, r.delta, r.active_delta, r.sponsor_id, r.sponsor_delta, r.joined_at
     from ${rows} r`;

/** Puts the new sponsor beside the counts of members that were moved. Rows have member_id and sponsor_id. */
export const followSponsors = (rows: string): string =>
  `update downline_count c set parent_id = r.sponsor_id
     from ${rows} r
     where ${ofTenant('c')} and c.member_id = r.member_id`;

/** Settles the zone of a rollup that is just begun, and leaves that of another as it is. Rows have `name`, one at most. */
export const beginRollup = (rollup: 'downline' | 'commissions', rows: string): string =>
  `insert into rollup_state (tenant_id, environment, rollup, time_zone)
     select :tenantId, :environment, '${rollup}', r.name from ${rows} r
     on conflict (tenant_id, environment, rollup) do nothing`;

/** The same of a rollup that is built anew, whatever its zone was. */
export const markRebuilt = (rollup: 'downline' | 'commissions', rows: string): string =>
  `insert into rollup_state (tenant_id, environment, rollup, time_zone, rebuilt_at)
     select :tenantId, :environment, '${rollup}', r.name, now() from ${rows} r
     on conflict (tenant_id, environment, rollup) do update
       set time_zone = excluded.time_zone, rebuilt_at = excluded.rebuilt_at`;
