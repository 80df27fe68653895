import { shownTo } from '../../../actor.ts';
import { camelCursor, camelList } from '../../../http/pagination.ts';
import { type Route, route } from '../../../http/route.ts';
import { toJsonInteger } from '../../../money.ts';
import type { PayoutsService } from '../payouts-service.ts';
import { payoutBody, payoutBodyFor } from './payout-body.ts';
import {
  cancelPayout,
  getPayout,
  listPayoutCommissions,
  listPayouts,
  retryPayout,
  returnPayout,
  settlePayout,
} from './payouts-operations.ts';
import type { Payout } from './payouts-queries.ts';

export function payoutsRoutes(payouts: PayoutsService): Route[] {
  const changed = (payout: Payout) => ({ status: 200, body: payoutBody(payout) });
  return [
    route(listPayouts, ({ query, ...context }) => payouts.list(context, query), camelList(payoutBodyFor)),
    route(
      getPayout,
      ({ params, ...context }) => payouts.read(context, params.payoutId),
      ({ attempts, ...payout }, caller) => ({
        status: 200,
        body: {
          ...payoutBodyFor(payout, caller),
          attempts: attempts.map(({ createdBy, ...attempt }) => ({
            ...attempt,
            createdBy: createdBy && shownTo(caller.member, createdBy),
          })),
        },
      }),
    ),
    route(
      listPayoutCommissions,
      ({ params, query, ...context }) => payouts.listLines(context, params.payoutId, query),
      ({ rows, nextCursor }) => ({
        status: 200,
        body: {
          data: rows.map((line) => ({ ...line, amountMinor: toJsonInteger(line.amountMinor) })),
          ...camelCursor(nextCursor),
        },
      }),
    ),
    route(cancelPayout, ({ params, ...context }) => payouts.cancel(context, params.payoutId), changed),
    route(retryPayout, ({ params, ...context }) => payouts.retry(context, params.payoutId), changed),
    route(settlePayout, ({ params, body, ...context }) => payouts.settle(context, params.payoutId, body), changed),
    route(returnPayout, ({ params, body, ...context }) => payouts.returnPayout(context, params.payoutId, body.reason), changed),
  ];
}
