/** The queues as operators see them, as svc_admin. */
import { raw, unscopedStatement } from '../db/query.ts';

export const countJobs = unscopedStatement<{ queue: string; state: string; jobs: number; oldest: Date }>(
  'operator_count_jobs',
  () =>
    raw(`select name as queue, state::text, count(*)::int as jobs, min(created_on) as oldest from pgboss.job
   group by name, state order by name, state`),
);

/** Those nobody has dealt with, the oldest first. */
export const listDeadLetters = unscopedStatement<{
  id: string;
  job: string;
  tenantId: string;
  environment: string;
  failedAt: Date;
  attempts: number;
  error: string;
}>('operator_dead_letters', () =>
  raw(`select id, source_name as job, data->>'tenantId' as "tenantId", data->>'environment' as environment, created_on as "failedAt",
          source_retry_count + 1 as attempts, coalesce(output->>'message', output->'value'->>'message', '') as error
   from pgboss.job where name = 'dead-letters' and state = 'created' order by created_on limit 1000`),
);
