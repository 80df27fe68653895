/** The sandbox clock and the erasure of a SANDBOX in SQL. */
import { raw, statement, unscopedStatement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';

export interface ClockReading {
  now: Date;
  frozen: boolean;
}

export const readClockStatement = statement<ClockReading>('sandbox_read_clock', () =>
  raw(`select scope_now(:tenantId, :environment) as now,
          exists (select from sandbox_clock c
                  where ${ofTenant('c')} and c.frozen_at is not null) as frozen`),
);

/**
 * One statement, so that of concurrent advances each counts. No reading may pass the year 9999: a
 * frozen clock is stopped there, a running one a century before, for it will go on.
 */
const advanceStatement = statement<ClockReading, { seconds: number }>('sandbox_advance_clock', ({ seconds }) =>
  raw(
    `insert into sandbox_clock (tenant_id, environment, ahead) values (:tenantId, :environment, make_interval(secs => :seconds))
   on conflict (tenant_id, environment) do update
     set frozen_at = sandbox_clock.frozen_at + excluded.ahead, ahead = sandbox_clock.ahead + excluded.ahead, updated_at = now()
     where sandbox_clock.frozen_at + excluded.ahead < '10000-01-01Z'
        or now() + sandbox_clock.ahead + excluded.ahead < '9900-01-01Z'
   returning coalesce(frozen_at, now() + ahead) as now, frozen_at is not null as frozen`,
    { seconds },
  ),
);

/** Undefined when the clock would pass its end. */
export async function advanceClock(db: Db, scope: Scope, seconds: number): Promise<ClockReading | undefined> {
  return db.row(advanceStatement(scope, { seconds }));
}

/** The condition is asked twice: of the clock that is seen, and of one that was moved meanwhile. */
const freezeStatement = statement<ClockReading, { at: Date }>('sandbox_freeze_clock', ({ at }) =>
  raw(
    `insert into sandbox_clock (tenant_id, environment, frozen_at)
   select :tenantId, :environment, :at::timestamptz where :at::timestamptz >= scope_now(:tenantId, :environment)
   on conflict (tenant_id, environment) do update set frozen_at = excluded.frozen_at, ahead = null, updated_at = now()
     where excluded.frozen_at >= coalesce(sandbox_clock.frozen_at, now() + sandbox_clock.ahead)
   returning frozen_at as now, true as frozen`,
    { at },
  ),
);

/** Undefined when `at` is before the clock's reading. */
export async function freezeClock(db: Db, scope: Scope, at: Date): Promise<ClockReading | undefined> {
  return db.row(freezeStatement(scope, { at }));
}

const allowTime = unscopedStatement<unknown>('sandbox_allow_time', () => raw("set local statement_timeout = '60s'"));

const eraseStatement = unscopedStatement<{ events: bigint; members: bigint; now: Date }>('sandbox_erase', () =>
  raw(`select e.events, e.members, now() as now from erase_sandbox() e`),
);

/** Erases the frame's SANDBOX but for its API keys and Idempotency-Keys; the transaction must be alone in the scope. */
export async function eraseSandbox(db: Db): Promise<{ events: bigint; members: bigint; now: Date }> {
  const [, row] = await Promise.all([db.rows(allowTime()), db.row(eraseStatement())]);
  if (!row) throw new Error('an erasure has no counts');
  return row;
}
