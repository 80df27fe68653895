/** Whose events are written down: kept in one row a scope, so that a write asks by one look. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { HEARD } from '../open/hearing-sql.ts';

const heard = statement<{ patterns: string[] }>('webhooks_heard', () => raw(`select ${HEARD} as patterns`));

export async function readHeard(db: Db, scope: Scope): Promise<readonly string[]> {
  return (await db.row(heard(scope)))?.patterns ?? [];
}

const lock = statement<unknown>('webhooks_lock_hearing', () =>
  raw(
    `insert into webhook_hearing (tenant_id, environment, patterns) values (:tenantId, :environment, ${HEARD})
     on conflict (tenant_id, environment) do update set patterns = webhook_hearing.patterns`,
  ),
);

const refresh = statement<unknown>('webhooks_refresh_hearing', () =>
  raw(
    `update webhook_hearing h set patterns = case
       when coalesce((select s.event_log from webhook_settings s where ${ofTenant('s')}),
                     :environment = 'SANDBOX' or exists (select from webhook_endpoint any_one where ${ofTenant('any_one')}))
         then array['*']
       else array(select distinct unnest(e.event_types) from webhook_endpoint e
                  where ${ofTenant('e')} and e.deleted_at is null and e.enabled order by 1) end
     where ${ofTenant('h')}`,
  ),
);

/** To be called behind every change of endpoints, and of the setting of the log. Changes at once wait for each other. */
export async function refreshHearing(db: Db, scope: Scope): Promise<void> {
  await Promise.all([db.rows(lock(scope)), db.rows(refresh(scope))]);
}
