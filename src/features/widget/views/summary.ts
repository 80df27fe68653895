/** What the member has, and what stands between it and its next payout. Source: docs/specification/widget.md#reads. */
import { z } from 'zod';
import { getMemberBalances } from '../../ledger/ledger-operations.ts';
import { getPayoutReadiness } from '../../payouts/readiness/readiness-operations.ts';
import { readQuery } from './sent.ts';
import { moneyOf, type View } from './view.ts';

export const RIGHTS = ['ledger:read', 'payouts:read'] as const;

const asked = z.strictObject({});

/** A sum as answers have it: null with its exact text beside it where a JSON number cannot hold it. */
type Sums = Readonly<Record<string, number | string | null | undefined>>;

export async function readSummary({ invoke, by, memberId, facts, query }: View) {
  readQuery(asked, query);
  const params = { userId: memberId };
  const [balances, readiness] = await Promise.all([
    invoke(getMemberBalances, { params }, by),
    invoke(getPayoutReadiness, { params }, by),
  ]);
  if (!balances.body || !readiness.body) throw new Error('a read waits for nobody');
  return {
    asOf: balances.body.asOf,
    timeZone: facts.timeZone,
    balances: balances.body.balances.map((balance) => {
      const sum = sumsOf(balance, balance.currency);
      return {
        currency: balance.currency,
        pending: sum('pendingMinor'),
        cleared: sum('clearedMinor'),
        processing: sum('processingMinor'),
        paid: sum('paidMinor'),
        owed: sum('owedMinor'),
      };
    }),
    payouts: readiness.body.requirements.map((requirement) => {
      const { currency, minimumMinor, state, missing, payout } = requirement;
      return {
        currency,
        due: sumsOf(requirement, currency)('dueMinor'),
        minimum: minimumMinor === null ? null : moneyOf(minimumMinor, currency),
        state,
        missing,
        payout: payout && {
          amount: sumsOf(payout, currency)('amountMinor'),
          status: payout.status,
          createdAt: payout.createdAt,
        },
      };
    }),
    lastPaid: readiness.body.lastPaid && {
      amount: sumsOf(readiness.body.lastPaid, readiness.body.lastPaid.currency)('amountMinor'),
      paidAt: readiness.body.lastPaid.paidAt,
    },
  };
}

function sumsOf(fields: object, currency: string) {
  const sums = fields as Sums;
  return (name: string) => moneyOf(sums[name] ?? null, currency, sums[`${name}Exact`] as string | undefined);
}
