import type { z } from 'zod';
import { type Route, route } from '../../http/route.ts';
import type { KycOffers } from '../kyc/kyc-feature.ts';
import type { PayoutsOffers } from '../payouts/payouts-feature.ts';
import { sendVendorEvent } from './vendor-events-operations.ts';

export function vendorEventsRoutes({
  sandboxEvents,
  simulatedPayments,
}: {
  sandboxEvents: KycOffers['simulatedEvents'];
  simulatedPayments: PayoutsOffers['simulatedEvents'];
}): Route[] {
  return [
    route(
      sendVendorEvent,
      ({ body, ...context }): Promise<z.input<typeof sendVendorEvent.response>> =>
        body.kind === 'kyc' ? sandboxEvents.send(context, body) : simulatedPayments.send(context, body),
    ),
  ];
}
