/** How commissions are guarded in one environment, in SQL. Without a row: the defaults. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import type { AmountsByCurrency } from './open/manual-limits.ts';

export interface CommissionSettings {
  manualLimitMinor: AmountsByCurrency;
  manualSecondPairMinor: AmountsByCurrency;
  planPublishSecondPair: boolean;
}

const settings = tenantTable('commission_settings');

const read = statement<CommissionSettings>('commissions_read_settings', () =>
  settings('s').select({
    manualLimitMinor: 's.manual_limit_minor',
    manualSecondPairMinor: 's.manual_second_pair_minor',
    planPublishSecondPair: 's.plan_publish_second_pair',
  }),
);

export async function readCommissionSettings(db: Db, scope: Scope): Promise<CommissionSettings | undefined> {
  return db.row(read(scope));
}

const store = statement<unknown, { limit: string; secondPair: string; publish: boolean }>(
  'commissions_store_settings',
  ({ limit, secondPair, publish }) =>
    settings('s')
      .insert({
        manual_limit_minor: limit,
        manual_second_pair_minor: secondPair,
        plan_publish_second_pair: publish,
        updated_at: raw('now()'),
      })
      // One row a scope.
      .onConflict([])
      .merge(['manual_limit_minor', 'manual_second_pair_minor', 'plan_publish_second_pair', 'updated_at']),
);

/** The settings as a whole. Whoever changes a part holds a lock on the tenant's row. */
export async function storeCommissionSettings(db: Db, scope: Scope, whole: CommissionSettings): Promise<void> {
  const limit = JSON.stringify(whole.manualLimitMinor);
  const secondPair = JSON.stringify(whole.manualSecondPairMinor);
  await db.rows(store(scope, { limit, secondPair, publish: whole.planPublishSecondPair }));
}
