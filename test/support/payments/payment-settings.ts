/** A tenant's payment settings as PATCH /admin/settings would have stored them. */
import type { Scope } from '../../../src/db/scope.ts';
import { createCipher } from '../../../src/encryption.ts';
import { PAYMENT_DEFAULTS, paymentSecretPlace } from '../../../src/features/payouts/settings/payment-settings.ts';
import {
  type PaymentSettingsRow,
  storePaymentSettings,
} from '../../../src/features/payouts/settings/payment-settings-queries.ts';
import type { TestApp } from '../app/test-app.ts';

type Plain = Omit<PaymentSettingsRow, 'secretKeySealed' | 'webhookSecretsSealed'>;

export async function plantPaymentSettings(
  app: TestApp,
  scope: Scope,
  { secretKey, webhookSecrets, ...plain }: Partial<Plain> & { secretKey?: string; webhookSecrets?: string[] } = {},
): Promise<void> {
  const cipher = createCipher(app.config.secrets.dataKeys);
  const row: PaymentSettingsRow = {
    ...PAYMENT_DEFAULTS,
    provider: 'payvendor',
    ...plain,
    secretKeySealed:
      secretKey === undefined ? null : cipher.encrypt(Buffer.from(secretKey), paymentSecretPlace(scope, 'secretKey')),
    webhookSecretsSealed:
      webhookSecrets === undefined
        ? null
        : cipher.encrypt(Buffer.from(JSON.stringify(webhookSecrets)), paymentSecretPlace(scope, 'webhookSecrets')),
  };
  await app.composition.frames.write(scope, (db) => storePaymentSettings(db, scope, row));
}
