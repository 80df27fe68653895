import { type Route, receiverRoute } from '../../../http/route.ts';
import { receivePaymentEvent } from './payment-receiver-operations.ts';
import type { PaymentEventReceiver } from './receive-payment-event.ts';

export function paymentReceiverRoutes(receiver: PaymentEventReceiver): Route[] {
  return [
    receiverRoute(receivePaymentEvent, async ({ query, rawBody, header, ranIn, requestId }) => {
      await receiver.receive({
        rawBody,
        requestId,
        signature: header('payvendor-signature'),
        environment: query.environment === 'sandbox' ? 'SANDBOX' : 'LIVE',
        tenantId: query.tenant_id,
        ranIn,
      });
      return { message: 'Event received' as const };
    }),
  ];
}
