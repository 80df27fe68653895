/**
 * What pg-boss has no statement for: leases that know whose they are, and the state of the queues.
 * A job's attempt number is its fence: it grows each time the job is fetched, so a worker that was
 * away too long finds that its lease is gone, and cannot end another worker's run.
 */
import { knex, type Places, raw, unscopedStatement } from '../db/query.ts';

/** Whose a job is; '' of one without a scope. An index has it, so that neither statement below reads all that wait. */
const TENANT = "coalesce(j.data->>'tenantId', '')";
/** Not done and not begun; the job may still have to wait for its time. */
const WAITS = "j.state < 'active' and not j.blocked";

/**
 * The queues of `names` that have a job to do now, by tenant. It is one look into the index for each of them, however
 * many jobs a tenant has. Jobs that another worker holds in its transaction count too.
 */
export const listReadyQueues = unscopedStatement<{ name: string; tenantId: string }, { names: string[] }>(
  'job_ready_queues',
  ({ names }) =>
    raw(
      `with recursive waiting as (
     select q.name, first.tenant from unnest(:names::text[]) q(name) cross join lateral (
       select ${TENANT} as tenant from pgboss.job_common j
       where j.name = q.name and ${WAITS} order by ${TENANT} limit 1) first
     union all
     select w.name, next.tenant from waiting w cross join lateral (
       select ${TENANT} as tenant from pgboss.job_common j
       where j.name = w.name and ${TENANT} > w.tenant and ${WAITS} order by ${TENANT} limit 1) next)
   select w.name, w.tenant as "tenantId" from waiting w
   where exists (select from pgboss.job_common j
                 where j.name = w.name and ${TENANT} = w.tenant and ${WAITS} and j.start_after <= now())`,
      { names },
    ),
);

export interface TakenRow {
  id: string;
  data: object;
  retryCount: number;
  retryLimit: number;
}

/** Takes a tenant's next job of a queue, as pg-boss's own fetch does, which knows no tenants. */
export const takeNext = unscopedStatement<TakenRow, { name: string; tenantId: string }>('job_take_next', ({ name, tenantId }) =>
  raw(
    `update pgboss.job_common taken
   set state = 'active', started_on = now(), heartbeat_on = now(),
       retry_count = taken.retry_count + (taken.started_on is not null)::int
   where taken.name = :name and taken.id = (
     select j.id from pgboss.job_common j
     where j.name = :name and ${TENANT} = :tenantId and ${WAITS} and j.start_after <= now()
     order by j.priority desc, j.created_on, j.id limit 1 for update skip locked)
   returning taken.id, taken.data, taken.retry_count as "retryCount", taken.retry_limit as "retryLimit"`,
    { name, tenantId },
  ),
);

interface Lease {
  name: string;
  id: string;
  retryCount: number;
}

const lease = ({ name, id, retryCount }: Places<Lease>) =>
  knex('pgboss.job_common').where({ name, id, state: 'active', retry_count: retryCount });

export const refreshLease = unscopedStatement<{ id: string }, Lease>('job_refresh_lease', (places) =>
  lease(places)
    .update({ heartbeat_on: raw('now()') })
    .returning('id'),
);

/** Locks the job, if the lease is still the caller's. */
export const holdLease = unscopedStatement<{ id: string }, Lease>('job_hold_lease', (places) =>
  lease(places).select('id').forUpdate(),
);

/** Locks one job whose worker has not been heard of, or has taken too long. */
export const takeStaleLease = unscopedStatement<{ id: string; name: string; heard: boolean }>('job_take_stale_lease', () =>
  raw(`select id, name, coalesce(heartbeat_on + heartbeat_seconds * interval '1 second' >= now(), true) as heard
   from pgboss.job_common
   where state = 'active' and (heartbeat_on + heartbeat_seconds * interval '1 second' < now()
                               or started_on + expire_seconds * interval '1 second' < now())
   limit 1 for update skip locked`),
);

/** Counts an attempt whose transaction broke and took the count back with it; not when the next one runs already. */
export const countBrokenAttempt = unscopedStatement<{ id: string }, { name: string; id: string }>(
  'job_count_broken_attempt',
  ({ name, id }) =>
    raw(
      `update pgboss.job_common
   set retry_count = retry_count + (started_on is not null)::int, started_on = now()
   where name = :name and id in (
     select id from pgboss.job_common where name = :name and id = :id and state < 'active' for update skip locked)
   returning id`,
      { name, id },
    ),
);

/** Whether the tables are there at all, whatever the role may see. */
export const jobTables = unscopedStatement<{ present: boolean }>('job_tables', () =>
  raw(`select exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
                  where n.nspname = 'pgboss' and c.relname = 'queue') as present`),
);

export const listQueues = unscopedStatement<{ name: string }>('job_queues', () =>
  knex('pgboss.queue').orderBy('name').select('name'),
);
