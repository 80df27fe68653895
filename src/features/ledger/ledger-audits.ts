/** What the doctor asks of the ledger and of its sealed blocks. */
import type { Audit } from '../../doctor/audit.ts';

export const ledgerAudits: readonly Audit[] = [
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
    id: 'L-8',
    title: 'the totals of the ledger are the sums of the postings in sealed blocks',
    sql: `select tenant_id, environment, currency, account, t.amount_minor::text as total, coalesce(s.sum, 0)::text as sum
          from ledger_total t
          full join (
            select tenant_id, environment, x.currency, x.account, sum(x.amount_minor) as sum
            from ledger_block_entry e join posting x using (tenant_id, environment, journal_id) group by 1, 2, 3, 4) s
            using (tenant_id, environment, currency, account)
          where coalesce(t.amount_minor, 0) <> coalesce(s.sum, 0)`,
  },
];
