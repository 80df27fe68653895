/** How members see each other in one environment, in SQL. Without a row: the default. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import type { DownlineVisibility } from './open/mask-person.ts';

const settings = tenantTable('member_settings');

export interface VisibilityRow {
  downlineVisibility: DownlineVisibility;
}

/** For `frames.readOnce`. */
export const visibilityStatement = statement<VisibilityRow>('genealogy_read_visibility', () =>
  settings('s').select({ downlineVisibility: 's.downline_visibility' }),
);

const store = statement<unknown, { visibility: DownlineVisibility }>('genealogy_store_visibility', ({ visibility }) =>
  settings('s')
    .insert({ downline_visibility: visibility, updated_at: raw('now()') })
    // One row a scope.
    .onConflict([])
    .merge(['downline_visibility', 'updated_at']),
);

/** Whoever changes settings holds a lock on the tenant's row. */
export async function storeVisibility(db: Db, scope: Scope, visibility: DownlineVisibility): Promise<void> {
  await db.rows(store(scope, { visibility }));
}
