/** A member's balances carried over the entries of a month, with what was paid out in it. A pure calculation. */
import type { StatementEntryRow } from './statements-queries.ts';

export const ACCOUNTS = ['pending', 'cleared', 'processing', 'paid'] as const;
export type StatementAccount = (typeof ACCOUNTS)[number];
export type Balances = Readonly<Record<StatementAccount, bigint>>;

export interface StatementPayout {
  journalId: string;
  payoutId: string | null;
  type: 'paid' | 'returned';
  /** Negative for one that came back. */
  amountMinor: bigint;
  recordedAt: Date;
}

export interface StatementFold {
  readonly opening: Balances;
  add(entry: StatementEntryRow): void;
  balances(): Balances;
  payouts(): StatementPayout[];
  /** What the entries of a kind sum up to, of each account. */
  causes(): { causeType: string; sums: Balances; count: number }[];
  count(): number;
  /** When the latest entry was recorded; undefined without one. */
  lastAt(): Date | undefined;
}

const NOTHING: Balances = { pending: 0n, cleared: 0n, processing: 0n, paid: 0n };

export function newFold({ pending, cleared, processing, paid }: Balances): StatementFold {
  const opening: Balances = { pending, cleared, processing, paid };
  let balances = opening;
  let lastAt: Date | undefined;
  const causes = new Map<string, { sums: Balances; count: number }>();
  const payouts = new Map<string, StatementPayout>();
  return {
    opening,
    add({ journalId, payoutId, recordedAt, causeType, amountMinor, account: stored }) {
      const account = accountOf(stored);
      balances = { ...balances, [account]: balances[account] + amountMinor };
      if (lastAt === undefined || recordedAt > lastAt) lastAt = recordedAt;
      const cause = causes.get(causeType) ?? { sums: NOTHING, count: 0 };
      causes.set(causeType, {
        sums: { ...cause.sums, [account]: cause.sums[account] + amountMinor },
        count: cause.count + 1,
      });
      if (account !== 'paid') return;
      const sum = (payouts.get(journalId)?.amountMinor ?? 0n) + amountMinor;
      payouts.set(journalId, {
        journalId,
        payoutId,
        type: sum < 0n ? 'returned' : 'paid',
        amountMinor: sum,
        recordedAt,
      });
    },
    balances: () => balances,
    payouts: () => [...payouts.values()].filter(({ amountMinor }) => amountMinor !== 0n),
    causes: () => [...causes].map(([causeType, cause]) => ({ causeType, ...cause })),
    count: () => [...causes.values()].reduce((sum, { count }) => sum + count, 0),
    lastAt: () => lastAt,
  };
}

export function accountOf(account: string): StatementAccount {
  const kind = account.slice('member:'.length);
  return kind === 'paid_out' ? 'paid' : (kind as StatementAccount);
}
