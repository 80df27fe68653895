/** The look at balances ahead of a large posting. */
import { takeLocksInOrder } from '../../db/lock-classes.ts';
import { raw, statement, unscopedStatement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { type AccountHolder, keyOf } from './open/balance-limit.ts';

/** In the order of their hashes, so that two journals never wait for each other. */
const lockHolders = unscopedStatement<unknown, { keys: readonly string[] }>('ledger_lock_holders', ({ keys }) =>
  raw(takeLocksInOrder('balanceLimits', ':keys'), { keys }),
);

export interface HolderFold {
  member_id: string;
  currency: string;
  account: string;
  balance: string;
}

const foldHolders = statement<HolderFold, { memberIds: readonly string[]; currencies: readonly string[] }>(
  'ledger_fold_holders',
  ({ memberIds, currencies }) =>
    raw(
      `select p.member_id, p.currency, p.account, sum(p.amount_minor)::text as balance
       from unnest(:memberIds::uuid[], :currencies::text[]) as h(member_id, currency)
       join posting p on ${ofTenant('p')} and p.member_id = h.member_id and p.currency = h.currency
       group by p.member_id, p.currency, p.account`,
      { memberIds, currencies },
    ),
);

/** Every posting of the holders so far; other large ones wait until the transaction has ended. */
export async function lockFolds(db: Db, scope: Scope, holders: readonly AccountHolder[]): Promise<HolderFold[]> {
  const { tenantId, environment } = scope;
  await db.rows(lockHolders({ keys: holders.map((holder) => `${tenantId}:${environment}:${keyOf(holder)}`) }));
  return db.rows(
    foldHolders(scope, {
      memberIds: holders.map(({ memberId }) => memberId),
      currencies: holders.map(({ currency }) => currency),
    }),
  );
}
