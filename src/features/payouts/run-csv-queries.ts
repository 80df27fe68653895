/** A run's payouts in SQL, page by page, for whoever pays them. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared, type Statement } from '../../db/statement.ts';
import type { PaymentProvider, PayoutStatus } from './payout-states.ts';

const find = prepared<{ id: string; status: string }, [string, string, runId: string]>(
  'payouts_find_run_to_export',
  'select r.id, r.status from payout_run r where r.tenant_id = $1 and r.environment = $2 and r.id = $3',
);

export async function findRunToExport(db: Db, scope: Scope, runId: string): Promise<{ status: string } | undefined> {
  return db.row(find(scope.tenantId, scope.environment, runId));
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

const page = prepared<ExportedPayout, [string, string, runId: string, afterId: string, count: number]>(
  'payouts_export_page',
  `select p.id, p.member_id as "memberId", m.email, m.name, p.status, p.amount_minor as "amountMinor", p.currency,
          p.provider_type as "providerType", a.id as "accountId", a.method_type as "methodType", a.country,
          case when p.provider_type = 'manual' then a.bank_sealed end as "bankSealed", p.reference, p.failure_code as "failureCode",
          p.paid_at as "paidAt"
   from payout p
   join member m on m.tenant_id = $1 and m.environment = $2 and m.id = p.member_id
   join payout_account a on a.tenant_id = $1 and a.environment = $2 and a.id = p.payout_account_id
   where p.tenant_id = $1 and p.environment = $2 and p.payout_run_id = $3 and p.id > $4
   order by p.id limit $5`,
);

/** In the order of their ids. */
export function exportPageStatement(scope: Scope, runId: string, afterId: string, count: number): Statement<ExportedPayout> {
  return page(scope.tenantId, scope.environment, runId, afterId, count);
}
