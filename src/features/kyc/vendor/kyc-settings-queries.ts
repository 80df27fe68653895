/** How a tenant verifies its members in one environment, in SQL. Without a row: by hand. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import type { Statement } from '../../../db/statement.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { KycProvider } from '../open/kyc-states.ts';

export interface KycSettingsRow {
  provider: KycProvider;
  /** For so many days an approval is good; null: for good. */
  approvalValidDays: number | null;
  appTokenSealed: Buffer | null;
  secretKeySealed: Buffer | null;
  webhookSecretSealed: Buffer | null;
  previousWebhookSecretSealed: Buffer | null;
  levelName: string | null;
  clientId: string | null;
  allowedDigestAlgs: string[];
  ttlInSecs: number;
  baseUrl: string | null;
}

const columns = [
  'provider',
  'approval_valid_days as approvalValidDays',
  'app_token_sealed as appTokenSealed',
  'secret_key_sealed as secretKeySealed',
  'webhook_secret_sealed as webhookSecretSealed',
  'previous_webhook_secret_sealed as previousWebhookSecretSealed',
  'level_name as levelName',
  'client_id as clientId',
  'allowed_digest_algs as allowedDigestAlgs',
  'ttl_in_secs as ttlInSecs',
  'base_url as baseUrl',
];

const kycSettings = tenantTable('kyc_settings');

const read = statement<KycSettingsRow>('kyc_read_settings', () => kycSettings().select(columns));

export function kycSettingsStatement(scope: Scope): Statement<KycSettingsRow> {
  return read(scope);
}

const lock = statement<KycSettingsRow>('kyc_lock_settings', () => kycSettings().select(columns).forNoKeyUpdate());

/** Against their secrets being sealed anew meanwhile; undefined without a row. */
export function lockKycSettings(db: Db, scope: Scope): Promise<KycSettingsRow | undefined> {
  return db.row(lock(scope));
}

const store = statement<KycSettingsRow, KycSettingsRow>('kyc_store_settings', (row) => {
  const stored = {
    provider: row.provider,
    approval_valid_days: row.approvalValidDays,
    app_token_sealed: row.appTokenSealed,
    secret_key_sealed: row.secretKeySealed,
    webhook_secret_sealed: row.webhookSecretSealed,
    previous_webhook_secret_sealed: row.previousWebhookSecretSealed,
    level_name: row.levelName,
    client_id: row.clientId,
    allowed_digest_algs: row.allowedDigestAlgs,
    ttl_in_secs: row.ttlInSecs,
    base_url: row.baseUrl,
  };
  const excluded = Object.keys(stored).map((column) => [column, raw(`excluded.${column}`)]);
  return kycSettings()
    .insert(stored)
    .onConflict([])
    .merge({ ...Object.fromEntries(excluded), updated_at: raw('now()') })
    .returning(columns);
});

/** The settings as a whole. Whoever changes a part holds a lock on the tenant's row, which is there before this one. */
export async function storeKycSettings(db: Db, scope: Scope, row: KycSettingsRow): Promise<KycSettingsRow> {
  const stored = await db.row(store(scope, row));
  if (!stored) throw new Error('the settings were not stored');
  return stored;
}
