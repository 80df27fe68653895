/**
 * When a posting has to look at the balances that it adds to, and what it may make of them.
 * Source: docs/specification/commissions.md#balance-limit.
 */
import { MAX_AMOUNT_MINOR } from '../../../money.ts';
import type { NewPosting } from './journal.ts';

/** Nobody looks at postings up to this size: a thousand of them come to the limit. */
const LOOK_ABOVE_MINOR = 1_000_000_000_000n;

/** The accounts of one member in one currency. */
export interface AccountHolder {
  memberId: string;
  currency: string;
}

/** Whose accounts get a posting that is large. */
export function holdersToLookAt(postings: readonly NewPosting[]): AccountHolder[] {
  const holders = new Map<string, AccountHolder>();
  for (const { memberId, currency, amountMinor } of postings) {
    if (memberId !== null && sizeOf(amountMinor) > LOOK_ABOVE_MINOR)
      holders.set(keyOf({ memberId, currency }), { memberId, currency });
  }
  return [...holders.values()];
}

/**
 * Whether the postings take an account of the holder, or all of them together, past the limit. What brings a balance
 * nearer to zero is never held up. Moves between the accounts need no look: they are of what was let in.
 */
export function passesLimit(
  { memberId, currency }: AccountHolder,
  folds: readonly { account: string; balanceMinor: bigint }[],
  postings: readonly NewPosting[],
): boolean {
  const before = new Map(folds.map(({ account, balanceMinor }) => [account, balanceMinor]));
  const added = new Map<string, bigint>();
  for (const posting of postings) {
    if (posting.memberId !== memberId || posting.currency !== currency) continue;
    added.set(posting.account, (added.get(posting.account) ?? 0n) + posting.amountMinor);
  }
  const parts = [...added].map(([account, amount]): [bigint, bigint] => [before.get(account) ?? 0n, amount]);
  const whole: [bigint, bigint] = [sumOf(before.values()), sumOf(added.values())];
  return [...parts, whole].some(([balance, amount]) => {
    const after = sizeOf(balance + amount);
    return after > MAX_AMOUNT_MINOR && after > sizeOf(balance);
  });
}

export function keyOf({ memberId, currency }: AccountHolder): string {
  return `${memberId}:${currency}`;
}

function sumOf(amounts: Iterable<bigint>): bigint {
  return [...amounts].reduce((a, b) => a + b, 0n);
}

function sizeOf(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
