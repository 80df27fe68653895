/** The balances of a member's accounts, carried from entry to entry and from page to page. A pure calculation. */

export const MEMBER_ACCOUNTS = ['pending', 'cleared', 'processing', 'paid'] as const;
export type MemberAccount = (typeof MEMBER_ACCOUNTS)[number];

/** A place in a member's ledger: the entry that was shown last, and the balances after it. */
export interface LedgerPosition {
  journalId: string;
  seq: number;
  balances: Readonly<Record<MemberAccount, bigint>>;
}

export const START: LedgerPosition = {
  journalId: '00000000-0000-0000-0000-000000000000',
  seq: -32_768,
  balances: { pending: 0n, cleared: 0n, processing: 0n, paid: 0n },
};

/** The text that a cursor holds. */
export function writePosition({ journalId, seq, balances }: LedgerPosition): string {
  return [journalId, seq, ...MEMBER_ACCOUNTS.map((account) => balances[account])].join(' ');
}

/** Of a position that was written by us: the cursor's signature vouches for it. */
export function readPosition(text: string): LedgerPosition {
  const [journalId = '', seq = '', pending = '', cleared = '', processing = '', paid = ''] = text.split(' ');
  const balances = {
    pending: BigInt(pending),
    cleared: BigInt(cleared),
    processing: BigInt(processing),
    paid: BigInt(paid),
  };
  return { journalId, seq: Number(seq), balances };
}

/** The position after one more entry. */
export function advance(
  from: LedgerPosition,
  entry: { journalId: string; seq: number; account: MemberAccount; amountMinor: bigint },
): LedgerPosition {
  const balances = { ...from.balances, [entry.account]: from.balances[entry.account] + entry.amountMinor };
  return { journalId: entry.journalId, seq: entry.seq, balances };
}

export function totalOf(balances: LedgerPosition['balances']): bigint {
  return MEMBER_ACCOUNTS.reduce((sum, account) => sum + balances[account], 0n);
}
