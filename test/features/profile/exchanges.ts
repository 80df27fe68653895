/** Exchanges of profiles that say something to a reader. */
import type { ExchangeRow } from '../../support/exchanges/record.ts';
import { shopRow } from '../../support/exchanges/shop.ts';

export const profileExchanges: ExchangeRow[] = [
  shopRow('updateProfile', 200, ({ bob }) => ({
    path: { userId: bob.id },
    body: {
      givenName: 'Bob',
      surname: 'Lee',
      dateOfBirth: '1990-05-17',
      countryCode: 'USA',
      address: { addressLine1: '1 Main St', city: 'Boston', state: 'MA', postalCode: '02101', countryCode: 'USA' },
    },
  })),
];
