/** What the member has earned, and why so much. Source: docs/specification/widget.md#reads. */
import { z } from 'zod';
import { monthOf } from '../../../pages/parts/months.ts';
import { explainCommission, listCommissions } from '../../commissions/commissions-operations.ts';
import { getMemberBalances } from '../../ledger/ledger-operations.ts';
import { getCommissionBreakdown } from '../../members/members-operations.ts';
import { readQuery } from './sent.ts';
import { type Money, majorMoneyOf, moneyOf, type View } from './view.ts';

export const RIGHTS = ['commissions:read', 'ledger:read', 'members:read'] as const;

const asked = z.strictObject({
  cursor: z.string().optional(),
  currency: z.string().optional(),
  month: z.string().optional(),
});
const askedNothing = z.strictObject({});

const LINES_A_PAGE = '20';
const MONTHS = 12;

export async function readEarnings({ invoke, by, memberId, facts, query }: View) {
  const params = { userId: memberId };
  const { cursor, currency: wanted = facts.currency, month } = readQuery(asked, query);
  const filters = { userId: memberId, currency: wanted, period: month, sort: '-createdAt', limit: LINES_A_PAGE, cursor };
  const [sums, balances, lines] = await Promise.all([
    invoke(getCommissionBreakdown, { params, query: { period: 'all', currency: wanted } }, by),
    invoke(getMemberBalances, { params }, by),
    invoke(listCommissions, { query: filters }, by),
  ]);
  if (!sums.body || !balances.body || !lines.body) throw new Error('a read waits for nobody');
  // As it is written, however it was asked for.
  const { byStatus, trend, currency } = sums.body;
  const major = (of: object, name: string): Money => {
    const fields = of as Record<string, number | string | null | undefined>;
    return majorMoneyOf((fields[name] ?? null) as number | null, currency, fields[`${name}Exact`] as string | undefined);
  };
  const none = moneyOf(0, currency);
  const months = lastMonths(monthOf(facts.now, facts.timeZone)).map((of) => {
    const found = trend.find(({ period }) => period === of);
    return { month: of, amount: found ? major(found, 'amount') : none, count: found?.count ?? 0 };
  });
  return {
    currency,
    currencies: balances.body.balances.map((balance) => balance.currency),
    timeZone: facts.timeZone,
    total: major(sums.body, 'totalAmount'),
    byStatus: {
      pending: major(byStatus, 'pending'),
      cleared: major(byStatus, 'cleared'),
      processing: major(byStatus, 'processing'),
      paid: major(byStatus, 'paid'),
    },
    months,
    lines: lines.body.data.map(lineOf),
    nextCursor: lines.body.nextCursor,
  };
}

interface Line {
  id: string;
  amountMinor: number;
  currency: string;
  status: string;
  kind: string;
  source: string;
  level: number;
  paidLevel: number;
  aboutEventId: string | null;
  occurredAt: string;
  createdAt: string;
  clearsAt: string;
  holdCause: string | null;
}

function lineOf({ amountMinor, currency, aboutEventId, ...line }: Line) {
  const { id, status, source, level, paidLevel, occurredAt, createdAt, clearsAt, holdCause } = line;
  const amount = moneyOf(amountMinor, currency);
  const kind = aboutEventId === null ? line.kind : 'top_up';
  return { id, amount, status, kind, source, level, paidLevel, occurredAt, createdAt, clearsAt, holdCause };
}

/** How the line came about: sums, verdicts by level and what became of it. Of others nothing but their level's verdict. */
export async function explainEarning({ invoke, by, query }: View, id: string) {
  readQuery(askedNothing, query);
  const { body } = await invoke(explainCommission, { params: { commissionId: id } }, by);
  if (!body) throw new Error('a read waits for nobody');
  const { commission, derivation, linked, actions, netMinor } = body;
  const saleMoney = (minor: number | null): Money | null =>
    minor === null || !derivation ? null : moneyOf(minor, derivation.currency);
  return {
    line: lineOf(commission),
    base: saleMoney(derivation?.baseMinor ?? null),
    shares: (derivation?.shares ?? []).map((share) => ({
      paidLevel: share.paidLevel,
      rateBps: share.rateBps,
      flat: saleMoney(share.flatMinor),
      multiplierMilli: share.multiplierMilli,
      ...(share.parts && {
        parts: share.parts.map(({ baseMinor, flatMinor, ...part }) => ({
          ...part,
          base: saleMoney(baseMinor),
          flat: saleMoney(flatMinor),
        })),
      }),
      rounded: saleMoney(share.roundedMinor),
      ceilingLeaves: saleMoney(share.ceilingLeavesMinor),
      capsLeave: saleMoney(share.capsLeaveMinor),
      conversion: share.rate,
      amount: moneyOf(share.amountMinor, share.currency),
    })),
    verdicts: (derivation?.verdicts ?? []).map(({ level, own, qualified, reason }) => ({ level, own, qualified, reason })),
    recomputed: derivation?.recomputed ?? null,
    net: moneyOf(netMinor, commission.currency),
    linked: linked.map(({ id: linkedId, kind, amountMinor, status, createdAt }) => ({
      id: linkedId,
      kind,
      amount: moneyOf(amountMinor, commission.currency),
      status,
      createdAt,
    })),
    actions: actions.map(({ action, fromStatus, toStatus, recordedAt }) => ({ action, fromStatus, toStatus, recordedAt })),
  };
}

/** The twelve that end with the given one, oldest first. */
function lastMonths(present: string): string[] {
  const [year = 0, month = 0] = present.split('-').map(Number);
  return Array.from({ length: MONTHS }, (_month, at) =>
    new Date(Date.UTC(year, month - MONTHS + at, 1)).toISOString().slice(0, 7),
  );
}
