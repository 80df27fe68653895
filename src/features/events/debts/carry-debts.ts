/**
 * What a plan does with the debt of a member whose commission was paid out and is clawed back: carries
 * it forward, up to a floor if it sets one, or forgives it. And what becomes of that when the
 * commission is reinstated: a member who was paid, and forgiven, must not be paid once more. A pure
 * function. Source: docs/specification/commissions.md#recovery.
 */
import { createHash } from 'node:crypto';
import type { NewLine } from '../../commissions/open/commission-line.ts';
import type { PlanDefinition } from '../../commissions/open/plan-definition.ts';
import { postLines } from '../../ledger/open/journal.ts';
import type { StoredReversal } from '../event-kinds.ts';
import { debtKey } from '../purchases/plan-limits-queries.ts';
import type { TakeBack } from '../reversals/take-back.ts';
import type { Debt } from './debt-queries.ts';

type Policy = PlanDefinition['reversal'];

export interface Moment {
  /** By the scope's clock. */
  now: Date;
  /** Of the event. */
  occurredAt: Date;
}

interface Standing {
  balanceMinor: bigint;
  forgivenMinor: bigint;
}

/** A line about paid money, where its member stood before it, and what is written off for it; negative to recover. */
interface Step {
  line: NewLine;
  before: Standing;
  policy: Policy | undefined;
  writtenOffMinor: bigint;
}

/** Lines of one member and currency count one after the other, in their order. */
export function carryDebts(
  takeBack: TakeBack,
  debts: readonly Debt[],
  policies: ReadonlyMap<string, Policy>,
  moment: Moment,
): TakeBack {
  const steps = stepsOf(takeBack, debts, policies);
  const dated = new Map(steps.map((step) => [step.line, withWriteOff(step)]));
  const settled = steps.filter(({ writtenOffMinor }) => writtenOffMinor !== 0n);
  const lines = settled.map((step) => writeOffLine(step, moment));
  const forgiven = settled.filter(({ writtenOffMinor }) => writtenOffMinor > 0n).map(forgivenOf);
  const recovered = settled.filter(({ writtenOffMinor }) => writtenOffMinor < 0n).map(recoveredOf);
  return {
    ...takeBack,
    lines: [...takeBack.lines.map((line) => dated.get(line) ?? line), ...lines],
    postings: [
      ...takeBack.postings,
      ...postLines(
        lines.map((line) => ({ ...line, account: 'member:cleared' })),
        { against: 'company:write_off' },
      ),
    ],
    reversal: {
      ...takeBack.reversal,
      ...(forgiven.length > 0 && { forgiven }),
      ...(recovered.length > 0 && { recovered }),
    },
  };
}

function stepsOf({ afterPayout, postings }: TakeBack, debts: readonly Debt[], policies: ReadonlyMap<string, Policy>): Step[] {
  const sumOf = (amounts: readonly { amountMinor: bigint }[]) => amounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const standings = new Map<string, Standing>(
    debts.map(({ memberId, currency, clearedMinor, forgivenMinor }) => {
      const posted = postings.filter(
        (posting) => posting.account === 'member:cleared' && posting.memberId === memberId && posting.currency === currency,
      );
      const own = afterPayout.filter((line) => line.beneficiaryId === memberId && line.currency === currency);
      // What else the event does to the balance counts before its clawbacks do.
      return [debtKey(memberId, currency), { balanceMinor: clearedMinor + sumOf(posted) - sumOf(own), forgivenMinor }];
    }),
  );
  return afterPayout.map((line) => {
    const key = debtKey(line.beneficiaryId, line.currency);
    const before = standings.get(key) ?? { balanceMinor: 0n, forgivenMinor: 0n };
    const policy = policies.get(line.planVersionId ?? '');
    const writtenOffMinor =
      line.amountMinor < 0n
        ? forgivenAtOnce(-line.amountMinor, before.balanceMinor, policy, line.currency)
        : -within(before.forgivenMinor, line.amountMinor);
    standings.set(key, {
      balanceMinor: before.balanceMinor + line.amountMinor + writtenOffMinor,
      forgivenMinor: before.forgivenMinor + writtenOffMinor,
    });
    return { line, before, policy, writtenOffMinor };
  });
}

function forgivenAtOnce(clawedBackMinor: bigint, balanceMinor: bigint, policy: Policy | undefined, currency: string): bigint {
  if (policy?.recoverAfterPayout === 'write_off') return clawedBackMinor;
  const floorMinor = floorOf(policy, currency);
  return floorMinor === null ? 0n : within(clawedBackMinor - balanceMinor - floorMinor, clawedBackMinor);
}

/** The most a member can come to owe; null for no bound. */
function floorOf(policy: Policy | undefined, currency: string): bigint | null {
  const floorMinor = policy?.floorMinor?.[currency];
  return floorMinor === undefined ? null : BigInt(floorMinor);
}

/** From nothing to `most`. */
function within(amountMinor: bigint, most: bigint): bigint {
  if (amountMinor < 0n) return 0n;
  return amountMinor > most ? most : amountMinor;
}

/** A clawback that leaves something to be written off in time. */
function withWriteOff({ line, policy, writtenOffMinor }: Step): NewLine {
  const amountMinor = -line.amountMinor - writtenOffMinor;
  const afterDays = policy?.writeOffAfterDays ?? null;
  return afterDays === null || amountMinor <= 0n ? line : { ...line, writeOff: { afterDays, amountMinor } };
}

/** A line of its own, linked to none: it is no part of what a purchase pays. */
function writeOffLine({ line, before, writtenOffMinor }: Step, { now, occurredAt }: Moment): NewLine {
  const inputs = [line.reversesLineId, `${line.amountMinor}`, `${before.balanceMinor}`, `${before.forgivenMinor}`];
  return {
    beneficiaryId: line.beneficiaryId,
    kind: 'write_off',
    source: 'manual',
    level: 0,
    legId: null,
    paidLevel: 0,
    rateBps: 0,
    flatMinor: null,
    multiplierMilli: 1000,
    baseMinor: 0n,
    amountMinor: writtenOffMinor,
    currency: line.currency,
    conversion: null,
    cappedMinor: 0n,
    cap: null,
    status: 'cleared',
    holdCause: null,
    clearsAt: now,
    occurredAt,
    planVersionId: line.planVersionId,
    paySource: null,
    calculationHash: createHash('sha256')
      .update(JSON.stringify(['write_off', ...inputs, `${writtenOffMinor}`]))
      .digest(),
    reversesLineId: null,
    aboutEventId: null,
  };
}

function aboutLine({ line }: Step) {
  return { lineId: line.reversesLineId ?? '', memberId: line.beneficiaryId, currency: line.currency };
}

function forgivenOf(step: Step): NonNullable<StoredReversal['forgiven']>[number] {
  const { line, before, policy, writtenOffMinor } = step;
  return {
    ...aboutLine(step),
    clawedBackMinor: `${-line.amountMinor}`,
    balanceMinor: `${before.balanceMinor}`,
    floorMinor: floorOf(policy, line.currency)?.toString() ?? null,
    amountMinor: `${writtenOffMinor}`,
  };
}

function recoveredOf(step: Step): NonNullable<StoredReversal['recovered']>[number] {
  const { line, before, writtenOffMinor } = step;
  return {
    ...aboutLine(step),
    reinstatedMinor: `${line.amountMinor}`,
    forgivenMinor: `${before.forgivenMinor}`,
    amountMinor: `${-writtenOffMinor}`,
  };
}
