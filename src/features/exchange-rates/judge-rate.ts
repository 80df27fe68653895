/** Whether a rate takes two pairs of hands. Source: docs/specification/commissions.md#rate-moves. */
import type { Direction } from '../../http/held-back.ts';

/** Target minor units for source minor units; both positive. */
export interface Ratio {
  numerator: bigint;
  denominator: bigint;
}

/** What a new rate is judged by. */
export interface RateGround {
  /** Whether it would have counted already. */
  backdated: boolean;
  /** Rates of the pair, those of the other way round turned. None: the pair is new. */
  references: readonly Ratio[];
}

const MOST_BPS = 1_000n;

/** By more than 10 % of the reference; 10 % exactly is none. */
export function movesFar(rate: Ratio, reference: Ratio): boolean {
  const now = rate.numerator * reference.denominator;
  const before = reference.numerator * rate.denominator;
  const moved = now > before ? now - before : before - now;
  return moved * 10_000n > before * MOST_BPS;
}

/** A rate is no safeguard of its own that could tighten: it is what sales are paid by, or what they might be robbed by. */
export function handsOfRate(rate: Ratio, { backdated, references }: RateGround): Direction {
  return backdated || references.some((reference) => movesFar(rate, reference)) ? 'weakens' : 'neutral';
}
