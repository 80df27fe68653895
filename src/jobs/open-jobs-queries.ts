/** How many jobs are still to be done, and which have failed for good. For metrics: by queue, of all tenants together. */
import { raw, unscopedStatement } from '../db/query.ts';

/** For the statements that follow in this transaction. */
export const limitStatements = unscopedStatement<unknown, { milliseconds: string }>(
  'open_jobs_limit_statements',
  ({ milliseconds }) => raw(`select set_config('statement_timeout', :milliseconds, true)`, { milliseconds }),
);

export interface OpenJobs {
  queue: string;
  /** waiting: due now; scheduled: due later; active: being done, as far as others see it. */
  state: 'waiting' | 'scheduled' | 'active';
  jobs: number;
  /** Since the first of them was due, or was begun; null for those that are not due yet. */
  ageSeconds: number | null;
}

/** A row for every queue and state; 0 jobs have the age 0. A transactional job that is being done counts as waiting. */
export const countOpenJobs = unscopedStatement<OpenJobs, { deadLetters: string }>('open_jobs_count', ({ deadLetters }) =>
  raw(
    `select q.name as queue, s.state, coalesce(o.jobs, 0)::int as jobs,
       case when s.state = 'scheduled' then null else greatest(0, coalesce(extract(epoch from now() - o.since), 0))::float8 end as "ageSeconds"
     from pgboss.queue q
     cross join unnest(array['waiting', 'scheduled', 'active']) s(state)
     left join (
       select name, case when start_after <= now() then 'waiting' else 'scheduled' end as state,
              count(*) as jobs, min(start_after) as since
       from pgboss.job_common where state < 'active' and not blocked group by 1, 2
       union all
       select name, 'active', count(*), min(started_on) from pgboss.job_common where state = 'active' group by 1
     ) o on o.name = q.name and o.state = s.state
     where q.name <> :deadLetters
     order by 1, 2`,
    { deadLetters },
  ),
);

/** By the queue that the job failed in. None when there are none. */
export const countDeadLetters = unscopedStatement<{ queue: string; letters: number }>('open_jobs_dead_letters', () =>
  raw(`select coalesce(source_name, '') as queue, count(*)::int as letters
     from pgboss.job_common where name = 'dead-letters' and state < 'active' group by 1 order by 1`),
);
