/** Exchanges of the ledger that the access matrix does not make. */
import type { ExchangeRow } from '../../support/exchanges/record.ts';
import { shopRow } from '../../support/exchanges/shop.ts';

export const ledgerExchanges: ExchangeRow[] = [
  shopRow(
    'getMemberBalances',
    'INVALID_TOKEN',
    ({ ann }) => ({ path: { userId: ann.id } }),
    ({ key }) => ({ 'x-tenant-api-key': key, authorization: 'Bearer none-of-ours' }),
  ),
];
