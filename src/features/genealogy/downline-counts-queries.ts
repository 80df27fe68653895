/** Downline counts in SQL: folding what is pending, and building them anew (docs/decisions/0004-pending-downline-counts.md). */
import { tryLock } from '../../db/lock-classes.ts';
import { raw, statement, unscopedStatement } from '../../db/query.ts';
import { ofTenant, theTenant } from '../../db/tenant-condition.ts';
import { beginRollup } from './open/downline-sql.ts';

/** At most one fold of a scope at a time; it also keeps away moves and rebuilding, which read the counts. */
export const lockFold = statement<{ mine: boolean }>('genealogy_lock_fold', () => raw(`select ${tryLock('tree')} as mine`));

/**
 * Takes the oldest pending rows and adds them to the counts. Behind the lock of folding, and only there.
 * `stale`, and nothing taken, when the tenant reports in another zone than its counts fall into.
 */
export const foldPending = statement<{ rows: number; stale: boolean }, { batch: number }>('genealogy_fold_pending', ({ batch }) =>
  raw(
    `with zone as (
     select t.reporting_time_zone as name, coalesce(r.time_zone <> t.reporting_time_zone, false) as stale
     from tenant t left join rollup_state r on r.tenant_id = t.id and r.environment = :environment and r.rollup = 'downline'
     where ${theTenant('t')}),
   taken as (
     delete from downline_pending p
     where ${ofTenant('p')} and not (select zone.stale from zone)
       and p.id = any (array(select w.id from downline_pending w where ${ofTenant('w')} order by w.id limit :batch))
     returning p.ancestor_ids, p.delta, p.active_delta, p.sponsor_id, p.sponsor_delta, p.joined_at),
   part as (
     select a.member_id, t.delta, t.active_delta, date_trunc('month', t.joined_at at time zone zone.name)::date as month
     from zone cross join taken t cross join lateral unnest(t.ancestor_ids) a(member_id)),
   counted as (
     insert into downline_count as c (tenant_id, environment, member_id, parent_id, direct, total, active)
     select :tenantId, :environment, x.member_id,
            (select m.parent_id from member m where ${ofTenant('m')} and m.id = x.member_id), sum(x.direct), sum(x.total), sum(x.active)
     from (select member_id, 0 as direct, delta as total, active_delta as active from part
           union all
           select sponsor_id, sponsor_delta, 0, 0 from taken where sponsor_id is not null) x
     group by x.member_id order by x.member_id
     on conflict (tenant_id, environment, member_id) do update
       set direct = c.direct + excluded.direct, total = c.total + excluded.total, active = c.active + excluded.active),
   by_month as (
     insert into downline_month as d (tenant_id, environment, member_id, month, joined)
     select :tenantId, :environment, part.member_id, part.month, sum(part.delta) from part where part.month is not null
     group by part.member_id, part.month having sum(part.delta) <> 0 order by part.member_id, part.month
     on conflict (tenant_id, environment, member_id, month) do update set joined = d.joined + excluded.joined),
   begun as (
     ${beginRollup('downline', '(select zone.name from zone where exists (select from taken))')})
   select (select count(*) from taken)::int as rows, zone.stale from zone`,
    { batch },
  ),
);

/** Builds the counts of a scope anew from the parent pointers. Returns the number of its members. */
export const rebuildCounts = statement<{ members: bigint }>('genealogy_rebuild', () =>
  raw(`select rebuild_downline(:tenantId, :environment) as members`),
);

/** Puts beside each count whose recruit the member is, where it is not so already: behind a rebuild, which leaves it out. */
export const nameSponsors = statement<unknown>('genealogy_name_sponsors', () =>
  raw(
    `update downline_count c set parent_id = m.parent_id
     from member m
     where ${ofTenant('c')} and ${ofTenant('m')} and m.id = c.member_id and c.parent_id is distinct from m.parent_id`,
  ),
);

/** A rebuild of a large scope takes longer than a statement of the service may. */
export const liftTimeLimit = unscopedStatement<unknown>('genealogy_lift_time_limit', () =>
  raw("select set_config('statement_timeout', '0', true)"),
);
