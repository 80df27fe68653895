/** What members have sold: of periods up to an instant, or of whole days. */
import type { Db, Scope } from '../../../db/scope.ts';
import { type SalesPeriod, type SalesRow, salesBefore, salesOfDays } from './read-sales-queries.ts';
import type { SalePart } from './sale-change.ts';

/** Net of what is taken back until now. A sum below nothing stays one. */
export interface SalesSum {
  baseMinor: bigint;
  /** Gross. */
  amountMinor: bigint;
  /** Purchases of which something of the gross is left. */
  sales: number;
}

export type SalesByPart = Readonly<Record<SalePart, SalesSum>>;

/**
 * The purchases credited to each member in a currency, dated in the tenant's local month, quarter or year of `asOf`, or ever,
 * and before `asOf`; less all that is taken back of them by now, whenever that was. One statement, which sees what is
 * committed: of sales that are recorded at once none sees the other. The answer is the same whether sales are summed up or
 * not, and has each member and period that is asked for. Not for a frame of a member's own call: it sees only those events
 * that pay it something.
 */
export async function readSales<Period extends SalesPeriod>(
  db: Db,
  scope: Scope,
  asked: { memberIds: readonly string[]; currency: string; periods: readonly Period[]; asOf: Date },
): Promise<Map<string, Readonly<Record<Period, SalesByPart>>>> {
  const rows = await db.rows(salesBefore(scope, asked));
  const byMember = Map.groupBy(rows, (row) => row.member_id);
  return new Map(
    asked.memberIds.map((id) => {
      const own = byMember.get(id) ?? [];
      const byPeriod = asked.periods.map((period) => [period, byPart(own.filter((row) => row.period === period))] as const);
      return [id, Object.fromEntries(byPeriod) as Record<Period, SalesByPart>];
    }),
  );
}

/**
 * The same of whole local days, from `fromDay` up to `toDay`, which is not among them, each as YYYY-MM-DD: all purchases of
 * a period, also those that lie ahead.
 */
export async function readSalesOfDays(
  db: Db,
  scope: Scope,
  asked: { memberIds: readonly string[]; currency: string; fromDay: string; toDay: string },
): Promise<Map<string, SalesByPart>> {
  const rows = await db.rows(salesOfDays(scope, asked));
  const byMember = Map.groupBy(rows, (row) => row.member_id);
  return new Map(asked.memberIds.map((id) => [id, byPart(byMember.get(id) ?? [])]));
}

const NOTHING: SalesSum = { baseMinor: 0n, amountMinor: 0n, sales: 0 };

function byPart(rows: readonly SalesRow[]): SalesByPart {
  const sums = rows.map(
    (row) => [row.part, { baseMinor: row.base_minor, amountMinor: row.amount_minor, sales: row.sales }] as const,
  );
  return { credited: NOTHING, own: NOTHING, test: NOTHING, ...Object.fromEntries(sums) };
}
