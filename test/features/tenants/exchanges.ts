/** Exchanges of keys and settings that say something to a reader. */
import type { ExchangeRow } from '../../support/exchanges/record.ts';
import { shopRow } from '../../support/exchanges/shop.ts';

export const tenantsExchanges: ExchangeRow[] = [
  shopRow('createApiKey', 201, () => ({ body: { name: 'Reports', scopes: ['events:read', 'commissions:read'] } })),
  shopRow('updateSettings', 200, () => ({
    body: { reportingTimeZone: 'Europe/Berlin', referrals: { attributionWindowDays: 30 } },
  })),
];
