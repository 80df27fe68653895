import { camelList } from '../../../http/pagination.ts';
import { type Route, route } from '../../../http/route.ts';
import { payoutBody } from '../payouts/payout-body.ts';
import { createSettlement, listSettlements } from './settlements-operations.ts';
import type { SettlementsService } from './settlements-service.ts';

export function settlementsRoutes(settlements: SettlementsService): Route[] {
  return [
    route(
      createSettlement,
      ({ params, body, ...context }) => settlements.create(context, params.userId, body),
      (payout) => ({ status: 201, body: payoutBody(payout), headers: { Location: `/api/v1/payouts/${payout.id}` } }),
    ),
    route(
      listSettlements,
      ({ params, query, ...context }) => settlements.list(context, params.userId, query),
      camelList(payoutBody),
    ),
  ];
}
