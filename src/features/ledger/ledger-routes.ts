import { camelList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import { toJsonInteger } from '../../money.ts';
import { getMemberBalances, getTrialBalance, listMemberLedger, verifyLedgerOperation } from './ledger-operations.ts';
import type { LedgerService, MemberBalance, MemberEntry } from './ledger-service.ts';

export function ledgerRoutes(ledger: LedgerService): Route[] {
  return [
    route(
      verifyLedgerOperation,
      ({ query, ...context }) => ledger.verify(context, query),
      (body) => ({ status: 200, body }),
    ),
    route(
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
    ),
    route(
      getMemberBalances,
      ({ params, query, ...context }) => ledger.readBalances(context, params.userId, query),
      ({ userId, asOf, balances }) => ({ status: 200, body: { userId, asOf, balances: balances.map(balanceBody) } }),
    ),
    route(
      listMemberLedger,
      ({ params, query, ...context }) => ledger.listEntries(context, params.userId, query),
      camelList(entryBody),
    ),
  ];
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
