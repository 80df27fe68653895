/**
 * The audits: each statement returns the rows that break an invariant, so an empty answer is a
 * clean bill. They look across tenants and run as svc_admin. I-numbers are those of reliability §3.1;
 * A is for attribution, L for the life of lines and journals, H for dated history, R for rollups.
 */
import type { Audit } from './audit.ts';
import { kycAudit } from './audit-kyc.ts';
import { PAYOUT_AUDITS } from './payout-audits.ts';

export const LIMIT = 20;

export const AUDITS: readonly Audit[] = [
  {
    id: 'I-1',
    title: 'every journal balances in each currency',
    sql: `select tenant_id, environment, journal_id, currency, sum(amount_minor)::text as sum from posting
          group by tenant_id, environment, journal_id, currency having sum(amount_minor) <> 0`,
  },
  {
    id: 'I-2',
    title: 'the ledger of each tenant, environment and currency sums to zero',
    sql: `select tenant_id, environment, currency, sum(amount_minor)::text as sum from posting
          group by tenant_id, environment, currency having sum(amount_minor) <> 0`,
  },
  {
    id: 'I-3',
    title: "members' accounts equal their commission lines by status",
    sql: `with owed as (
            select tenant_id, environment, beneficiary_id as member_id, currency,
                   'member:' || case status when 'held' then 'pending' when 'paid' then 'paid_out' else status end as account,
                   sum(amount_minor) as sum
            from commission_line where status <> 'reversed' group by 1, 2, 3, 4, 5),
          posted as (
            select tenant_id, environment, member_id, currency, account, sum(amount_minor) as sum
            from posting where member_id is not null group by 1, 2, 3, 4, 5)
          select tenant_id, environment, member_id, currency, account, owed.sum::text as owed, posted.sum::text as posted
          from owed full join posted using (tenant_id, environment, member_id, currency, account)
          where coalesce(owed.sum, 0) <> coalesce(posted.sum, 0)`,
  },
  {
    id: 'I-4',
    title: "the company's side of each journal is what its lines and breakage ask for",
    sql: `with asked as (
            select l.tenant_id, l.environment, coalesce(l.action_id, l.event_id) as cause_id,
                   case when coalesce(o.kind, l.kind) = 'write_off' then 'company:write_off' else 'company:commission_expense' end as account,
                   coalesce(l.source_currency, l.currency) as currency, -coalesce(l.source_amount_minor, l.amount_minor) as amount
            from commission_line l left join commission_line o
              on o.tenant_id = l.tenant_id and o.environment = l.environment and o.id = l.reverses_line_id
            union all
            select e.tenant_id, e.environment, e.id, b.account, e.currency, b.sign * e.breakage_minor
            from event e cross join (values ('company:commission_expense', -1), ('company:breakage', 1)) b(account, sign)
            where e.breakage_minor <> 0),
          line as (
            select tenant_id, environment, cause_id, account, currency, sum(amount) as sum from asked group by 1, 2, 3, 4, 5),
          journal as (
            select j.tenant_id, j.environment, j.cause_id, p.account, p.currency, sum(p.amount_minor) as sum
            from journal_entry j join posting p on p.tenant_id = j.tenant_id and p.environment = j.environment and p.journal_id = j.id
            where j.cause_type in ('event', 'void') and starts_with(p.account, 'company:') group by 1, 2, 3, 4, 5)
          select tenant_id, environment, cause_id, account, currency, line.sum::text as asked, journal.sum::text as posted
          from line full join journal using (tenant_id, environment, cause_id, account, currency)
          where coalesce(line.sum, 0) <> coalesce(journal.sum, 0)`,
  },
  {
    id: 'I-5',
    title: "an event's lines equal what its journal posts to members, and a void's line what its own journal does",
    sql: `with line as (
            select tenant_id, environment, coalesce(action_id, event_id) as cause_id, beneficiary_id as member_id, currency,
                   sum(amount_minor) as sum
            from commission_line group by 1, 2, 3, 4, 5),
          journal as (
            select j.tenant_id, j.environment, j.cause_id, p.member_id, p.currency, sum(p.amount_minor) as sum
            from journal_entry j join posting p on p.tenant_id = j.tenant_id and p.environment = j.environment and p.journal_id = j.id
            where j.cause_type in ('event', 'void') and p.member_id is not null group by 1, 2, 3, 4, 5)
          select tenant_id, environment, cause_id, member_id, currency, line.sum::text as lines, journal.sum::text as posted
          from line full join journal using (tenant_id, environment, cause_id, member_id, currency)
          where coalesce(line.sum, 0) <> coalesce(journal.sum, 0)`,
  },
  {
    id: 'I-8',
    title: 'the tree has no cycle',
    sql: `with recursive reached as (
            select tenant_id, environment, id from member where parent_id is null
            union
            select m.tenant_id, m.environment, m.id from reached r
            join member m on m.tenant_id = r.tenant_id and m.environment = r.environment and m.parent_id = r.id)
          select tenant_id, environment, id as member_id from member
          except select tenant_id, environment, id from reached`,
  },
  {
    id: 'I-9',
    title: 'the counted downlines, folded and pending, equal the tree',
    sql: `with recursive zone as (
            select t.id as tenant_id, e.environment, coalesce(r.time_zone, t.reporting_time_zone) as name
            from tenant t cross join (values ('LIVE'), ('SANDBOX')) e(environment)
            left join rollup_state r on r.tenant_id = t.id and r.environment = e.environment and r.rollup = 'downline'),
          pending as (
            select p.tenant_id, p.environment, a.member_id, p.delta, p.active_delta,
                   to_char(p.joined_at at time zone zone.name, 'YYYY-MM') as month
            from downline_pending p join zone using (tenant_id, environment) cross join lateral unnest(p.ancestor_ids) as a(member_id)),
          counted as (
            select tenant_id, environment, member_id, what, sum(n) as n
            from (select tenant_id, environment, member_id, what, n from downline_count
                    cross join lateral (values ('total', total), ('active', active), ('direct', direct)) v(what, n)
                  union all
                  select tenant_id, environment, member_id, to_char(month, 'YYYY-MM'), joined from downline_month
                  union all
                  select tenant_id, environment, member_id, what, n from pending
                    cross join lateral (values ('total', delta), ('active', active_delta)) v(what, n)
                  union all
                  select tenant_id, environment, member_id, month, delta from pending where month is not null
                  union all
                  select tenant_id, environment, sponsor_id, 'direct', sponsor_delta from downline_pending where sponsor_id is not null) x
            group by 1, 2, 3, 4),
          up as (
            select tenant_id, environment, id, parent_id as ancestor_id from member where parent_id is not null
            union -- not all: a cycle must not run for ever
            select up.tenant_id, up.environment, up.id, m.parent_id from up
            join member m on m.tenant_id = up.tenant_id and m.environment = up.environment and m.id = up.ancestor_id
            where m.parent_id is not null),
          actual as (
            select tenant_id, environment, up.ancestor_id as member_id, v.what, sum(v.n) as n
            from up join member m using (tenant_id, environment, id) join zone using (tenant_id, environment)
            cross join lateral (values ('total', 1), ('active', m.is_active::int), ('direct', (m.parent_id = up.ancestor_id)::int),
                                       (to_char(m.created_at at time zone zone.name, 'YYYY-MM'), 1)) v(what, n)
            group by 1, 2, 3, 4)
          select tenant_id, environment, member_id, what, counted.n::text as counted, actual.n::text as actual
          from counted full join actual using (tenant_id, environment, member_id, what)
          where coalesce(counted.n, 0) <> coalesce(actual.n, 0)`,
  },
  {
    id: 'I-10',
    title: 'every row belongs to a tenant, and its members and plan to the same tenant and environment',
    sql: `select 'member' as kind, m.tenant_id, m.environment, m.id from member m
            where not exists (select from tenant t where t.id = m.tenant_id)
               or (m.parent_id is not null and not exists (select from member p
                   where p.tenant_id = m.tenant_id and p.environment = m.environment and p.id = m.parent_id))
          union all
          select 'event', e.tenant_id, e.environment, e.id from event e
            where not exists (select from tenant t where t.id = e.tenant_id)
               or (e.plan_version_id is not null and not exists (select from commission_plan_version v
                  where v.tenant_id = e.tenant_id and v.environment = e.environment and v.id = e.plan_version_id))
          union all
          select 'line', l.tenant_id, l.environment, l.id from commission_line l
            where not exists (select from event e where e.tenant_id = l.tenant_id and e.environment = l.environment and e.id = l.event_id)
               or not exists (select from member m where m.tenant_id = l.tenant_id and m.environment = l.environment and m.id = l.beneficiary_id)
          union all
          select 'posting', p.tenant_id, p.environment, p.journal_id from posting p
            where p.member_id is not null and not exists (select from member m
                  where m.tenant_id = p.tenant_id and m.environment = p.environment and m.id = p.member_id)`,
  },
  kycAudit,
  {
    id: 'I-13',
    title: 'no idempotency key is without its answer for two minutes, no job past its lease, none failed without a dead letter',
    sql: `select 'key without its answer' as fault, tenant_id::text, environment, operation as name, created_at as since from idempotency_key
            where status is null and created_at < now() - interval '2 minutes'
          union all
          select 'active past its lease', data->>'tenantId', data->>'environment', name, started_on from pgboss.job
            where state = 'active' and least(heartbeat_on + heartbeat_seconds * interval '1 second',
                                             started_on + expire_seconds * interval '1 second') < now() - interval '1 minute'
          union all
          select 'failed without a dead letter', data->>'tenantId', data->>'environment', name, completed_on from pgboss.job j
            where state = 'failed' and name <> 'dead-letters'
              and not exists (select from pgboss.job d where d.name = 'dead-letters' and d.source_id = j.id)`,
  },
  {
    id: 'I-15',
    title: 'row-level security is forced on every tenant table',
    sql: `select c.relname as table_name from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = 'public' and c.relkind in ('r', 'p') and not (c.relrowsecurity and c.relforcerowsecurity)
            and (c.relname = 'tenant' or exists (select from pg_attribute a
                 where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped))`,
  },
  {
    id: 'L-1',
    title: 'every sealed block follows the one before and holds the entries it says',
    sql: `select tenant_id, environment, seq from (
            select b.tenant_id, b.environment, b.seq, b.prev_hash, b.entry_count, coalesce(e.entries, 0) as entries,
                   coalesce(lag(b.seq) over chain, 0) as before,
                   coalesce(lag(b.hash) over chain, decode(repeat('00', 32), 'hex')) as hash_before
            from ledger_block b
            left join (select tenant_id, environment, block_seq as seq, count(*) as entries from ledger_block_entry group by 1, 2, 3) e
              using (tenant_id, environment, seq)
            window chain as (partition by b.tenant_id, b.environment order by b.seq)) b
          where seq <> before + 1 or prev_hash <> hash_before or entry_count <> entries`,
  },
  {
    id: 'L-2',
    title: 'every journal is sealed or waits to be sealed, and not both',
    sql: `select tenant_id, environment, id as journal_id, j.cause_id is not null as recorded, e.sealed, u.queued
          from journal_entry j
          full join (select tenant_id, environment, journal_id as id, true as sealed from ledger_block_entry) e using (tenant_id, environment, id)
          full join (select tenant_id, environment, journal_id as id, true as queued from ledger_unsealed) u using (tenant_id, environment, id)
          where j.cause_id is null or (e.sealed is null) = (u.queued is null)`,
  },
  {
    id: 'L-3',
    title: 'a line with what takes it back or reinstates it stays between nothing and its amount',
    sql: `select l.tenant_id, l.environment, l.id as line_id, l.amount_minor::text as amount, r.sum::text as linked
          from commission_line l
          join (select tenant_id, environment, reverses_line_id as id, sum(amount_minor) as sum
                from commission_line where reverses_line_id is not null group by 1, 2, 3) r using (tenant_id, environment, id)
          where l.amount_minor + r.sum not between least(0, l.amount_minor) and greatest(0, l.amount_minor)`,
  },
  {
    id: 'L-4',
    title:
      'a line is held as its last action says, for a dispute that is open, or since it was born for a sale to its own member',
    // Acting on a line acts on all that is linked to it: the last action is that of the family.
    sql: `with acted as (
            select distinct on (x.tenant_id, x.environment, coalesce(f.reverses_line_id, f.id))
                   x.tenant_id, x.environment, coalesce(f.reverses_line_id, f.id) as original_id, x.action
            from commission_action x
            join commission_line f on f.tenant_id = x.tenant_id and f.environment = x.environment and f.id = x.line_id
            where x.action in ('hold', 'release')
            order by x.tenant_id, x.environment, coalesce(f.reverses_line_id, f.id), x.id desc),
          born as materialized (
            select o.tenant_id, o.environment, o.id as original_id from event s
            join commission_line o on o.tenant_id = s.tenant_id and o.environment = s.environment and o.event_id = s.id
              and o.reverses_line_id is null and o.beneficiary_id::text = s.evaluation ->> 'selfMember'
            where s.evaluation ? 'selfMember')
          select l.tenant_id, l.environment, l.id as line_id, l.status, l.hold_cause, a.action as last_action
          from commission_line l
          left join acted a on a.tenant_id = l.tenant_id and a.environment = l.environment
            and a.original_id = coalesce(l.reverses_line_id, l.id)
          left join born b on b.tenant_id = l.tenant_id and b.environment = l.environment
            and b.original_id = coalesce(l.reverses_line_id, l.id)
          where (a.action = 'hold' and l.status not in ('held', 'reversed'))
             or (a.action = 'release' and l.hold_cause in ('manual', 'self_purchase'))
             or (l.hold_cause = 'self_purchase' and b.original_id is null)
             or (a.action is null and b.original_id is not null and l.status not in ('held', 'reversed'))
             or (l.hold_cause = 'dispute' and not exists (
               select from event e
               join event d on d.tenant_id = e.tenant_id and d.environment = e.environment and d.purchase_id = coalesce(e.purchase_id, e.id)
               where e.tenant_id = l.tenant_id and e.environment = l.environment and e.id = l.event_id and d.stage = 'opened'
                 and not exists (
                   select from event c
                   where c.tenant_id = d.tenant_id and c.environment = d.environment and c.dispute_id = d.dispute_id and c.stage <> 'opened')))`,
  },
  {
    id: 'A-1',
    title: 'an event and its receipt name each other, and agree on whom it is credited to and by which rule',
    sql: `with known as (select tenant_id, environment, id, receipt_id, attributed_member_id, attribution_rule from event where receipt_id is not null),
          receipt as (select tenant_id, environment, id as receipt_id, event_id, winner_id, rule from attribution_receipt where event_id is not null)
          select tenant_id, environment, receipt_id, k.id as event_id, r.event_id as receipt_of, k.attributed_member_id, r.winner_id,
                 k.attribution_rule, r.rule
          from known k full join receipt r using (tenant_id, environment, receipt_id)
          where k.id is distinct from r.event_id or k.attributed_member_id is distinct from r.winner_id
             or k.attribution_rule is distinct from r.rule`,
  },
  {
    id: 'H-1',
    title: "a member's tier, activity and sponsor are the latest of its history",
    sql: `select m.tenant_id, m.environment, m.id as member_id from member m
          where m.membership_tier is distinct from coalesce((select h.membership_tier from member_tier_history h
              where h.tenant_id = m.tenant_id and h.environment = m.environment and h.member_id = m.id
              order by h.valid_from desc, h.id desc limit 1), m.membership_tier)
             or m.is_active is distinct from coalesce((select h.is_active from member_activity_history h
              where h.tenant_id = m.tenant_id and h.environment = m.environment and h.member_id = m.id
              order by h.valid_from desc, h.id desc limit 1), m.is_active)
             or exists (select from (select h.sponsor_id from member_sponsor_history h
                 where h.tenant_id = m.tenant_id and h.environment = m.environment and h.member_id = m.id
                 order by h.valid_from desc, h.id desc limit 1) latest where latest.sponsor_id is distinct from m.parent_id)`,
  },
  {
    // As sales are paid: only who has has_history set is asked for its history. A minute's grace, for
    // a move may be committed between this transaction's begin, which now() is, and its first read.
    id: 'H-2',
    title: 'as of now the upline by history is the tree',
    sql: `with scope as (
            select s.tenant_id, s.environment, scope_now(s.tenant_id, s.environment) + interval '1 minute' as now
            from (select distinct tenant_id, environment from member_sponsor_history) s)
          select m.tenant_id, m.environment, m.id as member_id, m.parent_id, h.sponsor_id as sponsor_by_history
          from scope join member m on m.tenant_id = scope.tenant_id and m.environment = scope.environment
          join lateral (
            select s.sponsor_id from member_sponsor_history s
            where s.tenant_id = m.tenant_id and s.environment = m.environment and s.member_id = m.id and s.valid_from <= scope.now
            order by s.valid_from desc, s.id desc limit 1) h on true
          where h.sponsor_id is distinct from m.parent_id or not m.has_history`,
  },
  {
    // In the zone that the rollups fall into days and months by, whatever the tenant's is now.
    id: 'R-1',
    title: 'the commission rollups with what waits to be folded equal the lines',
    sql: `with zone as (
            select t.id as tenant_id, e.environment, coalesce(s.time_zone, t.reporting_time_zone) as name
            from tenant t cross join (values ('LIVE'), ('SANDBOX')) e(environment)
            left join rollup_state s on s.tenant_id = t.id and s.environment = e.environment and s.rollup = 'commissions'),
          part as (
            select tenant_id, environment, beneficiary_id as member_id, currency, occurred_at, source,
                   case status when 'held' then 'pending' else status end as status, level, leg_id, amount_minor, 1 as lines
            from commission_line where status <> 'reversed'
            union all
            select tenant_id, environment, member_id, currency, occurred_at, source, status, level, leg_id, -amount_minor, -lines
            from commission_pending),
          due as (
            select tenant_id, environment, member_id, currency, source, status, level, leg_id, (occurred_at at time zone name)::date as day,
                   sum(amount_minor) as amount, sum(lines) as lines
            from part join zone using (tenant_id, environment) group by 1, 2, 3, 4, 5, 6, 7, 8, 9),
          difference as (
            select tenant_id, environment, member_id, currency, grain,
                   case grain when 'month' then date_trunc('month', day)::date else day end as bucket, source, status, level,
                   null::uuid as leg_id, amount, lines
            from due cross join (values ('day'), ('month')) g(grain)
            union all
            select tenant_id, environment, member_id, currency, grain, bucket, source, status, level, null, -amount_minor, -lines
            from commission_rollup
            union all
            select tenant_id, environment, member_id, currency, 'leg', null, null, null, null, leg_id, amount, 0
            from due where leg_id is not null
            union all
            select tenant_id, environment, member_id, currency, 'leg', null, null, null, null, leg_id, -amount_minor, 0
            from commission_leg)
          select tenant_id, environment, member_id, currency, grain, bucket::text, source, status, level, leg_id,
                 sum(amount)::text as amount_missing, sum(lines)::text as lines_missing
          from difference group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 having sum(amount) <> 0 or sum(lines) <> 0`,
  },
  ...PAYOUT_AUDITS,
];
