/** Whether all events are written down, in SQL. Without a row: in SANDBOX, and in LIVE once there was an endpoint. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';

const read = statement<{ said: boolean | null; unsaid: boolean }>('webhooks_read_settings', () =>
  raw(
    `select (select s.event_log from webhook_settings s where ${ofTenant('s')}) as said,
       :environment = 'SANDBOX' or exists (select from webhook_endpoint e where ${ofTenant('e')}) as unsaid`,
  ),
);

/** What the tenant has said, or null, and what holds. */
export async function readEventLog(db: Db, scope: Scope): Promise<{ said: boolean | null; holds: boolean }> {
  const { said, unsaid } = (await db.row(read(scope))) ?? { said: null, unsaid: false };
  return { said, holds: said ?? unsaid };
}

const store = statement<unknown, { eventLog: boolean }>('webhooks_store_settings', ({ eventLog }) =>
  tenantTable('webhook_settings')('s')
    .insert({ event_log: eventLog })
    // One row a scope.
    .onConflict([])
    .merge(['event_log']),
);

export async function storeEventLog(db: Db, scope: Scope, eventLog: boolean): Promise<void> {
  await db.rows(store(scope, { eventLog }));
}
