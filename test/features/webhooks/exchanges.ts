/** Exchanges of endpoints that say something to a reader. */
import type { ExchangeRow } from '../../support/exchanges/record.ts';
import { shopRow } from '../../support/exchanges/shop.ts';

export const webhooksExchanges: ExchangeRow[] = [
  shopRow('createWebhookEndpoint', 201, () => ({
    body: { url: 'https://hooks.example/commissions', eventTypes: ['payout.*', 'member.created'], description: 'Shop backend' },
  })),
  shopRow('updateWebhookEndpoint', 200, async ({ client }) => {
    const [{ id }] = (await client.get('/api/v1/webhook-endpoints')).body.data as [{ id: string }];
    return { path: { endpointId: id }, body: { eventTypes: ['payout.*', 'member.*'] } };
  }),
  shopRow('replayWebhookEvents', 'ENDPOINT_DISABLED', async ({ client }) => {
    const [{ id }] = (await client.get('/api/v1/webhook-endpoints')).body.data as [{ id: string }];
    await client.patch(`/api/v1/webhook-endpoints/${id}`, { enabled: false });
    return { path: { endpointId: id }, body: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' } };
  }),
];
