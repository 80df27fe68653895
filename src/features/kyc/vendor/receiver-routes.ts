import { type Route, receiverRoute } from '../../../http/route.ts';
import type { EventReceiver } from './receive-event.ts';
import { receiveKycEvent } from './receiver-operations.ts';

export function kycReceiverRoutes(receiver: EventReceiver): Route[] {
  return [
    receiverRoute(receiveKycEvent, async ({ query, rawBody, header, ranIn, requestId }) => {
      await receiver.receive({
        tenantId: query.tenant_id,
        rawBody,
        digest: header('x-payload-digest'),
        algorithm: header('x-payload-digest-alg'),
        ranIn,
        requestId,
      });
      return { message: 'Event received' as const };
    }),
  ];
}
