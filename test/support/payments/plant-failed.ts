/** More payouts of a run that have failed than one request tries again. */
import type { TestApp, TestTenant } from '../app/test-app.ts';
import { plantMembers } from '../tree/plant-tree.ts';

/** So many more like that one in LIVE, in front of it by their ids, each of a member of its own who is on hold. */
export async function plantFailed(app: TestApp, tenant: TestTenant, payoutId: string, count: number): Promise<void> {
  const { asSuperuser } = app.database;
  const { ids } = await plantMembers(app, tenant, { count, sponsor: 'null::int' });
  const columns = await asSuperuser<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = 'payout'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  );
  const other = new Map([
    ['id', "('00000000-0000-7000-8000-' || lpad(m.n::text, 12, '0'))::uuid"],
    ['member_id', 'm.id'],
  ]);
  await asSuperuser(
    `insert into payout (${columns.map(({ name }) => name).join(', ')})
     select ${columns.map(({ name }) => other.get(name) ?? `o.${name}`).join(', ')}
     from payout o cross join unnest($2::uuid[]) with ordinality m(id, n) where o.id = $1`,
    [payoutId, ids],
  );
  await asSuperuser(
    `insert into payout_hold (tenant_id, environment, member_id, reason, created_by, created_at)
     select $1, 'LIVE', m.id, 'Asked by the bank', 'system', now() from unnest($2::uuid[]) m(id)`,
    [tenant.tenantId, ids],
  );
}
