/**
 * The end of a payout's execution, whoever tells of it: the job that asks the provider, the provider's
 * event, or the tenant that pays by itself. Source: docs/specification/payouts.md#settling.
 */
import type { Provenance } from '../../../actor.ts';
import type { Db, Scope, WriteDb } from '../../../db/scope.ts';
import { toMajorText } from '../../../money.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { PayoutLines } from '../../commissions/open/line-locks.ts';
import type { DebtLocks } from '../../events/open/debt-locks.ts';
import type { MemberMail } from '../../mail/mail-service.ts';
import type { PayoutStatus } from '../open/payout-states.ts';
import { tellPayout, tellRun } from '../payouts-events.ts';
import { lockRun } from '../runs/runs-queries.ts';
import {
  countOpenPayouts,
  type LockedPayout,
  lockPayout,
  type PayoutCause,
  postMoves,
  storeRunEnd,
  storeSettled,
} from './payout-changes-queries.ts';

export interface Settlement {
  payoutId: string;
  /** Which execution it is about; the present one if left out. */
  attempt?: number;
  /** What the provider calls failed once it was paid is a return. */
  outcome: 'paid' | 'failed' | 'returned';
  failureCode?: string | null;
  failureMessage?: string | null;
  reference?: string | null;
  /** When it arrived; now by the scope's clock if left out. */
  paidAt?: Date | null;
  by: Provenance;
}

/** Undefined: no such payout. Not settled: it is not at a point, or not at that attempt, from which this follows. */
export type Settling = { settled: boolean; payout: LockedPayout } | undefined;

/** What a payout moves in the books beside its own rows. */
export interface PayoutBooks {
  lines: PayoutLines;
  debts: DebtLocks;
  /** Tells the member how it ended. */
  mail: MemberMail;
}

/** Settles a payout in the caller's transaction. */
export type SettlePayout = (db: WriteDb, scope: Scope, settlement: Settlement) => Promise<Settling>;

const MOVES = {
  paid: { line: { from: 'processing', to: 'paid' }, post: { from: 'member:processing', to: 'member:paid_out' } },
  failed: { line: { from: 'processing', to: 'cleared' }, post: { from: 'member:processing', to: 'member:cleared' } },
  returned: { line: { from: 'paid', to: 'cleared' }, post: { from: 'member:paid_out', to: 'member:cleared' } },
} as const;

/**
 * Settles a payout with its lines, journal and run in the caller's transaction. Safe to repeat: an outcome
 * that does not follow from the present state changes nothing. What did not go through for good must have
 * been taken back from the provider before.
 */
export async function settlePayout(
  { lines, debts, mail }: PayoutBooks,
  db: WriteDb,
  scope: Scope,
  settlement: Settlement,
): Promise<Settling> {
  const { payoutId, by } = settlement;
  const payout = await lockPayout(db, scope, payoutId);
  if (!payout) return undefined;
  const outcome = outcomeFrom(payout.status, settlement.outcome);
  if (outcome === undefined || (settlement.attempt ?? payout.attempt) !== payout.attempt) return { settled: false, payout };
  const { line, post } = MOVES[outcome];
  const cause: PayoutCause = `payout_${outcome}`;
  const failureCode = outcome === 'paid' ? null : (settlement.failureCode ?? null);
  // In one go, yet in this order: lines before debts, as refunds take them.
  await Promise.all([
    lines.lock(db, scope, [payoutId]),
    debts.lock(db, scope, [payout]),
    lines.move(db, scope, [payoutId], line),
    postMoves(db, scope, [payoutId], { cause, ...post, occurredAt: settlement.paidAt ?? undefined }),
    storeSettled(db, scope, payoutId, {
      status: outcome,
      failureCode: failureCode?.slice(0, 100) ?? null,
      failureMessage: outcome === 'paid' ? null : (settlement.failureMessage?.slice(0, 500) ?? null),
      reference: settlement.reference ?? null,
      paidAt: settlement.paidAt ?? null,
    }),
    recordAudit(db, scope, {
      action: `payout.${outcome}`,
      by,
      objectKind: 'payout',
      objectId: payoutId,
      details: { ...amountOf(payout), attempt: payout.attempt, ...(failureCode === null ? {} : { failureCode }) },
    }),
  ]);
  tellPayout(db, by, `payout.${outcome}`, payoutId);
  await endRunIfDone(db, scope, payout.runId, by);
  await tellMember(mail, db, scope, payout, outcome);
  return { settled: true, payout: { ...payout, status: outcome } };
}

/** Of a run's payout: what a tenant enters as paid long ago is no news to the member. */
async function tellMember(
  mail: MemberMail,
  db: Db,
  scope: Scope,
  { runId, memberId, amountMinor, currency }: LockedPayout,
  outcome: keyof typeof MOVES,
): Promise<void> {
  if (runId === null) return;
  const kind = outcome === 'paid' ? 'payout_paid' : 'payout_failed';
  const amount = `${currency} ${toMajorText(amountMinor, currency)}`;
  await mail.toMember(db, scope, { kind, values: { amount }, memberId });
}

/** Of a payout, for its entries in the audit log. */
export function amountOf({ amountMinor, currency }: Pick<LockedPayout, 'amountMinor' | 'currency'>): Record<string, string> {
  return { amountMinor: `${amountMinor}`, currency };
}

function outcomeFrom(status: PayoutStatus, outcome: Settlement['outcome']): keyof typeof MOVES | undefined {
  if (status === 'processing') return outcome === 'returned' ? 'failed' : outcome;
  if (status === 'paid' && outcome !== 'paid') return 'returned';
  return undefined;
}

/**
 * More than can ever be in transactions that do not see each other: only that close to the end does
 * everybody queue for the run, so that the last one sees that it is the last.
 */
const CLOSE_TO_THE_END = 500;

/** To be called behind every change that leaves a payout neither queued nor processing. A settlement has no run. */
export async function endRunIfDone(db: WriteDb, scope: Scope, runId: string | null, by: Provenance): Promise<void> {
  if (runId === null) return;
  if ((await countOpenPayouts(db, scope, runId, CLOSE_TO_THE_END)) < CLOSE_TO_THE_END) await endRun(db, scope, runId, by);
}

/** The same for a whole batch, which may be the last one however many there were. */
export async function endRun(db: WriteDb, scope: Scope, runId: string, by: Provenance): Promise<void> {
  const [, ended] = await Promise.all([lockRun(db, scope, runId), storeRunEnd(db, scope, runId)]);
  if (ended) tellRun(db, by, 'payout_run.completed', runId);
}
