/** What the amount of a commission line was calculated from, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import type { StoredInputs } from './open/stored-evaluation.ts';

/** The sale of a line, with the plan version and the inputs it was decided by. */
export interface LineSale {
  baseMinor: bigint;
  currency: string;
  buyerId: string | null;
  inputs: StoredInputs | null;
  planId: string;
  versionId: string;
  version: number;
  /** As it was stored, unchecked. */
  definition: unknown;
}

const line = tenantTable('commission_line');

const find = statement<LineSale, { lineId: string }>('commissions_line_sale', ({ lineId }) =>
  line('l')
    .join('event as e', 'e.id', 'l.event_id')
    .join('commission_plan_version as v', 'v.id', 'e.plan_version_id')
    .where({ 'l.id': lineId, 'l.kind': raw("'commission'"), 'e.kind': raw("'purchase'") })
    .select({
      baseMinor: 'e.base_minor',
      currency: 'e.currency',
      buyerId: 'e.buyer_member_id',
      inputs: 'e.evaluation',
      planId: 'v.plan_id',
      versionId: 'v.id',
      version: 'v.version',
      definition: 'v.definition',
    }),
);

/** Undefined of a line that no plan calculated. */
export async function findLineSale(db: Db, scope: Scope, lineId: string): Promise<LineSale | undefined> {
  return db.row(find(scope, { lineId }));
}
