/** How a tenant attributes in one environment, in SQL. Without a row: the defaults. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared, type Statement } from '../../db/statement.ts';
import type { ReferralSettings } from './referral-settings.ts';

const columns = `s.attribution_model as "attributionModel", s.attribution_window_days as "attributionWindowDays",
  s.allowed_destination_hosts as "allowedDestinationHosts", s.lead_expiry_days as "leadExpiryDays"`;

const read = prepared<ReferralSettings, [string, string]>(
  'referrals_read_settings',
  `select ${columns} from referral_settings s where s.tenant_id = $1 and s.environment = $2`,
);

export function referralSettingsStatement(scope: Scope): Statement<ReferralSettings> {
  return read(scope.tenantId, scope.environment);
}

const store = prepared<ReferralSettings, [string, string, string, number, string[], number | null]>(
  'referrals_store_settings',
  `insert into referral_settings as s (tenant_id, environment, attribution_model, attribution_window_days,
                                       allowed_destination_hosts, lead_expiry_days)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (tenant_id, environment) do update
     set attribution_model = excluded.attribution_model, attribution_window_days = excluded.attribution_window_days,
         allowed_destination_hosts = excluded.allowed_destination_hosts, lead_expiry_days = excluded.lead_expiry_days,
         updated_at = now()
   returning ${columns}`,
);

/** The settings as a whole. Whoever changes a part holds a lock on the tenant's row, which is there before this one. */
export async function storeReferralSettings(db: Db, scope: Scope, settings: ReferralSettings): Promise<ReferralSettings> {
  const stored = await db.row(
    store(
      scope.tenantId,
      scope.environment,
      settings.attributionModel,
      settings.attributionWindowDays,
      settings.allowedDestinationHosts,
      settings.leadExpiryDays,
    ),
  );
  if (!stored) throw new Error('the settings of referrals were not stored');
  return stored;
}
