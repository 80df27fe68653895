/** How a tenant verifies its members in one environment, in SQL. Without a row: by hand. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared, type Statement } from '../../db/statement.ts';
import type { KycProvider } from './kyc-states.ts';

export interface KycSettingsRow {
  provider: KycProvider;
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

const columns = `s.provider, s.app_token_sealed as "appTokenSealed", s.secret_key_sealed as "secretKeySealed",
  s.webhook_secret_sealed as "webhookSecretSealed", s.previous_webhook_secret_sealed as "previousWebhookSecretSealed",
  s.level_name as "levelName", s.client_id as "clientId", s.allowed_digest_algs as "allowedDigestAlgs",
  s.ttl_in_secs as "ttlInSecs", s.base_url as "baseUrl"`;

const read = prepared<KycSettingsRow, [string, string]>(
  'kyc_read_settings',
  `select ${columns} from kyc_settings s where s.tenant_id = $1 and s.environment = $2`,
);

export function kycSettingsStatement(scope: Scope): Statement<KycSettingsRow> {
  return read(scope.tenantId, scope.environment);
}

const lock = prepared<KycSettingsRow, [string, string]>(
  'kyc_lock_settings',
  `select ${columns} from kyc_settings s where s.tenant_id = $1 and s.environment = $2 for no key update`,
);

/** Against their secrets being sealed anew meanwhile; undefined without a row. */
export function lockKycSettings(db: Db, scope: Scope): Promise<KycSettingsRow | undefined> {
  return db.row(lock(scope.tenantId, scope.environment));
}

const store = prepared<
  KycSettingsRow,
  [
    string,
    string,
    KycProvider,
    Buffer | null,
    Buffer | null,
    Buffer | null,
    Buffer | null,
    string | null,
    string | null,
    string[],
    number,
    string | null,
  ]
>(
  'kyc_store_settings',
  `insert into kyc_settings as s (tenant_id, environment, provider, app_token_sealed, secret_key_sealed, webhook_secret_sealed,
                                  previous_webhook_secret_sealed, level_name, client_id, allowed_digest_algs, ttl_in_secs, base_url)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
   on conflict (tenant_id, environment) do update
     set provider = excluded.provider, app_token_sealed = excluded.app_token_sealed,
         secret_key_sealed = excluded.secret_key_sealed, webhook_secret_sealed = excluded.webhook_secret_sealed,
         previous_webhook_secret_sealed = excluded.previous_webhook_secret_sealed, level_name = excluded.level_name,
         client_id = excluded.client_id, allowed_digest_algs = excluded.allowed_digest_algs,
         ttl_in_secs = excluded.ttl_in_secs, base_url = excluded.base_url, updated_at = now()
   returning ${columns}`,
);

/** The settings as a whole. Whoever changes a part holds a lock on the tenant's row, which is there before this one. */
export async function storeKycSettings(db: Db, scope: Scope, row: KycSettingsRow): Promise<KycSettingsRow> {
  const stored = await db.row(
    store(
      scope.tenantId,
      scope.environment,
      row.provider,
      row.appTokenSealed,
      row.secretKeySealed,
      row.webhookSecretSealed,
      row.previousWebhookSecretSealed,
      row.levelName,
      row.clientId,
      row.allowedDigestAlgs,
      row.ttlInSecs,
      row.baseUrl,
    ),
  );
  if (!stored) throw new Error('the settings were not stored');
  return stored;
}
