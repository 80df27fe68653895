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
  shopRow('eraseMember', 'MONEY_OWED', async ({ client }) => {
    const { id } = await client.newMember();
    await client.post('/api/v1/events/purchase', {
      external_event_id: 'order-1004',
      amount_minor: 5_000,
      currency: 'USD',
      customer: { external_id: 'customer-3' },
      attribution: { user_id: id },
    });
    return { path: { userId: id } };
  }),
];
