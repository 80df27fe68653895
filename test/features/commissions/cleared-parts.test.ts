/** What a batch has cleared, as events tell of it: docs/specification/webhooks.md#events. */
import { expect, test } from 'vitest';
import { clearedParts, MOST_IDS } from '../../../src/features/commissions/open/cleared-parts.ts';

const MEMBERS = ['ida', 'kim'];
const CURRENCIES = ['EUR', 'USD'];

/** Of kim more than an event names, of ida fewer; both have lines of both currencies. */
const lines = Array.from({ length: 1_001 }, (_, n) => ({
  id: `line-${n}`,
  memberId: n % 4 === 0 ? 'ida' : 'kim',
  currency: n % 3 === 0 ? 'EUR' : 'USD',
  amountMinor: BigInt(n % 7 === 0 ? -n : 2 * n),
}));

/** In the order in which they were cleared. */
const idsOf = (member: string): string[] => lines.filter(({ memberId }) => memberId === member).map(({ id }) => id);

function sumOf(currency: string, ids: readonly string[]): number {
  const named = lines.filter((line) => line.currency === currency && ids.includes(line.id));
  return named.reduce((sum, { amountMinor }) => sum + Number(amountMinor), 0);
}

test('each part is of one member, names no more lines than it may, and each line stands in one', () => {
  const parts = clearedParts(lines);
  expect(parts.map(({ userId, commissionIds }) => [userId, commissionIds.length])).toEqual([
    ['ida', 251],
    ['kim', MOST_IDS],
    ['kim', 250],
  ]);
  for (const member of MEMBERS) {
    const named = parts.filter(({ userId }) => userId === member).flatMap(({ commissionIds }) => commissionIds);
    expect(named).toEqual(idsOf(member));
  }
});

test('each part has the totals of the lines that it names, and a member’s parts those of all its lines', () => {
  const parts = clearedParts(lines);
  for (const { totals, commissionIds } of parts) {
    const byCurrency = totals.toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
    expect(byCurrency).toEqual(CURRENCIES.map((currency) => ({ currency, amountMinor: sumOf(currency, commissionIds) })));
  }
  for (const member of MEMBERS) {
    const totals = parts.filter(({ userId }) => userId === member).flatMap((part) => part.totals);
    for (const currency of CURRENCIES) {
      const same = totals.filter((one) => one.currency === currency);
      expect(same.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(sumOf(currency, idsOf(member)));
    }
  }
});

test('a full part makes no empty one behind it, and no lines make none', () => {
  const full = Array.from({ length: MOST_IDS }, (_, n) => ({ id: `${n}`, memberId: 'ida', currency: 'EUR', amountMinor: 1n }));
  expect(clearedParts(full)).toMatchObject([{ userId: 'ida', totals: [{ currency: 'EUR', amountMinor: MOST_IDS }] }]);
  expect(clearedParts([])).toEqual([]);
});
