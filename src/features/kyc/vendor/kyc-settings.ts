/**
 * The vendor account of a tenant in one environment; its secrets are sealed where they are stored.
 * Source: docs/specification/verification.md#settings.
 */
import { locateKycSecrets } from '../../../db/cross-tenant-lookups.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Environment, Scope } from '../../../db/scope.ts';
import type { Cipher } from '../../../encryption.ts';
import type { KycAccount } from '../../../vendors/kyc/kyc-account.ts';
import type { KycProvider } from '../open/kyc-states.ts';
import { type KycSettingsRow, kycSettingsStatement } from './kyc-settings-queries.ts';

export const DIGEST_ALGS = ['HMAC_SHA256_HEX', 'HMAC_SHA512_HEX', 'HMAC_SHA1_HEX'] as const;
export type DigestAlg = (typeof DIGEST_ALGS)[number];

/** Of a tenant that has set nothing. SHA-1 is for old webhooks of the vendor's, and only on demand. */
export const KYC_DEFAULTS: KycSettingsRow = {
  provider: 'manual',
  approvalValidDays: null,
  appTokenSealed: null,
  secretKeySealed: null,
  webhookSecretSealed: null,
  previousWebhookSecretSealed: null,
  levelName: null,
  clientId: null,
  allowedDigestAlgs: ['HMAC_SHA256_HEX', 'HMAC_SHA512_HEX'],
  ttlInSecs: 600,
  baseUrl: null,
};

export const KYC_SECRETS = ['appToken', 'secretKey', 'webhookSecret', 'previousWebhookSecret'] as const;
export type KycSecret = (typeof KYC_SECRETS)[number];

/** What the ciphertext of a secret is bound to. */
export function kycSecretPlace({ tenantId, environment }: Scope, secret: KycSecret): readonly string[] {
  return ['kyc_settings', tenantId, environment, 'kycvendor', secret];
}

export interface KycSettings {
  provider: KycProvider;
  /** Undefined as long as it lacks something; in a SANDBOX the simulated vendor stands in for it then. */
  account: KycAccount | undefined;
  ttlInSecs: number;
  levelName: string | null;
}

/** What the vendor may have signed an event with. */
export interface WebhookSecrets {
  environment: Environment;
  /** The present one first. */
  secrets: string[];
  allowedDigestAlgs: readonly string[];
  clientId: string | null;
}

export interface KycSettingsReader {
  readSettings(scope: Scope): Promise<KycSettings>;
  /** Of both environments; empty for a tenant that does not exist or has none. */
  readWebhookSecrets(tenantId: string): Promise<WebhookSecrets[]>;
}

export function createKycSettingsReader({ frames, cipher }: { frames: Frames; cipher: Cipher }): KycSettingsReader {
  const open = (scope: Scope, secret: KycSecret, sealed: Buffer | null): string | undefined =>
    sealed === null ? undefined : cipher.decrypt(sealed, kycSecretPlace(scope, secret)).toString();
  return {
    async readSettings(scope) {
      const [row = KYC_DEFAULTS] = await frames.readOnce(scope, kycSettingsStatement(scope));
      const { provider, levelName, ttlInSecs, baseUrl } = row;
      const appToken = open(scope, 'appToken', row.appTokenSealed);
      const secretKey = open(scope, 'secretKey', row.secretKeySealed);
      const whole = appToken !== undefined && secretKey !== undefined && levelName !== null;
      return {
        provider,
        levelName,
        ttlInSecs,
        account: whole ? { appToken, secretKey, levelName, ttlInSecs, baseUrl } : undefined,
      };
    },

    async readWebhookSecrets(tenantId) {
      const rows = await frames.unscoped(locateKycSecrets({ tenantId }));
      return rows.map(({ environment, allowedDigestAlgs, clientId, ...row }) => {
        const scope: Scope = { tenantId, environment };
        const secrets = [
          open(scope, 'webhookSecret', row.webhookSecretSealed),
          open(scope, 'previousWebhookSecret', row.previousWebhookSecretSealed),
        ];
        return { environment, allowedDigestAlgs, clientId, secrets: secrets.filter((secret) => secret !== undefined) };
      });
    },
  };
}
