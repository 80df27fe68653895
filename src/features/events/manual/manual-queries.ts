/** What a manual commission event is decided on. */
import type { NamedActor } from '../../../actor.ts';
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant, theTenant } from '../../../db/tenant-condition.ts';
import { namedActor } from '../../audit/open/named-actor.ts';
import type { ManualLimits } from '../../commissions/open/manual-limits.ts';

export interface ManualFacts {
  knownEventId: string | null;
  memberExists: boolean;
  now: Date;
  occurredAt: Date;
  /** When the plan in force lets a line of this time clear. */
  clearsAt: Date;
  /** The member's cleared balance in the event's currency. */
  clearedMinor: bigint;
  /** Whoever records it, with the name. */
  createdBy: NamedActor;
  /** What the settings name for the event's currency. */
  limits: ManualLimits;
}

interface ManualRow {
  known_event_id: string | null;
  member_exists: boolean;
  now: Date;
  occurred_at: Date;
  clears_at: Date;
  cleared: bigint;
  created_by: NamedActor;
  limit_minor: bigint | null;
  second_pair_minor: bigint | null;
}

/**
 * The plan in force of the highest priority decides the holding. One for types of sales alone says nothing of what is no
 * sale: it has a say only where all plans are such.
 */
const manualFacts = statement<
  ManualRow,
  { externalEventId: string; userId: string; currency: string; occurredAt: string | null; actor: string }
>('events_manual_facts', ({ externalEventId, userId, currency, occurredAt, actor }) =>
  raw(
    `with clock as (
     select c.now, coalesce(:occurredAt::timestamptz, c.now) as occurred_at
     from (select ${SCOPE_NOW} as now) c),
   version as (
     select distinct on (v.plan_id) v.id, v.effective_from, v.effective_to, v.definition from commission_plan_version v
     where ${ofTenant('v')} and v.effective_from <= (select occurred_at from clock)
     order by v.plan_id, v.effective_from desc, v.id desc),
   holding as (
     select (v.definition -> 'holding' ->> 'days')::int as days from version v cross join clock
     where v.effective_to is null or v.effective_to > clock.occurred_at
     order by jsonb_typeof(v.definition -> 'scope' -> 'types') is not distinct from 'array', coalesce((v.definition -> 'scope' ->> 'priority')::int, 0) desc, v.effective_from desc, v.id desc limit 1)
   select (select e.id from event e where ${ofTenant('e')} and e.external_event_id = :externalEventId) as known_event_id,
          exists (select from member m where ${ofTenant('m')} and m.id = :userId) as member_exists,
          ${namedActor('given.actor')} as created_by,
          clock.now, clock.occurred_at,
          case when coalesce(h.days, 0) = 0 then clock.occurred_at
               else start_of_local_day((clock.occurred_at at time zone t.reporting_time_zone)::date + h.days + 1, t.reporting_time_zone)
          end as clears_at,
          coalesce((select sum(p.amount_minor) from posting p
                    where ${ofTenant('p')} and p.member_id = :userId and p.currency = :currency
                      and p.account = 'member:cleared'), 0)::bigint as cleared,
          (s.manual_limit_minor ->> :currency)::bigint as limit_minor,
          (s.manual_second_pair_minor ->> :currency)::bigint as second_pair_minor
   from clock join tenant t on ${theTenant('t')} cross join (select :actor::text as actor) given left join holding h on true
     left join commission_settings s on ${ofTenant('s')}`,
    { externalEventId, userId, currency, occurredAt, actor },
  ),
);

export async function readManualFacts(
  db: Db,
  scope: Scope,
  query: { externalEventId: string; userId: string; currency: string; occurredAt: string | null; actor: string },
): Promise<ManualFacts> {
  const row = await db.row(
    manualFacts(scope, {
      externalEventId: query.externalEventId,
      userId: query.userId,
      currency: query.currency,
      occurredAt: query.occurredAt,
      actor: query.actor,
    }),
  );
  if (!row) throw new Error('the tenant vanished');
  return {
    knownEventId: row.known_event_id,
    memberExists: row.member_exists,
    now: row.now,
    occurredAt: row.occurred_at,
    clearsAt: row.clears_at,
    clearedMinor: row.cleared,
    createdBy: row.created_by,
    limits: { limitMinor: row.limit_minor, secondPairMinor: row.second_pair_minor },
  };
}
