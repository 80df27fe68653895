/** Exchanges of codes and links that say something to a reader. */
import type { ExchangeRow } from '../../support/exchanges/record.ts';
import { shopRow } from '../../support/exchanges/shop.ts';

export const referralsExchanges: ExchangeRow[] = [
  shopRow('createReferralCode', 201, ({ bob }) => ({ body: { user_id: bob.id, code: 'BOBS-SPRING' } })),
  shopRow('createReferralLink', 201, ({ ann }) => ({
    body: { user_id: ann.id, destination_url: 'https://shop.example/spring', name: 'Spring sale' },
  })),
  shopRow('updateReferralLink', 200, async ({ client }) => {
    const [{ id }] = (await client.get('/api/v1/referrals/links')).body.data as [{ id: string }];
    return { path: { link_id: id }, body: { name: 'Spring and summer sale' } };
  }),
  shopRow('createReferralCode', 'CODE_TAKEN', ({ bob }) => ({ body: { user_id: bob.id, code: 'ANN' } })),
];
