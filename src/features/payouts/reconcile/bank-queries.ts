/** Whom a payment of the bank may have been to, in SQL. */
import { statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { tenantTable } from '../../../db/tenant-table.ts';

const payout = tenantTable('payout');
const payoutAccount = tenantTable('payout_account');

type Found = { payoutId: string; memberId: string };

const withReference = statement<Found, { reference: string; currency: string; amountMinor: bigint }>(
  'reconcile_find_reference',
  ({ reference, currency, amountMinor }) =>
    payout()
      .where({ reference, currency, amount_minor: amountMinor, provider_type: 'manual' })
      .whereIn('status', ['paid', 'returned'])
      .orderBy('id')
      .limit(1)
      .select({ payoutId: 'id', memberId: 'member_id' }),
);

/** A payout by hand that was settled with the reference. */
export function findPayoutWithReference(
  db: Db,
  scope: Scope,
  reference: string,
  currency: string,
  amountMinor: bigint,
): Promise<Found | undefined> {
  return db.row(withReference(scope, { reference, currency, amountMinor }));
}

const paidTo = statement<{ memberId: string }, { accountEnd: string; currency: string; count: number }>(
  'reconcile_members_paid_to',
  ({ accountEnd, currency, count }) =>
    payoutAccount()
      .where({ last_four: accountEnd, currency, provider_type: 'manual' })
      .distinct({ memberId: 'member_id' })
      .orderBy('member_id')
      .limit(count),
);

/** Members with an account by hand that ends so, deactivated ones too. */
export async function listMembersPaidTo(
  db: Db,
  scope: Scope,
  accountEnd: string,
  currency: string,
  count: number,
): Promise<string[]> {
  return (await db.rows(paidTo(scope, { accountEnd, currency, count }))).map(({ memberId }) => memberId);
}
