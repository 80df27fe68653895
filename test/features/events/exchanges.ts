/** Exchanges of events that the access matrix does not make. */
import { defaultPlanFor } from '../../../src/features/commissions/open/plan-definition.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { type ExchangeRow, sendAs } from '../../support/exchanges/record.ts';
import { NOBODY, shopRow } from '../../support/exchanges/shop.ts';

const order = {
  external_event_id: 'order-1001',
  amount_minor: 12_000,
  tax_minor: 1_000,
  shipping_minor: 500,
  currency: 'USD',
  customer: { external_id: 'customer-1' },
};
const refund = {
  external_event_id: 'refund-1001',
  purchase_external_event_id: 'order-1001',
  amount_minor: 6_000,
  reason: 'One of two sent back',
};
const dispute = {
  external_event_id: 'dispute-1001-opened',
  purchase_external_event_id: 'order-1001',
  amount_minor: 6_000,
  dispute_id: 'dispute-1001',
  stage: 'opened',
};
const grant = {
  external_event_id: 'bonus-2026-01',
  type: 'bonus',
  amount_minor: 2_500,
  currency: 'USD',
  description: 'Most sales in January',
  actor: 'Pat of finance',
};
const byCode = { attribution: { referral_code: 'ANN' } };

export const eventsExchanges: ExchangeRow[] = [
  shopRow('recordPurchase', 201, () => ({ body: { ...order, ...byCode } })),
  shopRow('recordPurchase', 200, () => ({ body: { ...order, ...byCode } })),
  shopRow('previewReversal', 200, async ({ client }) => {
    const [{ event_id }] = (await client.get('/api/v1/events?external_event_id=order-1001')).body.data as [{ event_id: string }];
    return { path: { event_id }, body: { kind: 'refund', amount_minor: 6_000 } };
  }),
  shopRow('recordRefund', 201, () => ({ body: refund })),
  shopRow('recordRefund', 200, () => ({ body: refund })),
  shopRow('recordChargeback', 201, () => ({ body: dispute })),
  shopRow('recordChargeback', 200, () => ({ body: dispute })),
  shopRow('recordManualCommission', 201, ({ ann }) => ({ body: { ...grant, user_id: ann.id } })),
  shopRow('recordManualCommission', 200, ({ ann }) => ({ body: { ...grant, user_id: ann.id } })),
  shopRow('recordEventBatch', 207, () => ({
    body: { events: [{ kind: 'purchase', ...order, external_event_id: 'order-1002', ...byCode }] },
  })),
  shopRow('quotePurchase', 200, () => ({
    body: { amountMinor: 12_000, taxMinor: 1_000, shippingMinor: 500, currency: 'USD', attribution: { referralCode: 'ANN' } },
  })),
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
  shopRow('getEvent', 'NOT_FOUND', () => ({ path: { event_id: NOBODY } })),
  shopRow('recordPurchase', 'EVENT_ID_REUSED', () => ({ body: { ...order, ...byCode, amount_minor: 13_000 } })),
  shopRow('recordRefund', 'REFUND_EXCEEDS_PURCHASE', () => ({
    body: { ...refund, external_event_id: 'refund-1003', amount_minor: 20_000 },
  })),
  shopRow('recordRefund', 'CURRENCY_MISMATCH', () => ({
    body: { ...refund, external_event_id: 'refund-1004', amount_minor: 1, currency: 'EUR' },
  })),
  shopRow('recordManualCommission', 'BALANCE_LIMIT', ({ ann }) => ({
    body: { ...grant, external_event_id: 'bonus-2026-02', user_id: ann.id, amount_minor: 100_000_001 },
  })),
];
