import { type Route, route } from '../../../http/route.ts';
import { getPayoutHold, liftPayoutHold, setPayoutHold } from './payout-hold-operations.ts';
import type { PayoutHoldService } from './payout-hold-service.ts';

export function payoutHoldRoutes(holds: PayoutHoldService): Route[] {
  return [
    route(getPayoutHold, ({ params, ...context }) => holds.read(context, params.userId)),
    route(setPayoutHold, ({ params, body, ...context }) => holds.set(context, params.userId, body)),
    route(liftPayoutHold, ({ params, ...context }) => holds.lift(context, params.userId)),
  ];
}
