/** How a tenant pays its members in one environment, in SQL. Without a row: by hand. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import type { Statement } from '../../../db/statement.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { DualControlBy, PaymentProvider } from '../open/payout-states.ts';

export interface PaymentSettingsRow {
  provider: PaymentProvider;
  secretKeySealed: Buffer | null;
  webhookSecretsSealed: Buffer | null;
  platformCountry: string | null;
  capabilities: string[];
  approvedRecipientCountries: string[];
  baseUrl: string | null;
  requireKyc: boolean;
  dualControl: boolean;
  dualControlBy: DualControlBy;
  accountCooldownHours: number;
}

const settings = tenantTable('payment_settings');

const columns = [
  's.provider',
  's.secret_key_sealed as secretKeySealed',
  's.webhook_secrets_sealed as webhookSecretsSealed',
  's.platform_country as platformCountry',
  's.capabilities',
  's.approved_recipient_countries as approvedRecipientCountries',
  's.base_url as baseUrl',
  's.require_kyc as requireKyc',
  's.dual_control as dualControl',
  's.dual_control_by as dualControlBy',
  's.account_cooldown_hours as accountCooldownHours',
];

const read = statement<PaymentSettingsRow>('payouts_read_settings', () => settings('s').select(columns));

export function paymentSettingsStatement(scope: Scope): Statement<PaymentSettingsRow> {
  return read(scope);
}

const lock = statement<PaymentSettingsRow>('payouts_lock_settings', () => settings('s').select(columns).forNoKeyUpdate());

/** As they stay until the end of the transaction: what seals secrets anew waits. */
export async function lockPaymentSettings(db: Db, scope: Scope): Promise<PaymentSettingsRow | undefined> {
  return db.row(lock(scope));
}

const store = statement<PaymentSettingsRow, PaymentSettingsRow>('payouts_store_settings', (row) =>
  settings('s')
    .insert({
      provider: row.provider,
      secret_key_sealed: row.secretKeySealed,
      webhook_secrets_sealed: row.webhookSecretsSealed,
      platform_country: row.platformCountry,
      capabilities: row.capabilities,
      approved_recipient_countries: row.approvedRecipientCountries,
      base_url: row.baseUrl,
      require_kyc: row.requireKyc,
      dual_control: row.dualControl,
      dual_control_by: row.dualControlBy,
      account_cooldown_hours: row.accountCooldownHours,
      updated_at: raw('now()'),
    })
    // One row a scope.
    .onConflict([])
    .merge([
      'provider',
      'secret_key_sealed',
      'webhook_secrets_sealed',
      'platform_country',
      'capabilities',
      'approved_recipient_countries',
      'base_url',
      'require_kyc',
      'dual_control',
      'dual_control_by',
      'account_cooldown_hours',
      'updated_at',
    ])
    .returning(columns),
);

/** The settings as a whole. Whoever changes a part holds a lock on the tenant's row, which is there before this one. */
export async function storePaymentSettings(db: Db, scope: Scope, row: PaymentSettingsRow): Promise<PaymentSettingsRow> {
  const stored = await db.row(store(scope, row));
  if (!stored) throw new Error('the settings were not stored');
  return stored;
}
