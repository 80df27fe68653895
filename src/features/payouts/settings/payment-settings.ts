/**
 * How a tenant pays its members in one environment; secrets are sealed where they are stored.
 * Source: docs/payouts.md#settings.
 */
import { locatePaymentSecrets } from '../../../db/cross-tenant-lookups.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Environment, Scope } from '../../../db/scope.ts';
import type { Cipher } from '../../../encryption.ts';
import type { VendorAccount } from '../../../vendors/payments/vendor-account.ts';
import type { PaymentProvider } from '../open/payout-states.ts';
import { type PaymentSettingsRow, paymentSettingsStatement } from './payment-settings-queries.ts';

/** Of a tenant that has set nothing. */
export const PAYMENT_DEFAULTS: PaymentSettingsRow = {
  provider: 'manual',
  secretKeySealed: null,
  webhookSecretsSealed: null,
  platformCountry: null,
  capabilities: ['transfers'],
  approvedRecipientCountries: [],
  baseUrl: null,
  requireKyc: true,
  dualControl: false,
  dualControlBy: 'keys',
  accountCooldownHours: 24,
};

export const PAYMENT_SECRETS = ['secretKey', 'webhookSecrets'] as const;
export type PaymentSecret = (typeof PAYMENT_SECRETS)[number];

/** What the ciphertext of a secret is bound to. */
export function paymentSecretPlace({ tenantId, environment }: Scope, secret: PaymentSecret): readonly string[] {
  return ['payment_settings', tenantId, environment, 'payvendor', secret];
}

export interface PaymentSettings {
  provider: PaymentProvider;
  /** Undefined without a secret key; in a SANDBOX the simulated vendor stands in for it then. */
  account: VendorAccount | undefined;
  platformCountry: string | null;
  capabilities: readonly string[];
  approvedRecipientCountries: readonly string[];
  requireKyc: boolean;
  dualControl: boolean;
  accountCooldownHours: number;
}

/** What the vendor may have signed an event of an environment with. */
export interface PaymentWebhookSecrets {
  environment: Environment;
  secrets: string[];
}

export interface PaymentSettingsReader {
  readSettings(scope: Scope): Promise<PaymentSettings>;
  /** Of both environments; empty for a tenant that does not exist or has none. */
  readWebhookSecrets(tenantId: string): Promise<PaymentWebhookSecrets[]>;
}

export function createPaymentSettingsReader({ frames, cipher }: { frames: Frames; cipher: Cipher }): PaymentSettingsReader {
  const open = (scope: Scope, secret: PaymentSecret, sealed: Buffer): string =>
    cipher.decrypt(sealed, paymentSecretPlace(scope, secret)).toString();
  return {
    async readSettings(scope) {
      const [row = PAYMENT_DEFAULTS] = await frames.readOnce(scope, paymentSettingsStatement(scope));
      const { provider, platformCountry, capabilities, approvedRecipientCountries, baseUrl } = row;
      const { requireKyc, dualControl, accountCooldownHours } = row;
      const secretKey = row.secretKeySealed === null ? undefined : open(scope, 'secretKey', row.secretKeySealed);
      return {
        provider,
        platformCountry,
        capabilities,
        approvedRecipientCountries,
        requireKyc,
        dualControl,
        accountCooldownHours,
        account: secretKey === undefined ? undefined : { secretKey, platformCountry, capabilities, baseUrl },
      };
    },

    async readWebhookSecrets(tenantId) {
      const rows = await frames.unscoped(locatePaymentSecrets({ tenantId }));
      return rows.map(({ environment, webhookSecretsSealed }) => ({
        environment,
        secrets: JSON.parse(open({ tenantId, environment }, 'webhookSecrets', webhookSecretsSealed)) as string[],
      }));
    },
  };
}
