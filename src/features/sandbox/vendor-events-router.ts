import type { Router } from 'express';
import type { z } from 'zod';
import type { Mount } from '../../http/mount.ts';
import type { SandboxEventsService } from '../kyc/sandbox-events-service.ts';
import type { SimulatedPaymentEvents } from '../payouts/simulated-payment-events.ts';
import { sendVendorEvent } from './vendor-events-operations.ts';

export function mountVendorEvents(
  router: Router,
  mount: Mount,
  { sandboxEvents, simulatedPayments }: { sandboxEvents: SandboxEventsService; simulatedPayments: SimulatedPaymentEvents },
): void {
  mount(
    router,
    sendVendorEvent,
    ({ body, ...context }): Promise<z.input<typeof sendVendorEvent.response>> =>
      body.kind === 'kyc' ? sandboxEvents.send(context, body) : simulatedPayments.send(context, body),
  );
}
