import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { toJsonInteger } from '../../money.ts';
import { payoutBody } from './payout-body.ts';
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
import type { BlockedMember, PayoutRun } from './runs-queries.ts';
import type { DraftedRun, RunsService } from './runs-service.ts';

export function mountPayoutRuns(router: Router, mount: Mount, runs: RunsService): void {
  const changed = (run: PayoutRun) => ({ status: 200, body: runBody(run) });
  mount(router, createPayoutRun, ({ body, ...context }) => runs.draft(context, body), draftAnswer);
  mount(
    router,
    listPayoutRuns,
    ({ query, ...context }) => runs.list(context, query),
    ({ rows, nextCursor }) => ({ status: 200, body: { data: rows.map(runBody), hasMore: nextCursor !== null, nextCursor } }),
  );
  mount(
    router,
    getPayoutRun,
    ({ params, ...context }) => runs.read(context, params.runId),
    ({ byStatus, ...run }) => ({
      status: 200,
      body: {
        ...runBody(run),
        byStatus: byStatus.map(({ totalMinor, ...counted }) => ({ ...counted, totalMinor: toJsonInteger(totalMinor) })),
      },
    }),
  );
  mount(
    router,
    listBlockedMembers,
    ({ params, query, ...context }) => runs.listBlocked(context, params.runId, query),
    ({ rows, nextCursor }) => ({
      status: 200,
      body: { data: rows.map(blockedBody), hasMore: nextCursor !== null, nextCursor },
    }),
  );
  mount(router, approvePayoutRun, ({ params, ...context }) => runs.approve(context, params.runId), changed);
  mount(router, executePayoutRun, ({ params, ...context }) => runs.execute(context, params.runId), changed);
  mount(router, cancelPayoutRun, ({ params, ...context }) => runs.cancel(context, params.runId), changed);
}

/** What a dry run shows was never stored, so nothing in it has an id to ask for. */
function draftAnswer({ run, isDry, payouts, blocked, ...more }: DraftedRun) {
  const unnamed = isDry ? { id: null, runId: null } : {};
  return {
    status: isDry ? 200 : 201,
    body: {
      ...runBody(run),
      ...(isDry && { id: null }),
      ...more,
      payouts: payouts.map((payout) => ({ ...payoutBody(payout), ...unnamed })),
      blocked: blocked.map(blockedBody),
    },
    ...(!isDry && { headers: { Location: `/api/v1/payout-runs/${run.id}` } }),
  };
}

function runBody({ totalMinor, ...run }: PayoutRun): RunAnswer {
  return { ...run, totalMinor: toJsonInteger(totalMinor) };
}

function blockedBody({ memberId, reason, amountMinor }: BlockedMember) {
  return { userId: memberId, reason, amountMinor: toJsonInteger(amountMinor) };
}
