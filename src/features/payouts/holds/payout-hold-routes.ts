import { camelList } from '../../../http/pagination.ts';
import { type Route, route } from '../../../http/route.ts';
import { getPayoutHold, liftPayoutHold, listPayoutHolds, setPayoutHold } from './payout-hold-operations.ts';
import type { PayoutHoldService } from './payout-hold-service.ts';

export function payoutHoldRoutes(holds: PayoutHoldService): Route[] {
  return [
    route(
      listPayoutHolds,
      ({ query, ...context }) => holds.list(context, query),
      camelList(({ memberId, setAt: _place, ...hold }) => ({ userId: memberId, ...hold })),
    ),
    route(getPayoutHold, ({ params, ...context }) => holds.read(context, params.userId)),
    route(setPayoutHold, ({ params, body, ...context }) => holds.set(context, params.userId, body)),
    route(liftPayoutHold, ({ params, ...context }) => holds.lift(context, params.userId)),
  ];
}
