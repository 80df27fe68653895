/** The sandbox clock and the erasure of a SANDBOX in SQL. */
import type { Db, Scope, WriteDb } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

export interface ClockReading {
  now: Date;
  frozen: boolean;
}

export const readClockStatement = prepared<ClockReading, [string, string]>(
  'sandbox_read_clock',
  `select scope_now($1, $2) as now,
          exists (select from sandbox_clock c
                  where c.tenant_id = $1 and c.environment = $2 and c.frozen_at is not null) as frozen`,
);

/**
 * One statement, so that of concurrent advances each counts. No reading may pass the year 9999: a
 * frozen clock is stopped there, a running one a century before, for it will go on.
 */
const advanceStatement = prepared<ClockReading, [string, string, seconds: number]>(
  'sandbox_advance_clock',
  `insert into sandbox_clock (tenant_id, environment, ahead) values ($1, $2, make_interval(secs => $3))
   on conflict (tenant_id, environment) do update
     set frozen_at = sandbox_clock.frozen_at + excluded.ahead, ahead = sandbox_clock.ahead + excluded.ahead, updated_at = now()
     where sandbox_clock.frozen_at + excluded.ahead < '10000-01-01Z'
        or now() + sandbox_clock.ahead + excluded.ahead < '9900-01-01Z'
   returning coalesce(frozen_at, now() + ahead) as now, frozen_at is not null as frozen`,
);

/** The frame's last statement. Undefined when the clock would pass its end. */
export async function advanceClock(db: WriteDb, scope: Scope, seconds: number): Promise<ClockReading | undefined> {
  return db.lastRow(advanceStatement(scope.tenantId, scope.environment, seconds));
}

/** The condition is asked twice: of the clock that is seen, and of one that was moved meanwhile. */
const freezeStatement = prepared<ClockReading, [string, string, at: Date]>(
  'sandbox_freeze_clock',
  `insert into sandbox_clock (tenant_id, environment, frozen_at)
   select $1, $2, $3::timestamptz where $3::timestamptz >= scope_now($1, $2)
   on conflict (tenant_id, environment) do update set frozen_at = excluded.frozen_at, ahead = null, updated_at = now()
     where excluded.frozen_at >= coalesce(sandbox_clock.frozen_at, now() + sandbox_clock.ahead)
   returning frozen_at as now, true as frozen`,
);

/** The frame's last statement. Undefined when `at` is before the clock's reading. */
export async function freezeClock(db: WriteDb, scope: Scope, at: Date): Promise<ClockReading | undefined> {
  return db.lastRow(freezeStatement(scope.tenantId, scope.environment, at));
}

const allowTime = prepared<unknown, []>('sandbox_allow_time', "set local statement_timeout = '60s'");

const eraseStatement = prepared<{ events: bigint; members: bigint; now: Date }, []>(
  'sandbox_erase',
  'select e.events, e.members, now() as now from erase_sandbox() e',
);

/** Erases the frame's SANDBOX but for its API keys and Idempotency-Keys; the transaction must be alone in the scope. */
export async function eraseSandbox(db: Db): Promise<{ events: bigint; members: bigint; now: Date }> {
  const [, row] = await Promise.all([db.rows(allowTime()), db.row(eraseStatement())]);
  if (!row) throw new Error('an erasure has no counts');
  return row;
}
