import type { Router } from 'express';
import type { MountReceiver } from '../../http/mount.ts';
import { receivePaymentEvent } from './payment-receiver-operations.ts';
import type { PaymentEventReceiver } from './receive-payment-event.ts';

export function mountPaymentReceiver(router: Router, mountReceiver: MountReceiver, receiver: PaymentEventReceiver): void {
  mountReceiver(router, receivePaymentEvent, async ({ query, rawBody, header, ranIn }) => {
    await receiver.receive({
      rawBody,
      signature: header('payvendor-signature'),
      environment: query.environment === 'sandbox' ? 'SANDBOX' : 'LIVE',
      tenantId: query.tenant_id,
      ranIn,
    });
    return { message: 'Event received' as const };
  });
}
