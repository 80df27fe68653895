/** Exchanges of agreed rates that the access matrix does not make. */
import type { ExchangeRow } from '../../support/exchanges/record.ts';
import { type Shop, shopRow } from '../../support/exchanges/shop.ts';

const agreed = ({ ann }: Shop) => ({ target: 'member', targetId: ann.id, pay: { rateBps: 1500 }, reason: 'VIP partner' });

async function latestOf({ client, ann }: Shop): Promise<string> {
  const answer = await client.get(`/api/v1/rate-overrides?userId=${ann.id}`);
  return answer.body.data.at(-1).id;
}

export const ratesExchanges: ExchangeRow[] = [
  shopRow('createRateOverride', 201, (shop) => ({ body: agreed(shop) })),
  shopRow('listRateOverrides', 200, ({ ann }) => ({ query: { userId: ann.id } })),
  shopRow('getMemberRates', 200, ({ ann }) => ({ path: { userId: ann.id } })),
  shopRow('endRateOverride', 200, async (shop) => ({
    path: { overrideId: await latestOf(shop) },
    body: { reason: 'The campaign is over' },
  })),
  shopRow('endRateOverride', 'STATE_CONFLICT', async (shop) => ({ path: { overrideId: await latestOf(shop) }, body: {} })),
];
