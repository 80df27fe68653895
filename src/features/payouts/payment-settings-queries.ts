/** How a tenant pays its members in one environment, in SQL. Without a row: by hand. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared, type Statement } from '../../db/statement.ts';
import type { PaymentProvider } from './payout-states.ts';

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
  accountCooldownHours: number;
}

const columns = `s.provider, s.secret_key_sealed as "secretKeySealed", s.webhook_secrets_sealed as "webhookSecretsSealed",
  s.platform_country as "platformCountry", s.capabilities, s.approved_recipient_countries as "approvedRecipientCountries",
  s.base_url as "baseUrl", s.require_kyc as "requireKyc", s.dual_control as "dualControl",
  s.account_cooldown_hours as "accountCooldownHours"`;

const read = prepared<PaymentSettingsRow, [string, string]>(
  'payouts_read_settings',
  `select ${columns} from payment_settings s where s.tenant_id = $1 and s.environment = $2`,
);

export function paymentSettingsStatement(scope: Scope): Statement<PaymentSettingsRow> {
  return read(scope.tenantId, scope.environment);
}

const lock = prepared<PaymentSettingsRow, [string, string]>(
  'payouts_lock_settings',
  `select ${columns} from payment_settings s where s.tenant_id = $1 and s.environment = $2 for no key update`,
);

/** As they stay until the end of the transaction: what seals secrets anew waits. */
export async function lockPaymentSettings(db: Db, scope: Scope): Promise<PaymentSettingsRow | undefined> {
  return db.row(lock(scope.tenantId, scope.environment));
}

const store = prepared<
  PaymentSettingsRow,
  [
    string,
    string,
    PaymentProvider,
    Buffer | null,
    Buffer | null,
    string | null,
    string[],
    string[],
    string | null,
    boolean,
    boolean,
    number,
  ]
>(
  'payouts_store_settings',
  `insert into payment_settings as s (tenant_id, environment, provider, secret_key_sealed, webhook_secrets_sealed, platform_country,
                                      capabilities, approved_recipient_countries, base_url, require_kyc, dual_control,
                                      account_cooldown_hours)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
   on conflict (tenant_id, environment) do update
     set provider = excluded.provider, secret_key_sealed = excluded.secret_key_sealed,
         webhook_secrets_sealed = excluded.webhook_secrets_sealed, platform_country = excluded.platform_country,
         capabilities = excluded.capabilities, approved_recipient_countries = excluded.approved_recipient_countries,
         base_url = excluded.base_url, require_kyc = excluded.require_kyc, dual_control = excluded.dual_control,
         account_cooldown_hours = excluded.account_cooldown_hours, updated_at = now()
   returning ${columns}`,
);

/** The settings as a whole. Whoever changes a part holds a lock on the tenant's row, which is there before this one. */
export async function storePaymentSettings(db: Db, scope: Scope, row: PaymentSettingsRow): Promise<PaymentSettingsRow> {
  const stored = await db.row(
    store(
      scope.tenantId,
      scope.environment,
      row.provider,
      row.secretKeySealed,
      row.webhookSecretsSealed,
      row.platformCountry,
      row.capabilities,
      row.approvedRecipientCountries,
      row.baseUrl,
      row.requireKyc,
      row.dualControl,
      row.accountCooldownHours,
    ),
  );
  if (!stored) throw new Error('the settings were not stored');
  return stored;
}
