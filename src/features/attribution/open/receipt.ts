/** What a receipt keeps: everything the rule looked at, what it decided, and how to decide it again. */
import {
  type Attribution,
  type AttributionInput,
  type AttributionModel,
  type AttributionRule,
  type Candidate,
  decideAttribution,
  type LostBecause,
} from './decide-attribution.ts';

/** As in the column `candidates`, in the order in which they were considered. */
export interface StoredCandidate extends Omit<Candidate, 'at'> {
  at: string | null;
  /** Null of the one that won. */
  lost: LostBecause | null;
}

export interface NewReceipt {
  rule: AttributionRule;
  /** Whom it is credited to: of a personal purchase the plan says. */
  winnerId: string | null;
  model: AttributionModel;
  windowDays: number;
  asOf: Date;
  buyerId: string | null;
  selfId: string | null;
  candidates: StoredCandidate[];
}

export function receiptOf(
  { input, attribution }: { input: AttributionInput; attribution: Attribution },
  winnerId: string | null,
): NewReceipt {
  return {
    rule: attribution.rule,
    winnerId,
    model: input.model,
    windowDays: input.windowDays,
    asOf: input.asOf,
    buyerId: input.buyerId,
    selfId: input.selfId,
    candidates: attribution.outcomes.map(({ candidate, lost }) => ({
      ...candidate,
      at: candidate.at?.toISOString() ?? null,
      lost,
    })),
  };
}

/** The rule run again on what a receipt keeps. */
export function decideAgain(receipt: Omit<NewReceipt, 'rule' | 'winnerId'>, subject: AttributionInput['subject']): Attribution {
  const candidates = receipt.candidates.map(({ lost: _lost, at, ...candidate }) => ({
    ...candidate,
    at: at === null ? null : new Date(at),
  }));
  return decideAttribution({ ...receipt, subject, candidates });
}
