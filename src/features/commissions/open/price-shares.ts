/**
 * From exact shares to payable lines: one rounding, the event ceiling, the member's and the
 * customer's cap, the conversion, in this order and levels ascending. A pure function.
 * Source: docs/specification/commissions.md#cuts.
 */
import { invalidField } from '../../../errors.ts';
import { allocateByLargestRemainder, divideRoundHalfUp, MAX_AMOUNT_MINOR } from '../../../money.ts';
import { EXACT_DENOMINATOR } from './pay-parts.ts';
import type { PlanDefinition } from './plan-definition.ts';
import type { Share, UplineMember } from './walk-upline.ts';

/** A stored exchange rate: target minor units = source minor units x numerator / denominator. */
export interface Rate {
  id: string;
  numerator: bigint;
  denominator: bigint;
}

export interface PriceInput {
  plan: PlanDefinition;
  baseMinor: bigint;
  currency: string;
  upline: readonly UplineMember[];
  /** What each member may still be paid in the sale's month, by member id; absent without a cap. */
  memberRoomMinor?: ReadonlyMap<string, bigint> | undefined;
  /** What may still be paid on this customer; absent without a cap. */
  customerRoomMinor?: bigint | undefined;
  /** By target currency; needed for each pay currency other than the purchase's. */
  rates?: ReadonlyMap<string, Rate> | undefined;
}

export type Cap = 'member_period' | 'customer_lifetime' | 'member_period+customer_lifetime';

/** Why a share came to nothing. */
export type CutToNothing =
  | 'NO_BASE'
  | 'NO_AMOUNT_FOR_CURRENCY'
  | 'RATE_OF_ZERO'
  | 'ROUNDED_TO_ZERO'
  | 'EVENT_CEILING'
  | 'MEMBER_CAP'
  | 'CUSTOMER_CAP';

export interface PricedShare extends Share {
  /** After its own rounding. */
  roundedMinor: bigint;
  /** After the event ceiling. */
  ceiledMinor: bigint;
  /** What caps took off. */
  cappedMinor: bigint;
  cap: Cap | null;
  /** Payable, in the currency of the purchase. */
  sourceAmountMinor: bigint;
  sourceCurrency: string;
  /** Payable, in `currency`. */
  amountMinor: bigint;
  currency: string;
  exchangeRateId: string | null;
  /** Set when `amountMinor` is 0: such a share makes no line. */
  nothing: CutToNothing | undefined;
}

/** The most an event may pay; undefined without a ceiling. */
export function eventCeiling(plan: PlanDefinition, baseMinor: bigint): bigint | undefined {
  const { perEventPayoutBps } = plan.caps;
  return perEventPayoutBps === null ? undefined : (baseMinor * BigInt(perEventPayoutBps)) / 10_000n;
}

/**
 * Prices shares, which come in ascending level. Throws when a rate it needs is not among `rates`, and
 * 400 when a line would be larger than any amount may be (a flat amount, multiplier or rate out of reason).
 */
export function priceShares(shares: readonly Share[], input: PriceInput): PricedShare[] {
  const rounded = shares.map((share) => divideRoundHalfUp(share.exactNumerator, EXACT_DENOMINATOR));
  const ceiled = applyCeiling(shares, rounded, eventCeiling(input.plan, input.baseMinor));
  const memberRoom = new Map(input.memberRoomMinor);
  let customerRoom = input.customerRoomMinor;
  return shares.map((share, index) => {
    const roundedMinor = rounded[index] ?? 0n;
    const ceiledMinor = ceiled[index] ?? 0n;
    const room = memberRoom.get(share.beneficiaryId);
    const afterMember = clamp(ceiledMinor, room);
    if (room !== undefined) memberRoom.set(share.beneficiaryId, room - afterMember);
    const sourceAmountMinor = clamp(afterMember, customerRoom);
    if (customerRoom !== undefined) customerRoom -= sourceAmountMinor;
    const paid = convert(share, sourceAmountMinor, input);
    refuseTooLarge(ceiledMinor);
    refuseTooLarge(paid.amountMinor);
    return {
      ...share,
      roundedMinor,
      ceiledMinor,
      cappedMinor: ceiledMinor - sourceAmountMinor,
      cap: capOf(ceiledMinor, afterMember, sourceAmountMinor),
      sourceAmountMinor,
      sourceCurrency: input.currency,
      ...paid,
      nothing:
        paid.amountMinor !== 0n
          ? undefined
          : whyNothing(share, input.baseMinor, { roundedMinor, ceiledMinor, afterMember, sourceAmountMinor }),
    };
  });
}

/** Largest remainder by the exact fractions; ties go to the lower level. */
function applyCeiling(shares: readonly Share[], rounded: readonly bigint[], ceiling: bigint | undefined): readonly bigint[] {
  const sum = rounded.reduce((a, b) => a + b, 0n);
  if (ceiling === undefined || sum <= ceiling) return rounded;
  return allocateByLargestRemainder(
    ceiling,
    shares.map((share) => share.exactNumerator),
  );
}

function clamp(amount: bigint, room: bigint | undefined): bigint {
  if (room === undefined || amount <= room) return amount;
  return room > 0n ? room : 0n;
}

function capOf(ceiled: bigint, afterMember: bigint, afterCustomer: bigint): Cap | null {
  if (afterMember < ceiled) return afterCustomer < afterMember ? 'member_period+customer_lifetime' : 'member_period';
  return afterCustomer < afterMember ? 'customer_lifetime' : null;
}

function refuseTooLarge(amount: bigint): void {
  if (amount > MAX_AMOUNT_MINOR) throw invalidField('amount_minor', 'makes a commission larger than any amount may be');
}

function convert(
  share: Share,
  sourceAmountMinor: bigint,
  { plan, currency, upline, rates }: PriceInput,
): Pick<PricedShare, 'amountMinor' | 'currency' | 'exchangeRateId'> {
  const target = plan.fx.payCurrency === 'member' ? upline[share.level - 1]?.payCurrency : undefined;
  if (target === undefined || target === currency || sourceAmountMinor === 0n) {
    return { amountMinor: sourceAmountMinor, currency, exchangeRateId: null };
  }
  const rate = rates?.get(target);
  if (!rate) throw new Error(`no rate from ${currency} to ${target} was given`);
  const amountMinor = divideRoundHalfUp(sourceAmountMinor * rate.numerator, rate.denominator);
  return { amountMinor, currency: target, exchangeRateId: rate.id };
}

function whyNothing(
  share: Share,
  baseMinor: bigint,
  steps: { roundedMinor: bigint; ceiledMinor: bigint; afterMember: bigint; sourceAmountMinor: bigint },
): CutToNothing {
  if (baseMinor === 0n) return 'NO_BASE';
  if (share.flatMinor === 0n) return 'NO_AMOUNT_FOR_CURRENCY';
  if (isOfZero(share)) return 'RATE_OF_ZERO';
  // The ceiling is shared by the exact fractions, so it can give a unit to what rounded to nothing.
  if (steps.ceiledMinor === 0n) return steps.roundedMinor === 0n ? 'ROUNDED_TO_ZERO' : 'EVENT_CEILING';
  if (steps.afterMember === 0n) return 'MEMBER_CAP';
  return steps.sourceAmountMinor === 0n ? 'CUSTOMER_CAP' : 'ROUNDED_TO_ZERO';
}

/** Nothing but rates of 0 pay it, and rules say so. */
function isOfZero({ choice, parts, rateBps, flatMinor }: Share): boolean {
  const paid = parts ?? (choice ? [{ rateBps, flatMinor }] : []);
  return paid.length > 0 && paid.every((part) => part.rateBps === 0 && part.flatMinor === null);
}
