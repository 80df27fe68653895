import { type Route, route } from '../../../http/route.ts';
import { minorSum, toJsonInteger } from '../../../money.ts';
import { getPayoutReadiness, type ReadinessAnswer } from './readiness-operations.ts';
import type { Readiness, ReadinessService } from './readiness-service.ts';

export function readinessRoutes(readiness: ReadinessService): Route[] {
  return [
    route(
      getPayoutReadiness,
      ({ params, query, ...context }) => readiness.read(context, params.userId, query),
      (answer) => ({ status: 200, body: readinessBody(answer) }),
    ),
  ];
}

function readinessBody({ requirements, lastPaid, ...readiness }: Readiness): ReadinessAnswer {
  return {
    ...readiness,
    requirements: requirements.map(({ dueMinor, minimumMinor, payout, ...requirement }) => ({
      ...requirement,
      ...minorSum('dueMinor', dueMinor),
      minimumMinor: minimumMinor === null ? null : toJsonInteger(minimumMinor),
      payout: payout && { ...payout, ...minorSum('amountMinor', payout.amountMinor) },
    })),
    lastPaid: lastPaid && { ...lastPaid, ...minorSum('amountMinor', lastPaid.amountMinor) },
  };
}
