/** What it takes to read a whole ledger in ranges of journals. */
import { raw, statement, unscopedStatement } from '../../db/query.ts';
import { ofTenant } from '../../db/tenant-condition.ts';

/**
 * For the rest of the transaction. Parameters are ranges, and a plan made without knowing how wide they
 * are takes twice as long; without the lower set-up cost parts of this size would not be read in parallel;
 * postings come from their key in the order they are hashed in, not from a bitmap to be sorted; and a
 * planner that knows nothing of a new table yet would compare each row with each other.
 */
export const tuneForRanges = unscopedStatement<unknown>('ledger_tune_for_ranges', () =>
  raw(`select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('parallel_setup_cost', '100', true),
          set_config('work_mem', '16MB', true), set_config('enable_nestloop', 'off', true), set_config('enable_bitmapscan', 'off', true)`),
);

/** Ids of journals after `after`, each with about `postings` postings from one to the next; null is the end of the ledger. */
export const nextJournals = statement<{ id: string | null }, { after: string; postings: number; count: number }>(
  'ledger_next_journals',
  ({ after, postings, count }) =>
    raw(
      `with recursive step as (
     select 1 as n, (
       select p.journal_id from posting p where ${ofTenant('p')} and p.journal_id > :after
       order by p.journal_id, p.seq offset :postings limit 1) as id
     union all
     select step.n + 1, (
       select p.journal_id from posting p where ${ofTenant('p')} and p.journal_id > step.id
       order by p.journal_id, p.seq offset :postings limit 1)
     from step where step.n < :count::int and step.id is not null)
   select id from step order by n`,
      { after, postings, count },
    ),
);
