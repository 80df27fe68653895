/** What the doctor asks of commission lines: that they agree with the ledger, and with what was done to them. */
import { sameTenant } from '../../db/tenant-condition.ts';
import type { Audit } from '../../doctor/audit.ts';

export const commissionsAudits: readonly Audit[] = [
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
              on ${sameTenant('o', 'l')} and o.id = l.reverses_line_id
            union all
            select e.tenant_id, e.environment, e.id, b.account, e.currency, b.sign * e.breakage_minor
            from event e cross join (values ('company:commission_expense', -1), ('company:breakage', 1)) b(account, sign)
            where e.breakage_minor <> 0),
          line as (
            select tenant_id, environment, cause_id, account, currency, sum(amount) as sum from asked group by 1, 2, 3, 4, 5),
          journal as (
            select j.tenant_id, j.environment, j.cause_id, p.account, p.currency, sum(p.amount_minor) as sum
            from journal_entry j join posting p on ${sameTenant('p', 'j')} and p.journal_id = j.id
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
            from journal_entry j join posting p on ${sameTenant('p', 'j')} and p.journal_id = j.id
            where j.cause_type in ('event', 'void') and p.member_id is not null group by 1, 2, 3, 4, 5)
          select tenant_id, environment, cause_id, member_id, currency, line.sum::text as lines, journal.sum::text as posted
          from line full join journal using (tenant_id, environment, cause_id, member_id, currency)
          where coalesce(line.sum, 0) <> coalesce(journal.sum, 0)`,
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
    id: 'L-7',
    title: 'a top-up is of a period event of its member, and about a purchase that paid the member at its level',
    sql: `select l.tenant_id, l.environment, l.id as line_id, l.about_event_id
          from commission_line l
          join event e on ${sameTenant('e', 'l')} and e.id = l.event_id
          where l.about_event_id is not null and (
            e.kind <> 'period' or e.attributed_member_id <> l.beneficiary_id or l.kind <> 'adjustment' or l.reverses_line_id is not null
            or not exists (
              select from event p
              join commission_line o on ${sameTenant('o', 'p')} and o.event_id = p.id
              where ${sameTenant('p', 'l')} and p.id = l.about_event_id and p.kind = 'purchase' and o.kind = 'commission'
                and o.beneficiary_id = l.beneficiary_id and o.level = l.level and o.paid_level = l.paid_level))`,
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
            join commission_line f on ${sameTenant('f', 'x')} and f.id = x.line_id
            where x.action in ('hold', 'release')
            order by x.tenant_id, x.environment, coalesce(f.reverses_line_id, f.id), x.id desc),
          born as materialized (
            select o.tenant_id, o.environment, o.id as original_id, false as is_top_up from event s
            join commission_line o on ${sameTenant('o', 's')} and o.event_id = s.id
              and o.reverses_line_id is null and o.beneficiary_id::text = s.evaluation ->> 'selfMember'
            where s.evaluation ? 'selfMember'
            union all
            select t.tenant_id, t.environment, t.id, true from event s
            join commission_line t on ${sameTenant('t', 's')} and t.about_event_id = s.id
              and t.beneficiary_id::text = s.evaluation ->> 'selfMember'
            where s.evaluation ? 'selfMember')
          select l.tenant_id, l.environment, l.id as line_id, l.status, l.hold_cause, a.action as last_action
          from commission_line l
          left join acted a on ${sameTenant('a', 'l')}
            and a.original_id = coalesce(l.reverses_line_id, l.id)
          left join born b on ${sameTenant('b', 'l')}
            and b.original_id = coalesce(l.reverses_line_id, l.id)
          where (a.action = 'hold' and l.status not in ('held', 'reversed'))
             or (a.action = 'release' and l.hold_cause in ('manual', 'self_purchase'))
             or (l.hold_cause = 'self_purchase' and b.original_id is null)
             -- A top-up may come when its line was released, and a charge counts at once.
             or (a.action is null and b.original_id is not null and not b.is_top_up and l.status not in ('held', 'reversed'))
             or (l.hold_cause = 'dispute' and not exists (
               select from event e
               join event d on ${sameTenant('d', 'e')} and d.purchase_id = coalesce(
                 (select o.about_event_id from commission_line o where ${sameTenant('o', 'l')} and o.id = l.reverses_line_id),
                 l.about_event_id, e.purchase_id, e.id)
               where ${sameTenant('e', 'l')} and e.id = l.event_id and d.stage = 'opened'
                 and not exists (
                   select from event c
                   where ${sameTenant('c', 'd')} and c.dispute_id = d.dispute_id and c.stage <> 'opened')))`,
  },
];
