/** Accounts as they are told of, in SQL. One that was deactivated has been told of for the last time. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { tenantTable } from '../../../db/tenant-table.ts';

const account = tenantTable('payout_account');

/** In the order of their ids. */
const open = () => account().where('status', '<>', 'deactivated').orderBy('id').select('id');

const listOpen = statement<{ id: string }, { memberId: string }>('accounts_ids_to_tell', ({ memberId }) =>
  open().where({ member_id: memberId }),
);

export async function listOpenAccountIds(db: Db, scope: Scope, memberId: string): Promise<string[]> {
  return (await db.rows(listOpen(scope, { memberId }))).map(({ id }) => id);
}

/** Two that tell of an account wait for each other: the later one sees all that the earlier one saw. */
const holdFree = statement<{ id: string }, { ids: readonly string[] }>('accounts_hold_free_to_tell', ({ ids }) =>
  open().where(raw('id = any(:ids::uuid[])', { ids })).forNoKeyUpdate().skipLocked(),
);

/** Without those that somebody else is changing. */
export async function holdFreeAccounts(db: Db, scope: Scope, ids: readonly string[]): Promise<string[]> {
  return (await db.rows(holdFree(scope, { ids }))).map(({ id }) => id);
}

const hold = statement<{ id: string }, { id: string }>('accounts_hold_to_tell', ({ id }) =>
  open().where({ id }).forNoKeyUpdate(),
);

export async function holdAccount(db: Db, scope: Scope, id: string): Promise<boolean> {
  return (await db.row(hold(scope, { id }))) !== undefined;
}
