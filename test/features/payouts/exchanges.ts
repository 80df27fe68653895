/** Exchanges of payout accounts that say something to a reader. */
import type { ExchangeRow } from '../../support/exchanges/record.ts';
import { shopRow } from '../../support/exchanges/shop.ts';

/** The IBAN is the one that the registry shows for Germany. */
const BANK_ACCOUNT = { accountHolderName: 'Ann Example', iban: 'DE89370400440532013000' };

export const payoutsExchanges: ExchangeRow[] = [
  shopRow('validateBankDetails', 200, () => ({
    path: { methodId: 'sepa_bank_transfer' },
    body: { country: 'DE', bankAccount: BANK_ACCOUNT },
  })),
  shopRow('createPayoutAccount', 201, async ({ ann, client }) => {
    await client.patch(`/api/v1/members/${ann.id}/profile`, {
      givenName: 'Ann',
      surname: 'Example',
      dateOfBirth: '1985-03-02',
      countryCode: 'DEU',
      address: { addressLine1: 'Marktstrasse 1', city: 'Berlin', postalCode: '10115', countryCode: 'DEU' },
    });
    return { path: { userId: ann.id }, body: { methodType: 'sepa_bank_transfer', currency: 'EUR', bankAccount: BANK_ACCOUNT } };
  }),
  shopRow('validateBankDetails', 'METHOD_NOT_SUPPORTED', () => ({
    path: { methodId: 'us_bank_transfer' },
    body: { country: 'DE', bankAccount: BANK_ACCOUNT },
  })),
  shopRow('createPayoutAccount', 'PROFILE_INCOMPLETE', async ({ client }) => ({
    path: { userId: (await client.newMember()).id },
    body: { methodType: 'sepa_bank_transfer', currency: 'EUR', bankAccount: BANK_ACCOUNT },
  })),
  shopRow('createSettlement', 'AMOUNT_NOT_SETTLEABLE', ({ ann }) => ({
    path: { userId: ann.id },
    body: { currency: 'USD', amountMinor: 100, reference: 'WIRE-1' },
  })),
];
