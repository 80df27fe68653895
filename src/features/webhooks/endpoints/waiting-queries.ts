/** How much waits for an endpoint, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';

const waiting = statement<{ found: boolean }, { endpointId: string; most: number }>(
  'webhooks_waits_for_more',
  ({ endpointId, most }) =>
    raw(
      `select exists (
     select from webhook_delivery d where ${ofTenant('d')} and d.endpoint_id = :endpointId and d.status = 'waiting'
     offset :most) as found`,
      { endpointId, most },
    ),
);

/** Whether more than `most` of its deliveries wait. No more than that are counted. */
export async function waitsForMore(db: Db, scope: Scope, endpointId: string, most: number): Promise<boolean> {
  return (await db.row(waiting(scope, { endpointId, most })))?.found === true;
}
