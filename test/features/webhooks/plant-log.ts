/** An endpoint with numbered events and their deliveries, as a sender would have left them. */
import type { Scope } from '../../../src/db/scope.ts';
import type { TestApp } from '../../support/app/test-app.ts';
import { plantEndpoint } from '../../support/webhooks/plant-webhooks.ts';

export interface PlantedLog {
  endpointId: string;
  /** In the order of their numbers. */
  eventIds: string[];
  /** Of the events, in the same order: the first delivered, the second failed, the third waiting for its next attempt. */
  deliveryIds: string[];
}

export const HOOK = 'https://hooks.example/matrix';

export async function plantLog(
  app: Pick<TestApp, 'database' | 'config'>,
  scope: Scope,
  { objectId = 'planted-object', type = 'member.created', data = { name: 'Planted' } } = {},
): Promise<PlantedLog> {
  const endpoint = await plantEndpoint(app, scope, { url: HOOK, eventTypes: ['member.*'] });
  const rows = await app.database.asSuperuser<{ event_id: string; delivery_id: string }>(
    `with given as (
       insert into outgoing_head (tenant_id, environment, sequence) values ($1, $2, 3)
       on conflict (tenant_id, environment) do update set sequence = outgoing_head.sequence + 3
       returning sequence - 3 as before),
     told as materialized (
       select n, uuidv7() as id, uuidv7() as delivery_id,
         (array['delivered', 'failed', 'waiting'])[n] as status from generate_series(1, 3) n),
     events as (
       insert into outgoing_event (tenant_id, environment, id, type, occurred_at, object_id, object_version, actor, data)
       select $1, $2, t.id, $5, now(), $4, t.n, 'operator', $6::json from told t),
     numbered as (
       insert into outgoing_sequence (tenant_id, environment, sequence, event_id)
       select $1, $2, g.before + t.n, t.id from told t cross join given g),
     sent as (
       insert into webhook_delivery (tenant_id, environment, id, endpoint_id, event_id, status, attempt_count, tries, next_at, settled_at)
       select $1, $2, t.delivery_id, $3, t.id, t.status, 1, 1, case t.status when 'waiting' then now() + interval '1 hour' end,
         case when t.status <> 'waiting' then now() end
       from told t),
     tried as (
       insert into webhook_attempt (tenant_id, environment, delivery_id, number, at, ms, status, fault, answer)
       select $1, $2, t.delivery_id, 1, now(), 12, case t.status when 'delivered' then 200 else 500 end,
         case when t.status <> 'delivered' then 'status' end, 'heard of Planted' from told t),
     woken as (
       update webhook_endpoint set next_at = now() + interval '1 hour' where id = $3)
     select id as event_id, delivery_id from told order by n`,
    [scope.tenantId, scope.environment, endpoint.id, objectId, type, JSON.stringify(data)],
  );
  return {
    endpointId: endpoint.id,
    eventIds: rows.map(({ event_id }) => event_id),
    deliveryIds: rows.map(({ delivery_id }) => delivery_id),
  };
}
