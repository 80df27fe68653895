/** What a manual commission event is decided on. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

export interface ManualFacts {
  knownEventId: string | null;
  memberExists: boolean;
  now: Date;
  occurredAt: Date;
  /** When the plan in force lets a line of this time clear. */
  clearsAt: Date;
  /** The member's cleared balance in the event's currency. */
  clearedMinor: bigint;
}

interface ManualRow {
  known_event_id: string | null;
  member_exists: boolean;
  now: Date;
  occurred_at: Date;
  clears_at: Date;
  cleared: bigint;
}

/** Of several plans the one in force of the highest priority decides the holding. */
const manualFacts = prepared<
  ManualRow,
  [string, string, externalEventId: string, userId: string, currency: string, occurredAt: string | null]
>(
  'events_manual_facts',
  `with clock as (
     select c.now, coalesce($6::timestamptz, c.now) as occurred_at
     from (select case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end as now) c),
   version as (
     select distinct on (v.plan_id) v.id, v.effective_from, v.effective_to, v.definition from commission_plan_version v
     where v.tenant_id = $1 and v.environment = $2 and v.effective_from <= (select occurred_at from clock)
     order by v.plan_id, v.effective_from desc, v.id desc),
   holding as (
     select (v.definition -> 'holding' ->> 'days')::int as days from version v cross join clock
     where v.effective_to is null or v.effective_to > clock.occurred_at
     order by coalesce((v.definition -> 'scope' ->> 'priority')::int, 0) desc, v.effective_from desc, v.id desc limit 1)
   select (select e.id from event e where e.tenant_id = $1 and e.environment = $2 and e.external_event_id = $3) as known_event_id,
          exists (select from member m where m.tenant_id = $1 and m.environment = $2 and m.id = $4) as member_exists,
          clock.now, clock.occurred_at,
          case when coalesce(h.days, 0) = 0 then clock.occurred_at
               else start_of_local_day((clock.occurred_at at time zone t.reporting_time_zone)::date + h.days + 1, t.reporting_time_zone)
          end as clears_at,
          coalesce((select sum(p.amount_minor) from posting p
                    where p.tenant_id = $1 and p.environment = $2 and p.member_id = $4 and p.currency = $5
                      and p.account = 'member:cleared'), 0)::bigint as cleared
   from clock join tenant t on t.id = $1 left join holding h on true`,
);

export async function readManualFacts(
  db: Db,
  scope: Scope,
  query: { externalEventId: string; userId: string; currency: string; occurredAt: string | null },
): Promise<ManualFacts> {
  const row = await db.row(
    manualFacts(scope.tenantId, scope.environment, query.externalEventId, query.userId, query.currency, query.occurredAt),
  );
  if (!row) throw new Error('the tenant vanished');
  return {
    knownEventId: row.known_event_id,
    memberExists: row.member_exists,
    now: row.now,
    occurredAt: row.occurred_at,
    clearsAt: row.clears_at,
    clearedMinor: row.cleared,
  };
}
