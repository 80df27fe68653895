/** How a tenant attributes in one environment, in SQL. Without a row: the defaults. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import type { Statement } from '../../db/statement.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import type { ReferralSettings } from './open/referral-settings.ts';

const settings = tenantTable('referral_settings');

const columns = [
  's.attribution_model as attributionModel',
  's.attribution_window_days as attributionWindowDays',
  's.allowed_destination_hosts as allowedDestinationHosts',
  's.lead_expiry_days as leadExpiryDays',
];

const read = statement<ReferralSettings>('referrals_read_settings', () => settings('s').select(columns));

export function referralSettingsStatement(scope: Scope): Statement<ReferralSettings> {
  return read(scope);
}

const store = statement<ReferralSettings, ReferralSettings>(
  'referrals_store_settings',
  ({ attributionModel, attributionWindowDays, allowedDestinationHosts, leadExpiryDays }) =>
    settings('s')
      .insert({
        attribution_model: attributionModel,
        attribution_window_days: attributionWindowDays,
        allowed_destination_hosts: allowedDestinationHosts,
        lead_expiry_days: leadExpiryDays,
        updated_at: raw('now()'),
      })
      // One row a scope.
      .onConflict([])
      .merge(['attribution_model', 'attribution_window_days', 'allowed_destination_hosts', 'lead_expiry_days', 'updated_at'])
      .returning(columns),
);

/** The settings as a whole. Whoever changes a part holds a lock on the tenant's row, which is there before this one. */
export async function storeReferralSettings(db: Db, scope: Scope, whole: ReferralSettings): Promise<ReferralSettings> {
  const stored = await db.row(store(scope, whole));
  if (!stored) throw new Error('the settings of referrals were not stored');
  return stored;
}
