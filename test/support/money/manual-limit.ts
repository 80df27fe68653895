/** For tests of what single amounts could do at the end of their range. */
import { MAX_AMOUNT_MINOR } from '../../../src/money.ts';
import type { ApiClient } from '../app/api-client.ts';

/** Lets the largest amount there is be credited and charged by hand. */
export async function liftManualLimit(client: ApiClient, ...currencies: string[]): Promise<void> {
  const manualLimitMinor = Object.fromEntries(currencies.map((currency) => [currency, Number(MAX_AMOUNT_MINOR)]));
  const answer = await client.patch('/api/v1/admin/settings', { commissions: { manualLimitMinor } });
  if (answer.status !== 200) throw new Error(`the limit was not lifted: ${answer.text}`);
}
