import { camelList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import { minorSum } from '../../money.ts';
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
          accounts: accounts.map((account) => ({ ...account, ...minorSum('balanceMinor', account.balanceMinor) })),
          totals: totals.map((total) => ({ ...total, ...minorSum('balanceMinor', total.balanceMinor) })),
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
    ...minorSum('pendingMinor', pendingMinor),
    ...minorSum('clearedMinor', clearedMinor),
    ...minorSum('processingMinor', processingMinor),
    ...minorSum('paidMinor', paidMinor),
    ...minorSum('totalMinor', pendingMinor + clearedMinor + processingMinor + paidMinor),
    ...minorSum('owedMinor', clearedMinor < 0n ? -clearedMinor : 0n),
  };
}

function entryBody(entry: MemberEntry) {
  return {
    ...entry,
    ...minorSum('amountMinor', entry.amountMinor),
    ...minorSum('accountBalanceMinor', entry.accountBalanceMinor),
    ...minorSum('totalBalanceMinor', entry.totalBalanceMinor),
  };
}
