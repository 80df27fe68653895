/** The books of a currency as an approver of a run has to see them. The sum of the ledger is of all postings, however old. */
import { raw, replanned } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';

export interface BooksOfRun {
  runMinor: bigint;
  blockedMinor: bigint;
  elsewhereMinor: bigint;
  laterMinor: bigint;
  /** All commissions of the currency that are cleared. */
  clearedMinor: bigint;
  /** Commissions that queued payouts have taken, of the run and of others, by what the payouts consume. */
  takenMinor: bigint;
  ledgerMinor: bigint;
  /** Members with something cleared that is below zero, also such as a payout has taken. */
  owingIds: string[];
  /** Members of whom the ledger has less than the run would pay; none is looked for while the whole ledger agrees with the lines. */
  shortIds: string[];
  /** Queued payouts of the run whose amount is not that of their commissions. */
  mispricedIds: string[];
}

const books = replanned<BooksOfRun, { runId: string; currency: string; cutoff: Date }>(({ runId, currency, cutoff }) =>
  raw(
    // What a payout says and what it consumes are two records: neither stands for the other.
    `with drafted as (
     select p.id, p.payout_run_id is not distinct from :runId as own, p.amount_minor,
            coalesce(p.lines_minor, (
              select coalesce(sum(c.amount_minor), 0) from payout_line c where ${ofTenant('c')} and c.payout_id = p.id and c.live)::bigint) as taken
     from payout p
     where ${ofTenant('p')} and p.currency = :currency and p.status = 'queued'),
   queued as (
     select coalesce(sum(d.amount_minor) filter (where d.own), 0)::bigint as own,
            coalesce(sum(d.amount_minor) filter (where not d.own), 0)::bigint as others,
            coalesce(sum(d.taken), 0)::bigint as taken,
            coalesce(array_agg(d.id) filter (where d.own and d.taken <> d.amount_minor), '{}') as mispriced
     from drafted d),
   -- All that can be read from one index alone.
   line as materialized (
     select coalesce(sum(l.amount_minor), 0)::bigint as cleared,
            coalesce(sum(l.amount_minor) filter (where l.clears_at > :cutoff and l.amount_minor >= 0), 0)::bigint as later,
            coalesce(array_agg(l.beneficiary_id) filter (where l.amount_minor < 0), '{}') as owing
     from commission_line l
     where ${ofTenant('l')} and l.currency = :currency and l.status = 'cleared'),
   later as (
     select line.later - case when line.later = 0 then 0 else (
       select coalesce(sum(l.amount_minor), 0) from commission_line l
       where ${ofTenant('l')} and l.currency = :currency and l.status = 'cleared' and l.clears_at > :cutoff and l.amount_minor >= 0
         and exists (select from payout_line c where ${ofTenant('c')} and c.line_id = l.id and c.live))::bigint end as later
     from line),
   blocked as (
     select coalesce(sum(b.amount_minor), 0)::bigint as blocked from payout_block b
     where ${ofTenant('b')} and b.payout_run_id = :runId),
   posted as (
     select coalesce((
              select t.amount_minor from ledger_total t
              where ${ofTenant('t')} and t.currency = :currency and t.account = 'member:cleared'), 0)
            + coalesce((
              select sum(waiting.amount_minor) from ledger_unsealed u cross join lateral (
                select x.amount_minor from posting x
                where ${ofTenant('x')} and x.journal_id = u.journal_id and x.currency = :currency and x.account = 'member:cleared'
                offset 0) waiting
              where ${ofTenant('u')}), 0)::bigint as owed),
   -- Gone through by member only where the whole differs: an execution looks at each member it pays.
   short as (
     select case when posted.owed = line.cleared then '{}' else (
       select coalesce(array_agg(p.member_id), '{}') from payout p
       where ${ofTenant('p')} and p.payout_run_id = :runId and p.status = 'queued' and p.amount_minor > 0 and p.amount_minor > (
         select coalesce(sum(x.amount_minor), 0) from posting x
         where ${ofTenant('x')} and x.member_id = p.member_id and x.currency = :currency and x.account = 'member:cleared')) end as ids
     from posted cross join line)
   select queued.own as "runMinor", blocked.blocked as "blockedMinor", queued.others as "elsewhereMinor",
          later.later as "laterMinor", line.cleared as "clearedMinor", queued.taken as "takenMinor",
          posted.owed as "ledgerMinor", line.owing as "owingIds", short.ids as "shortIds", queued.mispriced as "mispricedIds"
   from queued cross join line cross join later cross join blocked cross join posted cross join short`,
    { runId, currency, cutoff },
  ),
);

/** What a currency's books have of a run, of the others, and of what no run has. */
export async function readBooks(
  db: Db,
  scope: Scope,
  run: { runId: string; currency: string; cutoff: Date },
): Promise<BooksOfRun> {
  const row = await db.row(books(scope, run));
  if (!row) throw new Error('the books gave no row');
  return row;
}
