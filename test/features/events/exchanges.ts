/** Exchanges of events that the access matrix does not make. */
import { defaultPlanFor } from '../../../src/features/commissions/open/plan-definition.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { type ExchangeRow, sendAs } from '../../support/exchanges/record.ts';

export const eventsExchanges: ExchangeRow[] = [
  {
    operationId: 'recordPurchase',
    gets: 'EXCHANGE_RATE_MISSING',
    request: () => ({
      body: {
        external_event_id: 'order-1001',
        amount_minor: 12_000,
        currency: 'USD',
        customer: { external_id: 'customer-1' },
        attribution: { referral_code: 'ANN' },
      },
    }),
    async send(world, side, operation, request) {
      const { liveKey } = await world.app.newTenant();
      const client = apiClient(world.app, liveKey);
      const ann = await client.newMember({ pay_currency: 'JPY' });
      await client.post('/api/v1/referrals/codes', { user_id: ann.id, code: 'ANN' });
      const definition = {
        ...defaultPlanFor('USD'),
        fx: { payCurrency: 'member', rateAt: 'occurred_at' },
        scope: { priority: 1 },
      };
      const plan = await client.post('/api/v1/commission-plans', { name: "In the members' currencies", definition });
      await client.post(`/api/v1/commission-plans/${String(plan.body.id)}/publish`, {});
      return sendAs(world, side, operation, request, { 'x-tenant-api-key': liveKey });
    },
  },
];
