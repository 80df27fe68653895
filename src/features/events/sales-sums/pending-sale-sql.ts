/** How the statement that stores an event notes down what the sums of sales change by. */
import type { SaleChange } from './sale-change.ts';

/** What the statement is sent as JSON; null of an event that changes nothing of sales. */
export function saleRow(sale: SaleChange | null): object | null {
  if (sale === null) return null;
  const { memberId, occurredAt, part, baseMinor, amountMinor, sales } = sale;
  return {
    member_id: memberId,
    occurred_at: occurredAt,
    part,
    base_minor: `${baseMinor}`,
    amount_minor: `${amountMinor}`,
    sales,
  };
}

/**
 * Notes the changes down where the scope sums its sales. `events` are the rows that are inserted, with `currency`, which the
 * text calls `made`; `sale` is SQL for the JSON of each. records_sales is asked behind them, when the transaction has its number (docs/decisions/0033-sales-sums.md).
 */
export const insertPendingSale = ({ events, sale }: { events: string; sale: string }): string =>
  `insert into sales_pending (tenant_id, environment, member_id, occurred_at, currency, part, base_minor, amount_minor, sales)
     select :tenantId, :environment, sold.member_id, sold.occurred_at, made.currency, sold.part, sold.base_minor, sold.amount_minor,
            sold.sales
     from ${events} made
     cross join lateral (
       select s.* from jsonb_to_record(${sale}::jsonb) as s(member_id uuid, occurred_at timestamptz, part text, base_minor bigint,
                                                           amount_minor bigint, sales smallint)
       where ${sale}::jsonb is not null) sold
     where records_sales(:tenantId, :environment)`;
