/** The payout accounts of all members, in SQL. */
import { listStatement, raw } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import { JOIN_VERIFIED, NAME_UNJUDGED, type NameMatch } from '../open/holder-names.ts';
import { countsAt } from '../open/payout-hold.ts';
import type { AccountStatus } from '../open/payout-states.ts';
import { type PayoutAccount, SHOWN } from './payout-accounts-queries.ts';

const account = tenantTable('payout_account');

export interface AccountFilters {
  userId?: string | undefined;
  status?: AccountStatus | undefined;
  currency?: string | undefined;
  nameMatch?: NameMatch | undefined;
  shared?: boolean | undefined;
  primary?: boolean | undefined;
  onHold?: boolean | undefined;
}

export interface AccountOfMember extends PayoutAccount {
  /** Whether its member is on hold now. */
  onHold: boolean;
}

/** What stands of the comparison of names. One that is compared anew by the next draft is `not_compared`. */
const STORED_MATCH = `(select case when k.id is null or ${NAME_UNJUDGED} then 'not_compared'
     when a.name_match = 'mismatch' and a.name_accepted_at is not null then 'accepted' else a.name_match end
   from (select) one ${JOIN_VERIFIED})`;

const SHARED = `exists (
     select from payout_account o
     where ${ofTenant('o')} and o.fingerprint = a.fingerprint and o.status <> 'deactivated' and o.member_id <> a.member_id)`;

const ON_HOLD = `exists (select from payout_hold h where ${countsAt('a.member_id', `(select ${SCOPE_NOW})`)})`;

const list = listStatement<AccountOfMember, AccountFilters & { beforeId: string | undefined; count: number }>(
  'accounts_list_all',
  ({ userId, status, currency, nameMatch, shared, primary, onHold, beforeId, count }) => {
    const query = account('a')
      .orderBy('a.id', 'desc')
      .limit(count)
      .select(raw(`${SHOWN}, ${ON_HOLD} as "onHold"`));
    if (userId) query.where('a.member_id', userId);
    if (status) query.where('a.status', status);
    if (currency) query.where('a.currency', currency);
    if (nameMatch) {
      // Few have another name: these are found in an index of their own.
      query.where(raw("(:nameMatch::text not in ('mismatch', 'accepted') or a.name_match = 'mismatch')", { nameMatch }));
      query.where(raw(`${STORED_MATCH} = :nameMatch`, { nameMatch }));
    }
    if (shared) query.where(raw(`${SHARED} = :shared`, { shared }));
    if (primary) query.where('a.is_primary', primary);
    if (onHold) query.where(raw(`${ON_HOLD} = :onHold`, { onHold }));
    if (beforeId) query.where('a.id', '<', beforeId);
    return query;
  },
);

/** The newest first. */
export async function listAllAccounts(
  db: Db,
  scope: Scope,
  filters: AccountFilters,
  beforeId: string | undefined,
  count: number,
): Promise<AccountOfMember[]> {
  return db.rows(list(scope, { ...filters, beforeId, count }));
}
