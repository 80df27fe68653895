/** The secrets of the KYC vendor's accounts, which are sealed. */
import type { Sealed } from '../../house/sealed.ts';
import { kycSecretPlace } from './vendor/kyc-settings.ts';

export const kycSealed: readonly Sealed[] = [
  {
    kind: 'settings',
    table: 'kyc_settings',
    columns: [
      { column: 'app_token_sealed', place: (scope) => kycSecretPlace(scope, 'appToken') },
      { column: 'secret_key_sealed', place: (scope) => kycSecretPlace(scope, 'secretKey') },
      { column: 'webhook_secret_sealed', place: (scope) => kycSecretPlace(scope, 'webhookSecret') },
      { column: 'previous_webhook_secret_sealed', place: (scope) => kycSecretPlace(scope, 'previousWebhookSecret') },
    ],
  },
];
