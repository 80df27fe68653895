/**
 * The postings of commission lines: the company's expense against the members' accounts, in double
 * entry for each currency. Source: docs/specification/commissions.md#accounts,
 * docs/specification/commissions.md#currency.
 */
import type { LineStatus, NewLine } from '../../commissions/open/commission-line.ts';

export type MemberAccount = 'member:pending' | 'member:cleared' | 'member:processing' | 'member:paid_out';
export type Account = MemberAccount | 'company:commission_expense' | 'company:breakage' | 'company:write_off' | 'fx_rounding';

export interface NewPosting {
  account: Account;
  memberId: string | null;
  currency: string;
  amountMinor: bigint;
}

/** The account that a line of this status counts in; undefined once it is reversed and counts nowhere. */
export function accountOf(status: LineStatus): MemberAccount | undefined {
  return ACCOUNTS[status];
}

const ACCOUNTS: Record<LineStatus, MemberAccount | undefined> = {
  pending: 'member:pending',
  held: 'member:pending',
  cleared: 'member:cleared',
  processing: 'member:processing',
  paid: 'member:paid_out',
  reversed: undefined,
};

export interface LineToPost extends Pick<NewLine, 'beneficiaryId' | 'amountMinor' | 'currency' | 'conversion'> {
  account: MemberAccount;
}

export interface CompanySide {
  /** Breakage of the event and its currency; negative when it is taken back. */
  breakage?: { amountMinor: bigint; currency: string };
  /** What bears the lines: the expense, or the write-off of a debt. */
  against?: 'company:commission_expense' | 'company:write_off';
}

/**
 * One posting for each line, in their order, and the company's side summed up by currency. A
 * converted line passes through fx_rounding: in at its amount before, out at its amount after.
 */
export function postLines(lines: readonly LineToPost[], company: CompanySide = {}): NewPosting[] {
  const against = company.against ?? 'company:commission_expense';
  const sums = new Map<string, NewPosting>();
  const add = (account: Account, currency: string, amountMinor: bigint): void => {
    const key = `${account} ${currency}`;
    const sum = sums.get(key) ?? { account, memberId: null, currency, amountMinor: 0n };
    sums.set(key, { ...sum, amountMinor: sum.amountMinor + amountMinor });
  };
  for (const { amountMinor, currency, conversion } of lines) {
    add(against, conversion?.currency ?? currency, -(conversion?.amountMinor ?? amountMinor));
    if (!conversion) continue;
    add('fx_rounding', conversion.currency, conversion.amountMinor);
    add('fx_rounding', currency, -amountMinor);
  }
  if (company.breakage) {
    add(against, company.breakage.currency, -company.breakage.amountMinor);
    add('company:breakage', company.breakage.currency, company.breakage.amountMinor);
  }
  const members = lines.map(({ account, beneficiaryId, currency, amountMinor }) => ({
    account,
    memberId: beneficiaryId,
    currency,
    amountMinor,
  }));
  return [...sums.values(), ...members].filter((posting) => posting.amountMinor !== 0n);
}

/** Moves amounts of members between two of their accounts; nothing to post where the amounts cancel out. */
export function moveBetween(
  lines: readonly { beneficiaryId: string; currency: string; amountMinor: bigint }[],
  from: MemberAccount,
  to: MemberAccount,
): NewPosting[] {
  if (from === to) return [];
  const sums = new Map<string, { memberId: string; currency: string; amountMinor: bigint }>();
  for (const { beneficiaryId, currency, amountMinor } of lines) {
    const key = `${beneficiaryId} ${currency}`;
    const sum = sums.get(key)?.amountMinor ?? 0n;
    sums.set(key, { memberId: beneficiaryId, currency, amountMinor: sum + amountMinor });
  }
  return [...sums.values()]
    .filter((sum) => sum.amountMinor !== 0n)
    .flatMap((sum) => [
      { ...sum, account: from, amountMinor: -sum.amountMinor },
      { ...sum, account: to },
    ]);
}
