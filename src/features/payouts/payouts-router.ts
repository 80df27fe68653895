import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { toJsonInteger } from '../../money.ts';
import { payoutBody } from './payout-body.ts';
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
import type { PayoutsService } from './payouts-service.ts';

export function mountPayouts(router: Router, mount: Mount, payouts: PayoutsService): void {
  const changed = (payout: Payout) => ({ status: 200, body: payoutBody(payout) });
  mount(
    router,
    listPayouts,
    ({ query, ...context }) => payouts.list(context, query),
    ({ rows, nextCursor }) => ({
      status: 200,
      body: { data: rows.map(payoutBody), hasMore: nextCursor !== null, nextCursor },
    }),
  );
  mount(
    router,
    getPayout,
    ({ params, ...context }) => payouts.read(context, params.payoutId),
    ({ attempts, ...payout }) => ({ status: 200, body: { ...payoutBody(payout), attempts } }),
  );
  mount(
    router,
    listPayoutCommissions,
    ({ params, query, ...context }) => payouts.listLines(context, params.payoutId, query),
    ({ rows, nextCursor }) => ({
      status: 200,
      body: {
        data: rows.map((line) => ({ ...line, amountMinor: toJsonInteger(line.amountMinor) })),
        hasMore: nextCursor !== null,
        nextCursor,
      },
    }),
  );
  mount(router, cancelPayout, ({ params, ...context }) => payouts.cancel(context, params.payoutId), changed);
  mount(router, retryPayout, ({ params, ...context }) => payouts.retry(context, params.payoutId), changed);
  mount(router, settlePayout, ({ params, body, ...context }) => payouts.settle(context, params.payoutId, body), changed);
  mount(
    router,
    returnPayout,
    ({ params, body, ...context }) => payouts.returnPayout(context, params.payoutId, body.reason),
    changed,
  );
}
