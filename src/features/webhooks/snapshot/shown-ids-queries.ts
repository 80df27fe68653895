/** Ids of the objects of a scope, page by page, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { tenantTable } from '../../../db/tenant-table.ts';

export interface ShownId {
  id: string;
  /** Whose it is; of a member its own id, and of what is no member's the object's. */
  memberId: string;
}

/** In the order of their ids, behind this one. */
export type IdsAfter = (db: Db, scope: Scope, after: string, limit: number) => Promise<ShownId[]>;

const idsOf = (name: string, table: Parameters<typeof tenantTable>[0], memberColumn = 'id'): IdsAfter => {
  const list = statement<ShownId, { after: string; limit: number }>(`webhooks_ids_of_${name}`, ({ after, limit }) =>
    tenantTable(table)('t')
      .where('t.id', '>', after)
      .orderBy('t.id')
      .limit(limit)
      .select('t.id', raw(`t.${memberColumn} as "memberId"`)),
  );
  return (db, scope, after, limit) => db.rows(list(scope, { after, limit }));
};

export const idsOfMembers = idsOf('members', 'member');
export const idsOfAccounts = idsOf('accounts', 'payout_account', 'member_id');
export const idsOfKyc = idsOf('kyc', 'kyc_record', 'member_id');
export const idsOfRuns = idsOf('runs', 'payout_run');
export const idsOfPayouts = idsOf('payouts', 'payout');
