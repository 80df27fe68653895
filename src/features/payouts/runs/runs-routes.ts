import { camelList } from '../../../http/pagination.ts';
import { type Route, route } from '../../../http/route.ts';
import { minorSum, toJsonInteger } from '../../../money.ts';
import { payoutBody } from '../payouts/payout-body.ts';
import type { RetryRun } from './retry-run.ts';
import { retryPayoutRun } from './retry-run-operations.ts';
import {
  approvePayoutRun,
  cancelPayoutRun,
  createPayoutRun,
  executePayoutRun,
  getPayoutRun,
  listBlockedMembers,
  listPayoutRuns,
  type RunAnswer,
} from './runs-operations.ts';
import type { BlockedMember, PayoutRun, RunWithHands } from './runs-queries.ts';
import type { DraftedRun, RunsService } from './runs-service.ts';

export function payoutRunsRoutes(runs: RunsService, retryFailed: RetryRun): Route[] {
  const changed = (run: PayoutRun) => ({ status: 200, body: runBody(run) });
  return [
    route(createPayoutRun, ({ body, ...context }) => runs.draft(context, body), draftAnswer),
    route(listPayoutRuns, ({ query, ...context }) => runs.list(context, query), camelList(listedBody)),
    route(
      getPayoutRun,
      ({ params, ...context }) => runs.read(context, params.runId),
      ({ byStatus, ...run }) => ({
        status: 200,
        body: {
          ...listedBody(run),
          byStatus: byStatus.map(({ totalMinor, ...counted }) => ({ ...counted, ...minorSum('totalMinor', totalMinor) })),
        },
      }),
    ),
    route(
      listBlockedMembers,
      ({ params, query, ...context }) => runs.listBlocked(context, params.runId, query),
      camelList(blockedBody),
    ),
    route(approvePayoutRun, ({ params, ...context }) => runs.approve(context, params.runId), changed),
    route(executePayoutRun, ({ params, ...context }) => runs.execute(context, params.runId), changed),
    route(retryPayoutRun, ({ params, body, ...context }) => retryFailed(context, params.runId, body)),
    route(cancelPayoutRun, ({ params, ...context }) => runs.cancel(context, params.runId), changed),
  ];
}

/** What a dry run shows was never stored, so nothing in it has an id to ask for. */
function draftAnswer({ run, isDry, payouts, blocked, ...more }: DraftedRun) {
  const shown = { ...more, blocked: blocked.map(blockedBody) };
  if (isDry) {
    const planned = payouts.map((payout) => ({ ...payoutBody(payout), id: null, runId: null }));
    return { status: 200, body: { ...runBody(run), id: null, ...shown, payouts: planned } };
  }
  return {
    status: 201,
    body: { ...runBody(run), ...shown, payouts: payouts.map(payoutBody) },
    headers: { Location: `/api/v1/payout-runs/${run.id}` },
  };
}

function runBody({ totalMinor, minimumMinor, minimumSource, ...run }: PayoutRun): RunAnswer {
  return {
    ...run,
    ...minorSum('totalMinor', totalMinor),
    minimumPayout:
      minimumMinor === null || minimumSource === null
        ? null
        : { amountMinor: toJsonInteger(minimumMinor), source: minimumSource },
  };
}

function listedBody({ firstHands, ...run }: RunWithHands) {
  return { ...runBody(run), firstHands };
}

function blockedBody({ memberId, reason, amountMinor, ...hold }: BlockedMember) {
  return {
    userId: memberId,
    reason,
    ...minorSum('amountMinor', amountMinor),
    payoutHold: reason === 'HELD' ? holdBody(hold) : null,
  };
}

function holdBody({
  holdReason,
  holdUntil,
  heldBy,
  heldAt,
}: Pick<BlockedMember, 'holdReason' | 'holdUntil' | 'heldBy' | 'heldAt'>) {
  if (holdReason === null || heldAt === null) return null;
  return { reason: holdReason, until: holdUntil, createdBy: heldBy, createdAt: heldAt };
}
