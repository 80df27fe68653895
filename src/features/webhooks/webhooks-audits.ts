/** What the doctor asks of events to tenants. */
import type { Audit } from '../../doctor/audit.ts';
import { matchesTypeSql } from './open/event-types.ts';

/** Longer than any gap between attempts, and than a receiver may ask to be left alone. */
const LONGEST_WAIT = "interval '4 days'";

/** Events are too many to be asked for all. */
const LOOKED_BACK = "interval '1 day'";

/** What is due and not tried for so long, nobody tries. */
const LATEST = "interval '1 day'";

/** So long an endpoint that was disabled may take for what waited meanwhile. */
const CATCHING_UP = "interval '30 minutes'";

/** What waits for a receiver that fails is tried slowly, and may be late: as long as it is tried at all. */
const IS_FAILING = `(e.failing_since is not null and exists (
               select from webhook_hour h
               where h.tenant_id = e.tenant_id and h.environment = e.environment and h.endpoint_id = e.id and h.failed > 0
                 and h.starts_at > now() - interval '1 day'))`;

export const webhooksAudits: readonly Audit[] = [
  {
    id: 'E-1',
    title: 'every event told to a tenant has a number or waits for one, not both, and none waits for more than ten minutes',
    sql: `select o.tenant_id, o.environment, o.id as event_id, s.sequence, u.event_id is not null as waits
          from outgoing_event o
          left join outgoing_sequence s on s.tenant_id = o.tenant_id and s.environment = o.environment and s.event_id = o.id
          left join outgoing_unsealed u on u.tenant_id = o.tenant_id and u.environment = o.environment and u.event_id = o.id
          where (s.event_id is null) = (u.event_id is null)
             or (u.event_id is not null and uuid_extract_timestamp(o.id) < now() - interval '10 minutes')`,
  },
  {
    id: 'E-2',
    title: 'the numbers of the events of a tenant have no gap, from behind what is forgotten to the last that was given',
    sql: `select tenant_id, environment, h.sequence as last, h.forgotten, s.lowest, s.highest, s.count
          from outgoing_head h
          full join (select tenant_id, environment, min(sequence) as lowest, max(sequence) as highest, count(*) as count
                     from outgoing_sequence group by 1, 2) s using (tenant_id, environment)
          where coalesce(h.sequence, 0) <> coalesce(s.highest, h.forgotten, 0)
             or coalesce(h.sequence, 0) - coalesce(h.forgotten, 0) <> coalesce(s.count, 0)
             or s.lowest <> coalesce(h.forgotten, 0) + 1`,
  },
  {
    id: 'E-3',
    title: 'every event numbered within a day has a delivery for each endpoint that has heard of its type since before',
    sql: `select s.tenant_id, s.environment, s.sequence, s.event_id, e.id as endpoint_id
          from outgoing_sequence s
          join outgoing_event o on o.tenant_id = s.tenant_id and o.environment = s.environment and o.id = s.event_id
          join webhook_endpoint e on e.tenant_id = s.tenant_id and e.environment = s.environment and e.enabled
            and e.updated_at < s.sealed_at - interval '1 minute' and e.created_at < uuid_extract_timestamp(o.id)
            and case when o.only_for is null then ${matchesTypeSql('e.event_types', 'o.type')} else o.only_for = e.id end
          where s.sealed_at > now() - ${LOOKED_BACK} and not exists (
            select from webhook_delivery d
            where d.tenant_id = s.tenant_id and d.environment = s.environment and d.event_id = s.event_id and d.endpoint_id = e.id)`,
  },
  {
    id: 'E-4',
    title:
      'every delivery that waits has an end in sight: an endpoint whose deletion is not done, an attempt within four days, and none that is a day late unless its receiver fails',
    sql: `select d.tenant_id, d.environment, d.id as delivery_id, d.next_at, e.deleted_at
          from webhook_endpoint e
          cross join lateral (select scope_now(e.tenant_id, e.environment) as now offset 0) clock
          join webhook_delivery d
            on d.tenant_id = e.tenant_id and d.environment = e.environment and d.endpoint_id = e.id and d.status = 'waiting'
          where (e.deleted_at is not null and e.cancelled_at is not null) or d.next_at > clock.now + ${LONGEST_WAIT}
             or (e.enabled and e.next_at is null and e.leased_until is null)
             or (e.enabled and e.updated_at < now() - ${CATCHING_UP} and d.next_at < clock.now - ${LATEST} and not ${IS_FAILING})`,
  },
];
