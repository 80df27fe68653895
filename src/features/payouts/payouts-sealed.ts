/** Bank details, the names that accounts are held under, and the secrets of the payment vendor's accounts, which are sealed. */
import type { Sealed } from '../../house/sealed.ts';
import { bankPlace } from './methods/bank-details.ts';
import { holderPlace } from './names/judge-names.ts';
import { paymentSecretPlace } from './settings/payment-settings.ts';

export const payoutsSealed: readonly Sealed[] = [
  { kind: 'rows', table: 'payout_account', id: 'id', column: 'bank_sealed', place: bankPlace },
  { kind: 'rows', table: 'payout_account', id: 'id', column: 'holder_sealed', place: holderPlace },
  {
    kind: 'settings',
    table: 'payment_settings',
    columns: [
      { column: 'secret_key_sealed', place: (scope) => paymentSecretPlace(scope, 'secretKey') },
      { column: 'webhook_secrets_sealed', place: (scope) => paymentSecretPlace(scope, 'webhookSecrets') },
    ],
  },
];
