/** A tenant's KYC settings as PATCH /admin/settings would have stored them. */
import type { Scope } from '../../../src/db/scope.ts';
import { createCipher } from '../../../src/encryption.ts';
import { KYC_DEFAULTS, KYC_SECRETS, type KycSecret, kycSecretPlace } from '../../../src/features/kyc/vendor/kyc-settings.ts';
import { type KycSettingsRow, storeKycSettings } from '../../../src/features/kyc/vendor/kyc-settings-queries.ts';
import type { TestApp } from '../app/test-app.ts';

type Planted = Partial<Record<KycSecret, string>> &
  Partial<Pick<KycSettingsRow, 'provider' | 'levelName' | 'clientId' | 'allowedDigestAlgs' | 'ttlInSecs' | 'baseUrl'>>;

export async function plantKycSettings(app: TestApp, scope: Scope, settings: Planted = {}): Promise<void> {
  const cipher = createCipher(app.config.secrets.dataKeys);
  const sealed = Object.fromEntries(
    KYC_SECRETS.flatMap((name) => {
      const secret = settings[name];
      return secret === undefined ? [] : [[`${name}Sealed`, cipher.encrypt(Buffer.from(secret), kycSecretPlace(scope, name))]];
    }),
  );
  const { appToken: _a, secretKey: _s, webhookSecret: _w, previousWebhookSecret: _p, ...plain } = settings;
  const row: KycSettingsRow = { ...KYC_DEFAULTS, provider: 'kycvendor', ...plain, ...sealed };
  await app.composition.frames.write(scope, (db) => storeKycSettings(db, scope, row));
}
