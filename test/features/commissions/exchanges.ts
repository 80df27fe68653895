/** Exchanges of plans and lines that the access matrix does not make. */
import { defaultPlanFor } from '../../../src/features/commissions/open/plan-definition.ts';
import type { ApiClient } from '../../support/app/api-client.ts';
import type { ExchangeRow } from '../../support/exchanges/record.ts';
import { shopRow } from '../../support/exchanges/shop.ts';

const newPlan = async (client: ApiClient): Promise<string> => {
  const plan = await client.post('/api/v1/commission-plans', { name: 'Spring plan', definition: defaultPlanFor('USD') });
  return String(plan.body.id);
};

export const commissionsExchanges: ExchangeRow[] = [
  shopRow('publishCommissionPlan', 'PLAN_INVALID', async ({ client }) => {
    const definition = { ...defaultPlanFor('USD'), levels: [{ level: 2, rateBps: 500 }] };
    const plan = await client.post('/api/v1/commission-plans', { name: 'Without a first level', definition });
    return { path: { planId: String(plan.body.id) }, body: {} };
  }),
  shopRow('updateCommissionPlan', 'PLAN_CHANGED', async ({ client }) => ({
    path: { planId: await newPlan(client) },
    body: { name: 'Autumn plan', expectedUpdatedAt: '2026-01-31T12:00:00.000Z' },
  })),
  shopRow('publishCommissionPlan', 'PLAN_CHANGED', async ({ client }) => ({
    path: { planId: await newPlan(client) },
    body: { expectedVersion: 2 },
  })),
  shopRow('releaseCommission', 'STATE_CONFLICT', async ({ client, ann }) => {
    await client.post('/api/v1/events/purchase', {
      external_event_id: 'order-1003',
      amount_minor: 5_000,
      currency: 'USD',
      customer: { external_id: 'customer-2' },
      attribution: { user_id: ann.id },
    });
    const [{ id }] = (await client.get('/api/v1/commissions?status=pending')).body.data as [{ id: string }];
    return { path: { commissionId: id }, body: {} };
  }),
];
