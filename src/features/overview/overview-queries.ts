/** The overview in SQL: folded totals, what is not folded yet, and what few rows wait. */
import { raw, statement } from '../../db/query.ts';
import { SCOPE_NOW } from '../../db/scope-clock.ts';
import { ofTenant, theTenant } from '../../db/tenant-condition.ts';

export interface OverviewFrame {
  currency: string;
  timeZone: string;
  /** YYYY-MM of now. */
  thisMonth: string;
}

export const frameOfOverview = statement<OverviewFrame>('overview_frame', () =>
  raw(
    `select t.default_currency as currency, t.reporting_time_zone as "timeZone",
            to_char(${SCOPE_NOW} at time zone t.reporting_time_zone, 'YYYY-MM') as "thisMonth"
     from tenant t where ${theTenant('t')}`,
  ),
);

export interface MonthlySum {
  month: string;
  status: 'pending' | 'cleared' | 'processing' | 'paid';
  amount: bigint;
}

interface Months {
  /** First days. */
  first: string;
  last: string;
}

/** In the zone of the rollups, which is the tenant's but for the moments in which they are built anew for another. */
const ZONE = (rollup: string): string => `zone as materialized (
     select coalesce(r.time_zone, t.reporting_time_zone) as name
     from tenant t left join rollup_state r on ${ofTenant('r')} and r.rollup = '${rollup}' where ${theTenant('t')})`;

const IN_MONTHS = (day: string): string => `${day} >= :first::date and ${day} < :last::date + interval '1 month'`;

export const commissionTotals = statement<MonthlySum, Months & { currency: string }>(
  'overview_commissions',
  ({ first, last, currency }) =>
    raw(
      `with ${ZONE('commissions')},
       part as (
         select t.day, t.status, t.amount_minor from commission_total t
         where ${ofTenant('t')} and t.currency = :currency and ${IN_MONTHS('t.day')}
         union all
         select l.day, p.status, p.amount_minor
         from commission_pending p cross join lateral (
           select (p.occurred_at at time zone zone.name)::date as day from zone) l
         where ${ofTenant('p')} and p.currency = :currency and ${IN_MONTHS('l.day')})
       select to_char(part.day, 'YYYY-MM') as month, part.status, sum(part.amount_minor)::bigint as amount
       from part group by 1, 2`,
      { first, last, currency },
    ),
);

/** So many members without a sponsor that all others are counted by them: their downlines are folded by month. */
const MOST_ROOTS = 1_000;

/** Of a tenant of many trees the members of those months are counted one by one, from the index of when they joined. */
export const joinedByMonth = statement<{ month: string; joined: number }, Months>('overview_joined', ({ first, last }) =>
  raw(
    `with ${ZONE('downline')},
     root as materialized (
       select m.id, m.created_at from member m where ${ofTenant('m')} and m.parent_id is null limit ${MOST_ROOTS + 1}),
     roots as materialized (select coalesce(array_agg(root.id), '{}') as ids, count(*) <= ${MOST_ROOTS} as few from root),
     part as (
       select d.month as day, sum(d.joined)::int as joined
       from root join downline_month d on ${ofTenant('d')} and d.member_id = root.id
       where (select few from roots) and ${IN_MONTHS('d.month')} group by d.month
       union all
       select l.day, 1 from root cross join lateral (
         select (root.created_at at time zone zone.name)::date as day from zone) l
       where (select few from roots) and ${IN_MONTHS('l.day')}
       union all
       select l.day, p.delta * (select count(*)::int from unnest(p.ancestor_ids) a(id) where a.id = any ((select ids from roots)::uuid[]))
       from downline_pending p cross join lateral (
         select (p.joined_at at time zone zone.name)::date as day from zone) l
       where ${ofTenant('p')} and (select few from roots) and p.joined_at is not null and ${IN_MONTHS('l.day')}
       union all
       select (m.created_at at time zone zone.name)::date, 1 from zone cross join member m
       where ${ofTenant('m')} and not (select few from roots)
         and m.created_at >= :first::date::timestamp at time zone zone.name
         and m.created_at < (:last::date + interval '1 month') at time zone zone.name)
     select to_char(part.day, 'YYYY-MM') as month, sum(part.joined)::int as joined from part group by 1`,
    { first, last },
  ),
);

export const waitingReviews = statement<{ waiting: number }>('overview_reviews', () =>
  raw(
    `select count(*)::int as waiting from kyc_record k
     where ${ofTenant('k')} and k.status = 'pending' and k.decided_by is distinct from 'admin'`,
  ),
);

export const heldLines = statement<{ waiting: number }>('overview_held', () =>
  raw(`select count(*)::int as waiting from commission_line l where ${ofTenant('l')} and l.status = 'held'`),
);

export interface WaitingPayouts {
  blocked: number;
  failed: number;
  drafted: number;
  approved: number;
}

export const waitingPayouts = statement<WaitingPayouts>('overview_payouts', () =>
  raw(
    `with run as (
       select r.currency, r.status, r.blocked_count, row_number() over (partition by r.currency order by r.id desc) as n
       from payout_run r where ${ofTenant('r')} and r.status <> 'cancelled')
     select coalesce(sum(run.blocked_count) filter (where run.n = 1), 0)::int as blocked,
            (count(*) filter (where run.status = 'draft'))::int as drafted,
            (count(*) filter (where run.status = 'approved'))::int as approved,
            (select count(*)::int from payout p where ${ofTenant('p')} and p.status = 'failed') as failed
     from run`,
  ),
);

/** What was switched off by hand is left out. */
export const failingEndpoints = statement<{ waiting: number }>('overview_endpoints', () =>
  raw(
    `select count(*)::int as waiting from webhook_endpoint e
     where ${ofTenant('e')} and e.deleted_at is null
       and case when e.enabled then e.failing_since is not null else e.disabled_reason in ('gone', 'failing') end`,
  ),
);

/** Those that need no right beyond the given ones; all for who has all. */
export const waitingChanges = statement<{ waiting: number }, { rights: readonly string[]; all: boolean }>(
  'overview_changes',
  ({ rights, all }) =>
    raw(
      `select count(*)::int as waiting from pending_change c
       where ${ofTenant('c')} and c.status = 'open' and c.expires_at > clock_timestamp()
         and (:all::boolean or c.scopes <@ :rights::text[])`,
      { rights, all },
    ),
);
