/** Payouts as they are told of, many at a time, in SQL. */
import type { Knex } from 'knex';
import { listStatement, raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { PayoutStatus } from '../open/payout-states.ts';
import { type Payout, payoutColumns } from './payouts-queries.ts';

const payout = tenantTable('payout');

interface Listing {
  runId?: string | undefined;
  userId?: string | undefined;
  status: PayoutStatus | undefined;
  afterId: string | undefined;
  count: number;
}

const listIds = listStatement<{ id: string }, Listing>('payouts_ids_to_tell', ({ runId, userId, status, afterId, count }) => {
  const query = payout('p').orderBy('p.id').limit(count).select('p.id');
  if (runId) query.where('p.payout_run_id', runId);
  if (userId) query.where('p.member_id', userId);
  if (status) query.where('p.status', status);
  if (afterId) query.where('p.id', '>', afterId);
  return query;
});

export async function listPayoutIds(db: Db, scope: Scope, listing: Listing): Promise<string[]> {
  if (listing.runId === undefined && listing.userId === undefined) return [];
  return (await db.rows(listIds(scope, listing))).map(({ id }) => id);
}

/** One that is being paid tells of itself at each step, and must not be locked: whoever takes it to pay passes over locks. */
const byIds = (ids: Knex.Raw) =>
  payout('p')
    .where(raw("p.id = any(:ids::uuid[]) and p.status <> 'processing'", { ids }))
    .orderBy('p.id')
    .select(payoutColumns)
    .forShare('p');

const holdFree = statement<Payout, { ids: readonly string[] }>('payouts_hold_free_to_tell', ({ ids }) => byIds(ids).skipLocked());
const hold = statement<Payout, { ids: readonly string[] }>('payouts_hold_to_tell', ({ ids }) => byIds(ids));

/** Without those that somebody else is changing. */
export async function holdFreePayouts(db: Db, scope: Scope, ids: readonly string[]): Promise<Payout[]> {
  return db.rows(holdFree(scope, { ids }));
}

export async function holdPayouts(db: Db, scope: Scope, ids: readonly string[]): Promise<Payout[]> {
  return db.rows(hold(scope, { ids }));
}
