/**
 * The rollups of commission lines, by the local day and month of the sale and by leg: folding what lines
 * have added and taken since, and building them anew. Buckets fall in the zone of rollup_state.
 */
import { takeLock, tryLock } from '../../db/lock-classes.ts';
import { raw, statement, unscopedStatement } from '../../db/query.ts';
import { ofTenant, theTenant } from '../../db/tenant-condition.ts';
import { beginRollup, markRebuilt } from '../genealogy/open/downline-sql.ts';

/** One fold at a time of a tenant and environment; nobody waits for it. A statement of its own, so that the fold sees what the one before left. */
export const lockFolding = statement<{ mine: boolean }>('members_lock_folding', () =>
  raw(`select ${tryLock('commissionRollups')} as mine`),
);

const bucket = (grain: string, day: string): string =>
  `case ${grain} when 'month' then date_trunc('month', ${day})::date else ${day} end`;

const local = (occurredAt: string): string => `(${occurredAt} at time zone (select z.name from zone z))::date`;

/** Rows of `change` (member, currency, source, status, level, leg, day, amount, lines) added to the rollups, in order of their keys. */
const addChanges = `rolled as (
     insert into commission_rollup (tenant_id, environment, member_id, currency, grain, bucket, source, status, level, amount_minor, lines)
     select :tenantId, :environment, c.member_id, c.currency, g.grain, ${bucket('g.grain', 'c.day')}, c.source, c.status, c.level,
            sum(c.amount_minor)::bigint, sum(c.lines)::int
     from change c cross join (values ('day'), ('month')) g(grain)
     group by 3, 4, 5, 6, 7, 8, 9 having sum(c.lines) <> 0 or sum(c.amount_minor) <> 0
     order by 3, 4, 5, 6, 7, 8, 9
     on conflict (tenant_id, environment, member_id, currency, grain, bucket, source, status, level) do update
       set amount_minor = commission_rollup.amount_minor + excluded.amount_minor, lines = commission_rollup.lines + excluded.lines),
   totals as (
     insert into commission_total (tenant_id, environment, currency, day, status, amount_minor, lines)
     select :tenantId, :environment, c.currency, c.day, c.status, sum(c.amount_minor)::bigint, sum(c.lines)::int from change c
     group by 3, 4, 5 having sum(c.lines) <> 0 or sum(c.amount_minor) <> 0
     order by 3, 4, 5
     on conflict (tenant_id, environment, currency, day, status) do update
       set amount_minor = commission_total.amount_minor + excluded.amount_minor, lines = commission_total.lines + excluded.lines),
   legs as (
     insert into commission_leg (tenant_id, environment, member_id, currency, leg_id, amount_minor)
     select :tenantId, :environment, c.member_id, c.currency, c.leg_id, sum(c.amount_minor)::bigint from change c
     where c.leg_id is not null
     group by 3, 4, 5 having sum(c.amount_minor) <> 0
     order by 3, 4, 5
     on conflict (tenant_id, environment, member_id, currency, leg_id) do update
       set amount_minor = commission_leg.amount_minor + excluded.amount_minor)`;

const LAST_UUID = "'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid";

/**
 * Takes the first rows of the queue, at most so many, and adds them up. The rows are consumed, so it does
 * not matter which transactions have committed in between. Takes none where the tenant reports in another
 * zone than the rollups have. The range up to the last row is one look into the index, whatever the
 * planner knows of the table.
 */
export const foldPending = statement<{ taken: number; stale: boolean }, { count: number }>(
  'members_fold_commissions',
  ({ count }) =>
    raw(
      `with zone as materialized (
     select coalesce(s.time_zone, t.reporting_time_zone) as name, s.time_zone is null as is_first,
            coalesce(s.time_zone <> t.reporting_time_zone, false) as is_stale
     from tenant t left join rollup_state s on ${ofTenant('s')} and s.rollup = 'commissions'
     where ${theTenant('t')}),
   last as materialized (
     select p.member_id, p.id from commission_pending p
     where ${ofTenant('p')} order by p.member_id, p.id offset :count::int - 1 limit 1),
   taken as (
     delete from commission_pending p
     where ${ofTenant('p')} and not (select z.is_stale from zone z)
       and (p.member_id, p.id) <= (coalesce((select l.member_id from last l), ${LAST_UUID}),
                                   coalesce((select l.id from last l), ${LAST_UUID}))
     returning p.member_id, p.currency, p.occurred_at, p.source, p.status, p.level, p.leg_id, p.amount_minor, p.lines),
   change as materialized (
     select t.member_id, t.currency, t.source, t.status, t.level, t.leg_id, ${local('t.occurred_at')} as day,
            sum(t.amount_minor) as amount_minor, sum(t.lines) as lines, count(*) as taken
     from taken t group by 1, 2, 3, 4, 5, 6, 7),
   begun as (
     ${beginRollup('commissions', '(select z.name from zone z where z.is_first and exists (select from change))')}),
   ${addChanges}
   select coalesce((select sum(c.taken) from change c), 0)::int as taken, z.is_stale as stale from zone z`,
      { count },
    ),
);

/** A large scope takes minutes; so may a fold that is waited for. */
export const allowTime = unscopedStatement<unknown>('members_allow_time', () =>
  raw("select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)"),
);

export const lockRebuilding = statement<unknown>('members_lock_rebuilding', () => raw(`select ${takeLock('commissionRollups')}`));

export const clearRollups = statement<unknown>('members_clear_commission_rollups', () =>
  raw(
    `with legs as (delete from commission_leg g where ${ofTenant('g')}),
   totals as (delete from commission_total t where ${ofTenant('t')})
   delete from commission_rollup r where ${ofTenant('r')}`,
  ),
);

/**
 * Fills the empty rollups from the lines. One statement, so the lines and the rows of the queue that it
 * sees are the same: what is committed meanwhile stays in the queue for the next fold.
 */
export const rebuildRollups = statement<{ lines: number }>('members_rebuild_commission_rollups', () =>
  raw(
    `with zone as materialized (select t.reporting_time_zone as name from tenant t where ${theTenant('t')}),
   queued as (delete from commission_pending p where ${ofTenant('p')}),
   change as materialized (
     select l.beneficiary_id as member_id, l.currency, l.source, case l.status when 'held' then 'pending' else l.status end as status,
            l.level, l.leg_id, ${local('l.occurred_at')} as day, sum(l.amount_minor) as amount_minor, count(*) as lines
     from commission_line l
     where ${ofTenant('l')} and l.status <> 'reversed'
     group by 1, 2, 3, 4, 5, 6, 7),
   begun as (
     ${markRebuilt('commissions', 'zone')}),
   ${addChanges}
   select coalesce(sum(c.lines), 0)::int as lines from change c`,
  ),
);
