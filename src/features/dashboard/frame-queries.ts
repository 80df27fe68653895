/** What the frame of every page shows of its tenant, in SQL. */
import type { Frames } from '../../db/frame.ts';
import { raw, statement } from '../../db/query.ts';
import type { Scope } from '../../db/scope.ts';
import { ownTenant } from '../../db/tenant-table.ts';

export interface TenantFacts {
  currency: string;
  timeZone: string;
  /** The time that money goes by. */
  now: Date;
}

const readFactsStatement = statement<TenantFacts>('dashboard_tenant_facts', () =>
  ownTenant().select([
    'default_currency as currency',
    'reporting_time_zone as timeZone',
    raw('scope_clock(:tenantId::uuid, :environment) as now'),
  ]),
);

export async function readTenantFacts(frames: Frames, scope: Scope): Promise<TenantFacts> {
  const [facts] = await frames.readOnce(scope, readFactsStatement(scope));
  if (!facts) throw new Error('the tenant of a session does not exist');
  return facts;
}
