/**
 * What pg-boss has no statement for: leases that know whose they are, and the state of the queues.
 * A job's attempt number is its fence: it grows each time the job is fetched, so a worker that was
 * away too long finds that its lease is gone, and cannot end another worker's run.
 */
import { prepared } from '../db/statement.ts';

/** Those of the queues that have a job to do now. Jobs another worker holds in its transaction count too. */
export const listReadyQueues = prepared<{ name: string }, [names: string[]]>(
  'job_ready_queues',
  `select q.name from unnest($1::text[]) q(name)
   where exists (select from pgboss.job_common j
                 where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now())`,
);

export const refreshLease = prepared<{ id: string }, [name: string, id: string, retryCount: number]>(
  'job_refresh_lease',
  `update pgboss.job_common set heartbeat_on = now()
   where name = $1 and id = $2 and state = 'active' and retry_count = $3
   returning id`,
);

/** Locks the job, if the lease is still the caller's. */
export const holdLease = prepared<{ id: string }, [name: string, id: string, retryCount: number]>(
  'job_hold_lease',
  `select id from pgboss.job_common where name = $1 and id = $2 and state = 'active' and retry_count = $3 for update`,
);

/** Locks one job whose worker has not been heard of, or has taken too long. */
export const takeStaleLease = prepared<{ id: string; name: string; heard: boolean }, []>(
  'job_take_stale_lease',
  `select id, name, coalesce(heartbeat_on + heartbeat_seconds * interval '1 second' >= now(), true) as heard
   from pgboss.job_common
   where state = 'active' and (heartbeat_on + heartbeat_seconds * interval '1 second' < now()
                               or started_on + expire_seconds * interval '1 second' < now())
   limit 1 for update skip locked`,
);

/** Counts an attempt whose transaction broke and took the count back with it; not when the next one runs already. */
export const countBrokenAttempt = prepared<{ id: string }, [name: string, id: string]>(
  'job_count_broken_attempt',
  `update pgboss.job_common
   set retry_count = retry_count + (started_on is not null)::int, started_on = now()
   where name = $1 and id in (
     select id from pgboss.job_common where name = $1 and id = $2 and state < 'active' for update skip locked)
   returning id`,
);

/** Whether the tables are there at all, whatever the role may see. */
export const jobTables = prepared<{ present: boolean }, []>(
  'job_tables',
  `select exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
                  where n.nspname = 'pgboss' and c.relname = 'queue') as present`,
);

export const listQueues = prepared<{ name: string }, []>('job_queues', 'select name from pgboss.queue order by name');
