/** Exchanges of the sandbox that the access matrix does not make. */
import type { ExchangeRow } from '../../support/exchanges/record.ts';
import { shopRow } from '../../support/exchanges/shop.ts';

export const sandboxExchanges: ExchangeRow[] = [
  shopRow('moveSandboxClock', 'ENVIRONMENT_MISMATCH', () => ({ body: { advanceSeconds: 3_600 } })),
];
