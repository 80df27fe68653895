/** From grouped sums to the breakdown: a pure calculation in minor units. */
import { allocateByLargestRemainder, majorSum } from '../../money.ts';
import type { BreakdownRow } from './breakdown-queries.ts';
import type { BreakdownAnswer } from './members-operations.ts';

export function summariseBreakdown(rows: readonly BreakdownRow[], period: string): BreakdownAnswer {
  const [first] = rows;
  if (!first) throw new Error('a breakdown needs at least the row of its member');
  const { currency, time_zone: timeZone } = first;
  const of = (dimension: BreakdownRow['dimension']) => rows.filter((row) => row.dimension === dimension);
  const sum = <Name extends string>(dimension: BreakdownRow['dimension'], bucket: Name) =>
    majorSum(bucket, of(dimension).find((row) => row.bucket === bucket)?.amount ?? 0n, currency);
  const levels = of('level');
  const shares = percentages(levels.map((row) => row.amount));
  return {
    ...majorSum(
      'totalAmount',
      of('status').reduce((sum, row) => sum + row.amount, 0n),
      currency,
    ),
    bySource: {
      ...sum('source', 'sales'),
      ...sum('source', 'subscription'),
      ...sum('source', 'manual'),
    },
    byStatus: {
      ...sum('status', 'pending'),
      ...sum('status', 'cleared'),
      ...sum('status', 'processing'),
      ...sum('status', 'paid'),
    },
    byLevel: levels.map((row, index) => ({
      level: Number(row.bucket),
      ...majorSum('amount', row.amount, currency),
      count: row.count,
      percentage: shares[index] ?? 0,
    })),
    trend: of('period').map((row) => ({
      period: row.bucket ?? '',
      ...majorSum('amount', row.amount, currency),
      count: row.count,
    })),
    period,
    currency,
    timeZone,
  };
}

/** Shares of the whole in per cent with two decimals, summing to exactly 100; all 0 when the whole is not positive. */
function percentages(amounts: readonly bigint[]): number[] {
  const weights = amounts.map((amount) => (amount < 0n ? 0n : amount));
  if (weights.every((weight) => weight === 0n)) return amounts.map(() => 0);
  return allocateByLargestRemainder(10_000n, weights).map((hundredths) => Number(hundredths) / 100);
}
