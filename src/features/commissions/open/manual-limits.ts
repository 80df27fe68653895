/** How much is credited or charged by hand at once. Source: docs/specification/events.md#manual-limits. */
import type { Direction } from '../../../http/held-back.ts';
import { currencyDigits } from '../../../money.ts';

/** Minor units by currency. */
export type AmountsByCurrency = Readonly<Record<string, number>>;

const DEFAULT_LIMIT_MAJOR = 1_000_000n;

/** The most where the settings name nothing: 1,000,000 major units. */
export function defaultManualLimitMinor(currency: string): bigint {
  return DEFAULT_LIMIT_MAJOR * 10n ** BigInt(currencyDigits(currency));
}

/** The limits of one currency, as the settings name them. */
export interface ManualLimits {
  limitMinor: bigint | null;
  secondPairMinor: bigint | null;
}

/** Whether an amount, credited or charged, is more than may be at once. The limit itself is not. */
export function passesManualLimit(amountMinor: bigint, currency: string, { limitMinor }: ManualLimits): boolean {
  return magnitude(amountMinor) > (limitMinor ?? defaultManualLimitMinor(currency));
}

/** Whether an amount, credited or charged, takes two pairs of hands. The limit itself does not. */
export function takesSecondPair(amountMinor: bigint, { secondPairMinor }: ManualLimits): boolean {
  return secondPairMinor !== null && magnitude(amountMinor) > secondPairMinor;
}

/** More of any currency weakens; one that is not named has the default. */
export function handsOfManualLimit(before: AmountsByCurrency | null, after: AmountsByCurrency | null): Direction {
  const limit = (amounts: AmountsByCurrency | null, currency: string) =>
    BigInt(amounts?.[currency] ?? defaultManualLimitMinor(currency));
  return namedIn(before, after).some((currency) => limit(after, currency) > limit(before, currency)) ? 'weakens' : 'tightens';
}

/** More of any currency weakens; one that is not named is without a limit. */
export function handsOfSecondPair(before: AmountsByCurrency | null, after: AmountsByCurrency | null): Direction {
  const limit = (amounts: AmountsByCurrency | null, currency: string) => amounts?.[currency] ?? Number.POSITIVE_INFINITY;
  return namedIn(before, after).some((currency) => limit(after, currency) > limit(before, currency)) ? 'weakens' : 'tightens';
}

const namedIn = (...all: readonly (AmountsByCurrency | null)[]): string[] => [
  ...new Set(all.flatMap((amounts) => Object.keys(amounts ?? {}))),
];

const magnitude = (amountMinor: bigint): bigint => (amountMinor < 0n ? -amountMinor : amountMinor);
