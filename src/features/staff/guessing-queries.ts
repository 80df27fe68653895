/** Failed attempts, in SQL. Times are the database's. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';

interface Attempt {
  subject: Buffer;
  free: number;
  longest: number;
}

/** Quiet for a day, everything is forgotten. */
const FRESH = "f.last_at > now() - interval '1 day'";

const take = statement<{ failures: number }, Attempt>('staff_failure_take', ({ subject, free, longest }) =>
  raw(
    `insert into staff_failure as f (tenant_id, environment, subject, failures)
     values (:tenantId, :environment, :subject, 1)
     on conflict (tenant_id, environment, subject) do update set
       failures = case when ${FRESH} then f.failures + 1 else 1 end,
       last_at = now(),
       blocked_until = case when ${FRESH} and f.failures + 1 >= :free
         then now() + make_interval(secs => least(power(2, least(f.failures + 1 - :free, 30)), :longest)) end
     where f.blocked_until is null or f.blocked_until <= now()
     returning f.failures`,
    { subject, free, longest },
  ),
);

const wait = statement<{ seconds: number }, { subject: Buffer }>('staff_failure_wait', ({ subject }) =>
  raw(
    `select greatest(1, ceil(extract(epoch from f.blocked_until - now())))::int as seconds from staff_failure f
     where ${ofTenant('f')} and f.subject = :subject`,
    { subject },
  ),
);

/**
 * Counts an attempt as failed before it is looked at; how many there were with this one. Undefined, and nothing counted,
 * while none is looked at.
 */
export async function takeAttempt(db: Db, scope: Scope, attempt: Attempt): Promise<number | undefined> {
  return (await db.row(take(scope, attempt)))?.failures;
}

/** For how many seconds more none is looked at. */
export async function secondsToWait(db: Db, scope: Scope, subject: Buffer): Promise<number> {
  return (await db.row(wait(scope, { subject })))?.seconds ?? 1;
}

const failure = tenantTable('staff_failure');

const forget = statement<unknown, { subject: Buffer }>('staff_failure_forget', ({ subject }) =>
  failure('f').where('f.subject', subject).delete(),
);

export async function forgetFailures(db: Db, scope: Scope, subject: Buffer): Promise<void> {
  await db.rows(forget(scope, { subject }));
}
