/** What the doctor asks of payouts, of their executions and of payout accounts. */
import type { Audit } from '../../doctor/audit.ts';

const KEY = (a: string, b: string): string => `${a}.tenant_id = ${b}.tenant_id and ${a}.environment = ${b}.environment`;

export const payoutsAudits: readonly Audit[] = [
  {
    id: 'I-6',
    title: 'a commission is being paid, or paid, exactly when one live payout is',
    sql: `select l.tenant_id, l.environment, l.id as line_id, l.status, p.id as payout_id, p.status as payout_status
          from commission_line l
          left join payout_line x on ${KEY('x', 'l')} and x.line_id = l.id and x.live
          left join payout p on ${KEY('p', 'x')} and p.id = x.payout_id
          where (l.status in ('processing', 'paid') or p.status in ('processing', 'paid')) and l.status is distinct from p.status`,
  },
  {
    // What the provider holds against it, bench and chaos tests compare.
    id: 'I-7',
    title: 'a payout ended as its last execution did, with what that left at the provider',
    sql: `select p.tenant_id, p.environment, p.id as payout_id, p.status, p.attempt, a.outcome, a.transfer_id, a.provider_payout_id,
                 a.reversal_id
          from payout p
          left join payout_attempt a on ${KEY('a', 'p')} and a.payout_id = p.id and a.attempt = p.attempt
          where (p.attempt > 0) <> (a.id is not null)
             or (p.status in ('paid', 'failed', 'returned') and a.outcome is distinct from p.status)
             or (p.status = 'processing' and (a.id is null or a.outcome is not null))
             or (p.status in ('queued', 'cancelled') and a.id is not null and a.outcome is null)
             or (p.provider_type = 'payvendor' and a.outcome = 'paid'
                 and (a.transfer_id is null or a.provider_payout_id is null or a.reversal_id is not null))
             or (p.provider_type = 'payvendor' and a.outcome in ('failed', 'returned')
                 and a.transfer_id is not null and a.reversal_id is null)`,
  },
  {
    id: 'I-12',
    title: 'a member has at most one primary payout account',
    sql: `select tenant_id, environment, member_id, count(*)::int as primaries from payout_account where is_primary
          group by 1, 2, 3 having count(*) > 1`,
  },
  {
    id: 'P-1',
    title: 'the commissions of a payout sum to it, as they stood when it took them',
    sql: `select p.tenant_id, p.environment, p.id as payout_id, p.amount_minor::text as amount, coalesce(x.sum, 0)::text as lines
          from payout p
          left join (
            select y.tenant_id, y.environment, y.payout_id, sum(y.amount_minor) as sum, count(*) as lines,
                   bool_and(y.amount_minor = l.amount_minor) as same
            from payout_line y
            left join commission_line l on ${KEY('l', 'y')} and l.id = y.line_id
            left join payout o on ${KEY('o', 'y')} and o.id = y.payout_id
              and o.member_id = l.beneficiary_id and o.currency = l.currency
            group by 1, 2, 3 having count(o.id) = count(*)) x on ${KEY('x', 'p')} and x.payout_id = p.id
          where x.sum is distinct from p.amount_minor or p.lines_minor <> x.sum or x.lines <> p.line_count or x.same is not true`,
  },
  {
    id: 'P-2',
    title: 'a payout holds its commissions until it is cancelled, has failed or came back',
    sql: `select x.tenant_id, x.environment, x.payout_id, x.line_id, x.live, p.status
          from payout_line x join payout p on ${KEY('p', 'x')} and p.id = x.payout_id
          where x.live <> (p.status in ('queued', 'processing', 'paid'))`,
  },
  {
    id: 'P-3',
    title: 'each execution of a payout has posted what it did, and nothing else has moved money out',
    sql: `with due as (
            select a.tenant_id, a.environment, a.id as cause_id, m.cause_type, p.member_id, p.currency, s.account,
                   s.sign * p.amount_minor as sum
            from payout_attempt a join payout p on ${KEY('p', 'a')} and p.id = a.payout_id
            join (values ('payout_processing', null, 'member:cleared', 'member:processing'),
                         ('payout_paid', 'paid', 'member:processing', 'member:paid_out'),
                         ('payout_failed', 'failed', 'member:processing', 'member:cleared'),
                         ('payout_returned', 'returned', 'member:paid_out', 'member:cleared')) m(cause_type, outcome, from_account, to_account)
              on m.outcome is null or m.outcome = a.outcome or (m.outcome = 'paid' and a.outcome = 'returned')
            cross join lateral (values (m.from_account, -1), (m.to_account, 1)) s(account, sign)),
          posted as (
            select j.tenant_id, j.environment, j.cause_id, j.cause_type, p.member_id, p.currency, p.account, sum(p.amount_minor) as sum
            from journal_entry j join posting p on ${KEY('p', 'j')} and p.journal_id = j.id
            where starts_with(j.cause_type, 'payout_') or p.account in ('member:processing', 'member:paid_out')
            group by 1, 2, 3, 4, 5, 6, 7)
          select tenant_id, environment, cause_type, cause_id, member_id, currency, account, due.sum::text as due, posted.sum::text as posted
          from due full join posted using (tenant_id, environment, cause_id, cause_type, member_id, currency, account)
          where coalesce(due.sum, 0) <> coalesce(posted.sum, 0)`,
  },
  {
    id: 'P-4',
    title: 'no run is over while one of its payouts is not',
    sql: `select r.tenant_id, r.environment, r.id as payout_run_id, r.status, count(*)::int as open
          from payout_run r join payout p on ${KEY('p', 'r')} and p.payout_run_id = r.id
          where r.status in ('completed', 'partially_failed', 'cancelled') and p.status in ('queued', 'processing')
          group by 1, 2, 3, 4`,
  },
  {
    id: 'P-5',
    title: 'of an erased member bank details are held for what is owed or being paid, and for nothing else',
    sql: `select a.tenant_id, a.environment, a.id as payout_account_id, a.status, a.is_primary
          from payout_account a join member m on ${KEY('m', 'a')} and m.id = a.member_id
          where m.erased_at is not null
            and (a.status <> 'deactivated'
                 or a.bank_sealed is not null and a.kept_check_at is null and not exists (
                   select from payout p where ${KEY('p', 'a')} and p.payout_account_id = a.id and p.status = 'processing'))
             or m.erased_at is null and a.kept_check_at is not null`,
  },
  {
    id: 'P-6',
    title: 'payouts are not frozen (docs/coming-back.md)',
    sql: `select s.reason, f.remembered_at from payout_freeze_state() s cross join payout_freeze f`,
  },
];
