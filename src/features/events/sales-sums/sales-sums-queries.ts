/** The sums of sales by the local day and year of the sale: begun, folded and built anew. Days are of the zone of rollup_state. */
import { takeLock, tryLock } from '../../../db/lock-classes.ts';
import { raw, statement, unscopedStatement } from '../../../db/query.ts';
import { ofTenant, theTenant } from '../../../db/tenant-condition.ts';
import { isRecorded, markReady, noteRecording } from '../../genealogy/open/recording-sql.ts';
import { settleAgain } from '../settling/settling-queries.ts';
import { backOf, netSaleText, salePartText } from './sale-sql.ts';

/** One at a time of a tenant and environment; nobody waits for it. A statement of its own, so that the next sees what the one before left. */
export const lockFolding = statement<{ mine: boolean }>('events_lock_folding', () =>
  raw(`select ${tryLock('salesSums')} as mine`),
);

/** The same lock, waited for. */
export const lockSums = statement<unknown>('events_lock_sums', () => raw(`select ${takeLock('salesSums')}`));

/** A large scope takes minutes; so may a fold that is waited for. */
export const allowTime = unscopedStatement<unknown>('events_allow_time', () =>
  raw("select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)"),
);

const SUMS = ['base_minor', 'amount_minor', 'sales'];

/** Rows of `change` added to one of the tables, in order of their keys. */
const addTo = (table: string, column: string, bucket: string): string =>
  `insert into ${table} (tenant_id, environment, member_id, currency, ${column}, part, base_minor, amount_minor, sales)
     select :tenantId, :environment, c.member_id, c.currency, ${bucket}, c.part, sum(c.base_minor)::bigint,
            sum(c.amount_minor)::bigint, sum(c.sales)::int
     from change c
     group by 3, 4, 5, 6 having ${SUMS.map((sum) => `sum(c.${sum}) <> 0`).join(' or ')}
     order by 3, 4, 5, 6
     on conflict (tenant_id, environment, member_id, currency, ${column}, part) do update
       set ${SUMS.map((sum) => `${sum} = ${table}.${sum} + excluded.${sum}`).join(', ')}`;

/** Rows of `change` (member_id, currency, part, day, base_minor, amount_minor, sales) added to the sums. */
const addChanges = `days as (
     ${addTo('sales_day', 'day', 'c.day')}),
   years as (
     ${addTo('sales_year', 'year', 'extract(year from c.day)::smallint')})`;

const LAST_UUID = "'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid";

/** What is to be done next: `note` and `sum` of sums that are begun, `wait` between; `rebuild` for another zone. */
export type NextOfSales = 'note' | 'wait' | 'sum' | 'rebuild' | 'fold';

/**
 * Takes the first rows of the queue, at most so many, and adds them up. The rows are consumed, so it does not matter which
 * transactions have committed in between. Takes none while the sums are not ready, or of another zone than the tenant's.
 * No row where sales are not summed up.
 */
export const foldPending = statement<{ taken: number; next: NextOfSales }, { count: number }>('events_fold_sales', ({ count }) =>
  raw(
    `with state as materialized (
     select s.time_zone as name,
            case when s.ready then case when s.time_zone = t.reporting_time_zone then 'fold' else 'rebuild' end
                 when s.since_xid is null then 'note' when ${isRecorded('s')} then 'sum' else 'wait' end as next
     from rollup_state s join tenant t on ${theTenant('t')}
     where ${ofTenant('s')} and s.rollup = 'sales'),
   last as materialized (
     select p.member_id, p.id from sales_pending p
     where ${ofTenant('p')} order by p.member_id, p.id offset :count::int - 1 limit 1),
   taken as (
     delete from sales_pending p
     where ${ofTenant('p')} and (select s.next from state s) = 'fold'
       and (p.member_id, p.id) <= (coalesce((select l.member_id from last l), ${LAST_UUID}),
                                   coalesce((select l.id from last l), ${LAST_UUID}))
     returning p.member_id, p.currency, p.part, p.occurred_at, p.base_minor, p.amount_minor, p.sales),
   change as materialized (
     select t.member_id, t.currency, t.part, (t.occurred_at at time zone (select s.name from state s))::date as day,
            sum(t.base_minor) as base_minor, sum(t.amount_minor) as amount_minor, sum(t.sales) as sales, count(*) as taken
     from taken t group by 1, 2, 3, 4),
   ${addChanges},
   settled_again as (
     ${settleAgain("(select distinct g.member_id, g.day from change g where g.part <> 'test' and (g.base_minor > 0 or g.amount_minor > 0 or g.sales > 0))")})
   select coalesce((select sum(c.taken) from change c), 0)::int as taken, s.next from state s`,
    { count },
  ),
);

/** Remembers a transaction that began when the row of sums that are begun was seen. */
export const noteBegun = statement<unknown>('events_note_sales_begun', () => raw(noteRecording('sales')));

export const clearSums = statement<unknown>('events_clear_sales_sums', () =>
  raw(
    `with years as (delete from sales_year y where ${ofTenant('y')})
   delete from sales_day d where ${ofTenant('d')}`,
  ),
);

const net = netSaleText('e', 'back.minor');

/**
 * Fills the empty sums from the events, in the tenant's present zone; they are ready then. One statement, so the events and
 * the rows of the queue that it sees are the same: what is committed meanwhile stays in the queue for the next fold. Does
 * nothing where sales are not summed up, and while events may be under way that are not noted down.
 */
export const rebuildSums = statement<{ sales: number }>('events_rebuild_sales_sums', () =>
  raw(
    `with zone as materialized (
     select t.reporting_time_zone as name from rollup_state s join tenant t on ${theTenant('t')}
     where ${ofTenant('s')} and s.rollup = 'sales' and (s.ready or ${isRecorded('s')})),
   queued as (
     delete from sales_pending p where ${ofTenant('p')} and exists (select from zone)
     returning p.member_id, (p.occurred_at at time zone (select z.name from zone z))::date as day, p.part, p.base_minor, p.amount_minor, p.sales),
   settled_again as (
     ${settleAgain("(select distinct q.member_id, q.day from queued q where q.part <> 'test' and (q.base_minor > 0 or q.amount_minor > 0 or q.sales > 0))")}),
   change as materialized (
     select e.attributed_member_id as member_id, e.currency, ${salePartText('e')} as part,
            (e.occurred_at at time zone (select z.name from zone z))::date as day,
            sum(${net.baseMinor}) as base_minor, sum(${net.amountMinor}) as amount_minor, sum(${net.sales}) as sales, count(*) as read
     from (select m.id from member m where ${ofTenant('m')} and exists (select from zone)) m
     cross join lateral (
       select p.* from event p where ${ofTenant('p')} and p.attributed_member_id = m.id and p.kind = 'purchase' offset 0) e
     ${backOf('e')}
     group by 1, 2, 3, 4),
   marked as (
     ${markReady('sales', 'zone')}),
   ${addChanges}
   select coalesce(sum(c.read), 0)::int as sales from change c`,
  ),
);
