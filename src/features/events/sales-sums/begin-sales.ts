/** Turning on the sums of sales. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { BEGIN_SALES_SUMS } from '../open/begin-sales-sql.ts';

const begin = statement<unknown>('events_begin_sales_sums', () => raw(BEGIN_SALES_SUMS));

/** What BEGIN_SALES_SUMS does, in a statement of its own. */
export async function beginSales(db: Db, scope: Scope): Promise<void> {
  await db.rows(begin(scope));
}
