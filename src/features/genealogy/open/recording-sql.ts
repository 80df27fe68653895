/**
 * Rollups that are begun while what they sum goes on, in SQL. From the commit of its row everybody notes down what the
 * rollup sums. Once all transactions are over that did not see the row, one statement sums up the whole and the rollup is
 * ready. docs/decisions/0033-sales-sums.md.
 */
import { ofTenant } from '../../../db/tenant-condition.ts';

type Recorded = 'sales';

const stateOf = (rollup: Recorded): string => `${ofTenant('s')} and s.rollup = '${rollup}'`;

/** Begins a rollup that is not ready; leaves one that is there as it is. Rows have `name`, the zone, one at most. */
export const beginRecording = (rollup: Recorded, rows: string): string =>
  `insert into rollup_state (tenant_id, environment, rollup, time_zone, ready)
     select :tenantId, :environment, '${rollup}', r.name, false from ${rows} r
     on conflict (tenant_id, environment, rollup) do nothing`;

/** Keeps the number of the transaction that is the first to see the row as others have committed it. */
export const noteRecording = (rollup: Recorded): string =>
  `update rollup_state s set since_xid = pg_current_xact_id()
   where ${stateOf(rollup)} and not s.ready and s.since_xid is null`;

/**
 * Whether this snapshot has all that was written without seeing the row `state`. A number that is not given out yet is of
 * the server that the data was restored from: nothing of it runs any more.
 */
export const isRecorded = (state: string): string =>
  `coalesce(${state}.since_xid < pg_snapshot_xmin(pg_current_snapshot())
            or ${state}.since_xid >= pg_snapshot_xmax(pg_current_snapshot()), false)`;

/** The rollup is built anew in a zone, and ready. Rows have `name`, one at most. */
export const markReady = (rollup: Recorded, rows: string): string =>
  `update rollup_state s set time_zone = r.name, rebuilt_at = now(), ready = true, since_xid = null
     from ${rows} r where ${stateOf(rollup)}`;

/** Scopes with a rollup that is not ready. */
export const rollupsBeingBegun = (rollup: Recorded): string =>
  `select tenant_id, environment from rollup_state where not ready and rollup = '${rollup}' order by tenant_id, environment`;
