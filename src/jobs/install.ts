/** The jobs' tables and queues. Run by the schema owner as a part of `migrate`; nobody else may change them. */
import { PgBoss } from 'pg-boss';
import { DEAD_LETTERS, type JobDeclaration } from './declarations.ts';

/** pg-boss asks for 10 at least. Refreshed three times as often (leases.ts). */
const HEARTBEAT_SECONDS = 10;
/** With the back-off of the first ten repeats, about 20 minutes pass before a job becomes a dead letter. */
const RETRY_LIMIT = 10;
const LONGEST_BACK_OFF_SECONDS = 300;
const LONGEST_RUN_SECONDS = 900;
/** pg-boss would delete what nobody has fetched for two weeks. A job is never lost: ten years. */
const KEPT_UNDONE_SECONDS = 3650 * 86_400;
const KEPT_DONE_SECONDS = 7 * 86_400;

/** Safe to repeat: brings the schema, the queues and the rights up to date. */
export async function installJobs(ownerUrl: string, jobs: readonly JobDeclaration[]): Promise<void> {
  const boss = new PgBoss({ connectionString: ownerUrl, max: 1, supervise: false, schedule: false });
  boss.on('error', () => undefined); // also thrown to the caller below
  await boss.start();
  try {
    const kept = { retentionSeconds: KEPT_UNDONE_SECONDS, deleteAfterSeconds: KEPT_DONE_SECONDS };
    await boss.createQueue(DEAD_LETTERS, kept);
    for (const { name, kind, retryLimit = RETRY_LIMIT, longestSeconds = LONGEST_RUN_SECONDS } of jobs) {
      const options = {
        ...kept,
        retryLimit,
        retryDelay: 1,
        retryBackoff: true,
        retryDelayMax: LONGEST_BACK_OFF_SECONDS,
        expireInSeconds: longestSeconds,
        ...(kind === 'leased' && { heartbeatSeconds: HEARTBEAT_SECONDS }),
        deadLetter: DEAD_LETTERS,
      };
      await boss.createQueue(name, options);
      await boss.updateQueue(name, options);
    }
    await boss.getDb().executeSql(INDEXES + RIGHTS);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/**
 * The active jobs, for stale leases; and the jobs to do by tenant, in the order that each tenant's are taken, without
 * which each taking sorts all that wait. The last is for workers of the release before, which take them whosever they
 * are. pg-boss leaves indexes alone that it does not know.
 */
const INDEXES = `
  create index if not exists job_common_active_idx on pgboss.job_common (name) where state = 'active';
  create index if not exists job_common_tenant_idx
    on pgboss.job_common (name, coalesce(data->>'tenantId', ''), priority desc, created_on, id)
    where state < 'active' and not blocked;
  create index if not exists job_common_next_idx on pgboss.job_common (name, priority desc, created_on, id)
    where state < 'active' and not blocked;`;

/** The service and the worker enqueue and work; neither makes or changes a table, a queue or a function. */
const RIGHTS = `
  revoke all on all functions in schema pgboss from public;
  grant usage on schema pgboss to svc_app, svc_worker, svc_admin;
  grant select, insert, update, delete on pgboss.job, pgboss.job_common to svc_app, svc_worker;
  grant select, update on pgboss.queue to svc_app, svc_worker;
  grant select on pgboss.version to svc_app, svc_worker;
  grant select, delete on pgboss.job_dependency to svc_app, svc_worker;
  grant select on pgboss.job, pgboss.job_common, pgboss.queue to svc_admin;`;
