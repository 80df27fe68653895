import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { toJsonInteger } from '../../money.ts';
import { getMemberBalances, getTrialBalance, listMemberLedger, verifyLedgerOperation } from './ledger-operations.ts';
import type { LedgerService, MemberBalance, MemberEntry } from './ledger-service.ts';

export function mountLedger(router: Router, mount: Mount, ledger: LedgerService): void {
  mount(
    router,
    verifyLedgerOperation,
    ({ query, ...context }) => ledger.verify(context, query),
    (verification) => ({ status: 200, body: { ok: verification.faults.length === 0, ...verification } }),
  );
  mount(
    router,
    getTrialBalance,
    ({ query, ...context }) => ledger.readTrialBalance(context, query),
    ({ asOf, accounts, totals }) => ({
      status: 200,
      body: {
        asOf,
        accounts: accounts.map((account) => ({ ...account, balanceMinor: toJsonInteger(account.balanceMinor) })),
        totals: totals.map((total) => ({ ...total, balanceMinor: toJsonInteger(total.balanceMinor) })),
      },
    }),
  );
  mount(
    router,
    getMemberBalances,
    ({ params, query, ...context }) => ledger.readBalances(context, params.userId, query),
    ({ userId, asOf, balances }) => ({ status: 200, body: { userId, asOf, balances: balances.map(balanceBody) } }),
  );
  mount(
    router,
    listMemberLedger,
    ({ params, query, ...context }) => ledger.listEntries(context, params.userId, query),
    ({ rows, nextCursor }) => ({
      status: 200,
      body: { data: rows.map(entryBody), hasMore: nextCursor !== null, nextCursor },
    }),
  );
}

function balanceBody({ currency, pendingMinor, clearedMinor, processingMinor, paidMinor }: MemberBalance) {
  return {
    currency,
    pendingMinor: toJsonInteger(pendingMinor),
    clearedMinor: toJsonInteger(clearedMinor),
    processingMinor: toJsonInteger(processingMinor),
    paidMinor: toJsonInteger(paidMinor),
    totalMinor: toJsonInteger(pendingMinor + clearedMinor + processingMinor + paidMinor),
    owedMinor: toJsonInteger(clearedMinor < 0n ? -clearedMinor : 0n),
  };
}

function entryBody(entry: MemberEntry) {
  return {
    ...entry,
    amountMinor: toJsonInteger(entry.amountMinor),
    accountBalanceMinor: toJsonInteger(entry.accountBalanceMinor),
    totalBalanceMinor: toJsonInteger(entry.totalBalanceMinor),
  };
}
