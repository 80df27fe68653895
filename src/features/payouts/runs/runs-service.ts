/** Payout runs: drafted, approved, executed, cancelled. Source: docs/specification/payouts.md#runs. */
import type { z } from 'zod';
import { type ActingScope, actorRef, type Provenance } from '../../../actor.ts';
import { violates } from '../../../db/constraints.ts';
import type { Frames } from '../../../db/frame.ts';
import { undone } from '../../../db/savepoint.ts';
import type { Db, Scope, WriteDb } from '../../../db/scope.ts';
import { AppError, invalidField } from '../../../errors.ts';
import type { CallContext, RequestContext } from '../../../http/operation.ts';
import type { Cursors, Page } from '../../../http/pagination.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { MinimumPayout } from '../../commissions/open/minimum-payout.ts';
import { twoHandsErrors } from '../../two-hands/open/two-hands-errors.ts';
import { stricterRule } from '../../two-hands/open/two-hands-rule.ts';
import type { TwoHandsOffers } from '../../two-hands/two-hands-feature.ts';
import type { NameJudge } from '../names/judge-names.ts';
import { type PayoutStatus, type RunStatus, runCanMove } from '../open/payout-states.ts';
import { listPayouts, type Payout } from '../payouts/payouts-queries.ts';
import { endRunIfDone } from '../payouts/settle-payout.ts';
import { tellPayouts, tellRun } from '../payouts-events.ts';
import type { PayoutFreeze } from '../reconcile/freeze.ts';
import { keepComparison } from '../review/difference-queries.ts';
import { PAYMENT_DEFAULTS } from '../settings/payment-settings.ts';
import { paymentSettingsStatement } from '../settings/payment-settings-queries.ts';
import { stepOf } from './block-rules.ts';
import { insertDraft, lockDraftsOf, readCutoff } from './draft-queries.ts';
import type { createPayoutRun, listBlockedMembers, listPayoutRuns } from './runs-operations.ts';
import {
  allowLongStatements,
  approveRun,
  type BlockedMember,
  cancelRun,
  countByStatus,
  executeRun,
  findRun,
  findRunWithHands,
  listBlocked,
  listRuns,
  lockRun,
  type PayoutRun,
  type RunWithHands,
  readRunHands,
  reopenRun,
} from './runs-queries.ts';

type Create = z.output<(typeof createPayoutRun)['body'] & {}>;
type List = z.output<(typeof listPayoutRuns)['query'] & {}>;
type ListBlocked = z.output<(typeof listBlockedMembers)['query'] & {}>;

export interface DraftedRun {
  run: PayoutRun;
  isDry: boolean;
  /** The first of each. */
  payouts: Payout[];
  hasMorePayouts: boolean;
  blocked: BlockedMember[];
  hasMoreBlocked: boolean;
}

/** Who drafts, and in whose hands. */
export type Drafter = ActingScope & { root: string };

export interface RunWithCounts extends RunWithHands {
  byStatus: { status: PayoutStatus; count: number; totalMinor: bigint }[];
}

export interface RunsService {
  /** 400 on a cutoff in the future. */
  draft(context: CallContext, input: Create): Promise<DraftedRun>;
  /** The same in the caller's transaction, stored and told. */
  draftWithin(db: WriteDb, drafter: Drafter, input: Omit<Create, 'dryRun'>): Promise<DraftedRun>;
  list(context: RequestContext, query: List): Promise<Page<RunWithHands>>;
  /** NOT_FOUND. */
  read(context: RequestContext, runId: string): Promise<RunWithCounts>;
  /** NOT_FOUND. */
  listBlocked(context: RequestContext, runId: string, query: ListBlocked): Promise<Page<BlockedMember>>;
  /** NOT_FOUND; STATE_CONFLICT; SECOND_PERSON_REQUIRED for the hands that drafted it, under dual control. */
  approve(context: CallContext, runId: string): Promise<PayoutRun>;
  /** NOT_FOUND; STATE_CONFLICT; PAYOUTS_FROZEN; SECOND_PERSON_REQUIRED for a run of one pair of hands, under dual control. */
  execute(context: CallContext, runId: string): Promise<PayoutRun>;
  /** NOT_FOUND, STATE_CONFLICT. */
  cancel(context: CallContext, runId: string): Promise<PayoutRun>;
}

export interface RunsDeps {
  frames: Frames;
  cursors: Cursors;
  twoHands: TwoHandsOffers;
  readMinimumPayout(db: Db, scope: Scope, currency: string, at: Date): Promise<MinimumPayout | undefined>;
  names: NameJudge;
  freeze: Pick<PayoutFreeze, 'refuse'>;
}

/** Who drafts on a schedule, as an `actorRef`. */
const BY_ITSELF = actorRef({ kind: 'system', id: null });

/** Payouts and blocked members in the answer to a draft. */
const SHOWN = 100;

export function createRunsService({ frames, cursors, twoHands, readMinimumPayout, names, freeze }: RunsDeps): RunsService {
  async function makeDraft(db: Db, scope: Drafter, input: Create): Promise<DraftedRun> {
    const [[settings = PAYMENT_DEFAULTS], dualControl, { now, cutoff }] = await Promise.all([
      db.rows(paymentSettingsStatement(scope)),
      twoHands.readRule(db, scope),
      readCutoff(db, scope, input.cutoffAt),
      allowLongStatements(db),
      lockDraftsOf(db, scope, input.currency),
    ]);
    if (cutoff > now) throw invalidField('cutoffAt', 'must not be in the future');
    const minimum = await readMinimumPayout(db, scope, input.currency, cutoff);
    await names.ofRun(db, scope, { currency: input.currency, provider: settings.provider });
    const run = await insertUnlessTaken(db, scope, {
      ...settings,
      currency: input.currency,
      cutoff,
      now,
      minimum,
      createdBy: actorRef(scope.provenance.actor),
      drafterRoot: scope.root,
      dualControl,
      payableStep: stepOf(settings.provider, input.currency),
    });
    const [payouts, blocked] = await Promise.all([
      listPayouts(db, scope, { runId: run.id }, undefined, SHOWN + 1),
      listBlocked(db, scope, { runId: run.id, reason: undefined }, undefined, SHOWN + 1),
    ]);
    return {
      run,
      isDry: input.dryRun,
      payouts: payouts.slice(0, SHOWN),
      hasMorePayouts: payouts.length > SHOWN,
      blocked: blocked.slice(0, SHOWN),
      hasMoreBlocked: blocked.length > SHOWN,
    };
  }

  async function draftWithin(db: WriteDb, drafter: Drafter, input: Omit<Create, 'dryRun'>): Promise<DraftedRun> {
    const drafted = await makeDraft(db, drafter, { ...input, dryRun: false });
    const { id, payoutCount } = drafted.run;
    await keepComparison(db, drafter, drafted.run);
    tellRun(db, drafter.provenance, 'payout_run.drafted', id);
    if (payoutCount > 0) tellPayouts(db, drafter.provenance, 'payouts.drafted', { runId: id });
    await audit(db, drafter, drafted.run, 'drafted');
    return drafted;
  }

  /** Locked, and able to become `to`. */
  async function lockToMove(db: Db, scope: Scope, runId: string, to: RunStatus, done: string): Promise<PayoutRun> {
    const run = await lockRun(db, scope, runId);
    if (!run) throw noSuchRun();
    if (!runCanMove(run.status, to)) throw new AppError('STATE_CONFLICT', `A ${run.status} run cannot be ${done}`);
    return run;
  }

  return {
    draftWithin,

    draft: (context, input) =>
      frames.write(
        context.scope,
        (db) => (input.dryRun ? undone(db, () => makeDraft(db, context.scope, input)) : draftWithin(db, context.scope, input)),
        { guard: context.guard, shape: context.shape },
      ),

    async list({ scope }, { limit, cursor, status, currency, createdFrom, createdTo }) {
      const filters = { status, currency, createdFrom, createdTo };
      const list = { scope, operationId: 'listPayoutRuns', filters };
      const beforeId = cursors.open(cursor, list);
      const rows = await frames.read(scope, (db) => listRuns(db, scope, filters, beforeId, limit + 1));
      return cursors.page(rows, limit, list, (run) => run.id);
    },

    read: ({ scope }, runId) =>
      frames.read(scope, async (db) => {
        const [run, byStatus] = await Promise.all([findRunWithHands(db, scope, runId), countByStatus(db, scope, runId)]);
        if (!run) throw noSuchRun();
        return { ...run, byStatus };
      }),

    async listBlocked({ scope }, runId, { limit, cursor, reason, sort }) {
      const filters = { runId, reason, sort };
      const list = { scope, operationId: 'listBlockedMembers', filters };
      const after = cursors.open(cursor, list);
      const [run, rows] = await frames.read(scope, (db) =>
        Promise.all([findRun(db, scope, runId), listBlocked(db, scope, filters, after, limit + 1)]),
      );
      if (!run) throw noSuchRun();
      return cursors.page(rows, limit, list, (blocked) => blocked.memberId);
    },

    approve: (context, runId) =>
      frames.write(
        context.scope,
        async (db) => {
          const { scope } = context;
          const run = await lockToMove(db, scope, runId, 'approved', 'approved');
          const [present, { drafter, drafterRoot }] = await Promise.all([
            twoHands.readRule(db, scope),
            readRunHands(db, scope, runId),
          ]);
          // What was tightened meanwhile binds at once, what was weakened does not help a run that was there.
          const rule = stricterRule(run.dualControl ?? 'none', present);
          // Of a scheduled draft the first pair are those who have set the schedule.
          const actor = drafter === BY_ITSELF ? drafterRoot : drafter;
          if (rule !== 'none') await twoHands.requireSecondPair(db, scope, { root: drafterRoot, actor }, rule);
          const approved = await approveRun(db, scope, runId, scope.provenance.actor);
          tellRun(db, scope.provenance, 'payout_run.approved', runId);
          await audit(db, scope, approved, 'approved');
          return approved;
        },
        { guard: context.guard, shape: context.shape },
      ),

    execute: (context, runId) =>
      frames.write(
        context.scope,
        async (db) => {
          const { scope } = context;
          const run = await lockToMove(db, scope, runId, 'executing', 'executed');
          if (run.status !== 'approved') {
            throw new AppError('STATE_CONFLICT', 'The run was executed; its failed payouts are retried one by one');
          }
          await freeze.refuse(db);
          await refuseOfOnePair(db, scope, runId, twoHands);
          await allowLongStatements(db);
          const executing = await executeRun(db, scope, runId, scope.provenance.actor);
          tellRun(db, scope.provenance, 'payout_run.executed', runId);
          if (executing.payoutCount > 0) tellPayouts(db, scope.provenance, 'payouts.updated', { runId });
          await audit(db, scope, executing, 'executed');
          // All of its payouts may have been cancelled.
          await endRunIfDone(db, scope, runId, scope.provenance);
          return (await findRun(db, scope, runId)) ?? executing;
        },
        { guard: context.guard, shape: context.shape },
      ),

    cancel: (context, runId) =>
      frames.write(
        context.scope,
        async (db) => {
          const { scope } = context;
          await lockToMove(db, scope, runId, 'cancelled', 'cancelled');
          await allowLongStatements(db);
          const cancelled = await cancelRun(db, scope, runId);
          tellRun(db, scope.provenance, 'payout_run.cancelled', runId);
          if (cancelled.payoutCount > 0) tellPayouts(db, scope.provenance, 'payouts.cancelled', { runId });
          await audit(db, scope, cancelled, 'cancelled');
          return cancelled;
        },
        { guard: context.guard, shape: context.shape },
      ),
  };
}

function audit(
  db: Db,
  scope: ActingScope,
  run: PayoutRun,
  deed: 'drafted' | 'approved' | 'executed' | 'cancelled',
): Promise<void> {
  const { currency, payoutCount, totalMinor } = run;
  return recordAudit(db, scope, {
    action: `payout_run.${deed}`,
    by: scope.provenance,
    objectKind: 'payout_run',
    objectId: run.id,
    details: { currency, payoutCount, totalMinor: `${totalMinor}` },
  });
}

/** Behind a retry of one of its payouts: the run has something to do again. */
export async function reopenForRetry(db: WriteDb, scope: Scope, runId: string, by: Provenance): Promise<void> {
  const [, reopened] = await Promise.all([lockRun(db, scope, runId), reopenRun(db, scope, runId)]);
  if (reopened) tellRun(db, by, 'payout_run.updated', runId);
}

/**
 * Of a locked run that is to be executed, or one of whose payouts is: SECOND_PERSON_REQUIRED where one pair of hands has
 * drafted and approved it, before dual control was switched on.
 */
export async function refuseOfOnePair(db: Db, scope: Scope, runId: string, { readRule }: TwoHandsOffers): Promise<void> {
  const [rule, { drafterRoot, approverRoot }] = await Promise.all([readRule(db, scope), readRunHands(db, scope, runId)]);
  if (rule === 'none' || drafterRoot !== approverRoot) return;
  throw new AppError(
    twoHandsErrors.SECOND_PERSON_REQUIRED,
    'Dual control: one pair of hands has drafted and approved the run, before a second was asked for; its commissions can be drafted again',
  );
}

export function noSuchRun(): AppError {
  return new AppError('NOT_FOUND', 'No such payout run');
}

async function insertUnlessTaken(...draft: Parameters<typeof insertDraft>): ReturnType<typeof insertDraft> {
  try {
    return await insertDraft(...draft);
  } catch (error) {
    if (!violates(error, 'payout_line_live_key')) throw error;
    throw new AppError('STATE_CONFLICT', 'A payout that is retried took commissions meanwhile; draft again', { cause: error });
  }
}
