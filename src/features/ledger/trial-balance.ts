/** The balances of all accounts at an instant, folded range by range. */
import type { Db, Scope } from '../../db/scope.ts';
import { asOfStatement, foldAccounts, foldAccountsAsOf } from './balances-queries.ts';
import { eachRange, HIGHEST, LOWEST } from './journal-ranges.ts';
import { tuneForRanges } from './range-queries.ts';

export interface AccountBalance {
  account: string;
  currency: string;
  balanceMinor: bigint;
  postings: number;
}

export interface TrialBalance {
  asOf: Date;
  accounts: AccountBalance[];
  totals: { currency: string; balanceMinor: bigint }[];
}

const SIZE = { postings: 200_000, ranges: 1 };

/** `db` is of a frame with one snapshot. */
export async function foldTrialBalance(
  db: Db,
  scope: Scope,
  query: { asOf?: string | undefined; currency?: string | undefined },
): Promise<TrialBalance> {
  const currency = query.currency ?? null;
  const [, at] = await Promise.all([db.rows(tuneForRanges()), db.row(asOfStatement(scope, { asOf: query.asOf ?? null }))]);
  if (!at) throw new Error('the clock gave no answer');
  const accounts = new Map<string, AccountBalance>();
  await eachRange(db, scope, LOWEST, SIZE, async ([low = LOWEST, high = HIGHEST]) => {
    const rows = await db.rows(
      at.past === null
        ? foldAccounts(scope, { low, high, currency })
        : foldAccountsAsOf(scope, { low, high, currency, asOf: at.past }),
    );
    for (const row of rows) {
      const key = `${row.currency} ${row.account}`;
      const sofar = accounts.get(key) ?? { account: row.account, currency: row.currency, balanceMinor: 0n, postings: 0 };
      const balanceMinor = sofar.balanceMinor + BigInt(row.balance);
      accounts.set(key, { ...sofar, balanceMinor, postings: sofar.postings + row.postings });
    }
  });
  const totals = new Map<string, bigint>();
  for (const row of accounts.values()) totals.set(row.currency, (totals.get(row.currency) ?? 0n) + row.balanceMinor);
  const byKey = <Value>([a]: [string, Value], [b]: [string, Value]): number => (a < b ? -1 : 1);
  return {
    asOf: at.as_of,
    accounts: [...accounts].toSorted(byKey).map(([, balance]) => balance),
    totals: [...totals].toSorted(byKey).map(([code, balanceMinor]) => ({ currency: code, balanceMinor })),
  };
}
