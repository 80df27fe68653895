/** A run's payouts in SQL, page by page, for whoever pays them. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import type { Statement } from '../../../db/statement.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import { countsAt } from '../open/payout-hold.ts';
import type { PaymentProvider, PayoutStatus } from '../open/payout-states.ts';

const run = tenantTable('payout_run');
const payout = tenantTable('payout');

const find = statement<{ id: string; status: string }, { runId: string }>('payouts_find_run_to_export', ({ runId }) =>
  run().where({ id: runId }).select('id', 'status'),
);

export async function findRunToExport(db: Db, scope: Scope, runId: string): Promise<{ status: string } | undefined> {
  return db.row(find(scope, { runId }));
}

export interface ExportedPayout {
  id: string;
  memberId: string;
  email: string;
  name: string | null;
  status: PayoutStatus;
  amountMinor: bigint;
  currency: string;
  providerType: PaymentProvider;
  accountId: string;
  methodType: string;
  country: string;
  bankSealed: Buffer | null;
  reference: string | null;
  failureCode: string | null;
  paidAt: Date | null;
}

/** Nobody is asked to pay a member on hold. */
const HELD = `exists (select from payout_hold h where ${countsAt('p.member_id', SCOPE_NOW)})`;

const page = statement<ExportedPayout, { runId: string; afterId: string; count: number }>(
  'payouts_export_page',
  ({ runId, afterId, count }) =>
    payout('p')
      .join('member as m', 'm.id', 'p.member_id')
      .join('payout_account as a', 'a.id', 'p.payout_account_id')
      .where('p.payout_run_id', runId)
      .where('p.id', '>', afterId)
      .orderBy('p.id')
      .limit(count)
      .select({
        id: 'p.id',
        memberId: 'p.member_id',
        email: 'm.email',
        name: 'm.name',
        status: 'p.status',
        amountMinor: 'p.amount_minor',
        currency: 'p.currency',
        providerType: 'p.provider_type',
        accountId: 'a.id',
        methodType: 'a.method_type',
        country: 'a.country',
        bankSealed: raw(`case when p.provider_type = 'manual' and not ${HELD} then a.bank_sealed end`),
        reference: 'p.reference',
        failureCode: raw(`coalesce(p.failure_code, case when p.status = 'processing' and ${HELD} then 'HELD' end)`),
        paidAt: 'p.paid_at',
      }),
);

/** In the order of their ids. */
export function exportPageStatement(scope: Scope, runId: string, afterId: string, count: number): Statement<ExportedPayout> {
  return page(scope, { runId, afterId, count });
}
