/** What of a tenant was matched in the present freeze, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';

export interface ReconciliationState {
  /** Whether somebody is paid by hand, so that the bank is to be asked. */
  paysByHand: boolean;
  vendorDone: boolean;
  bankDone: boolean;
  /** Ids at the vendor that a person has judged. */
  accepted: string[];
}

const state = statement<ReconciliationState, { freezeId: string }>('reconcile_state', ({ freezeId }) =>
  raw(
    `select exists (select from payout p where ${ofTenant('p')} and p.provider_type = 'manual')
       or exists (select from payout_account a where ${ofTenant('a')} and a.provider_type = 'manual') as "paysByHand",
     coalesce(r.vendor_at is not null, false) as "vendorDone", coalesce(r.bank_at is not null, false) as "bankDone",
     coalesce(r.accepted, '{}') as accepted
   from (select) one left join payout_reconciliation r on ${ofTenant('r')} and r.freeze_id = :freezeId`,
    { freezeId },
  ),
);

export async function readState(db: Db, scope: Scope, freezeId: string): Promise<ReconciliationState> {
  const row = await db.row(state(scope, { freezeId }));
  if (!row) throw new Error('a state has no row');
  return row;
}

const store = statement<unknown, { freezeId: string; vendor: boolean | null; bank: boolean | null; accepted: string[] }>(
  'reconcile_store_state',
  ({ freezeId, vendor, bank, accepted }) =>
    raw(
      `insert into payout_reconciliation as r (tenant_id, environment, freeze_id, vendor_at, bank_at, accepted)
   values (:tenantId, :environment, :freezeId, case when :vendor then now() end, case when :bank then now() end, :accepted::text[])
   on conflict (tenant_id, environment) do update
   set freeze_id = excluded.freeze_id,
       vendor_at = case when :vendor::boolean is not null then excluded.vendor_at
                        when r.freeze_id = excluded.freeze_id then r.vendor_at end,
       bank_at = case when :bank::boolean is not null then excluded.bank_at
                      when r.freeze_id = excluded.freeze_id then r.bank_at end,
       accepted = case when r.freeze_id = excluded.freeze_id
                       then array(select distinct x from unnest(r.accepted || excluded.accepted) x) else excluded.accepted end`,
      { freezeId, vendor, bank, accepted },
    ),
);

/** Null leaves a part as it is; of another freeze nothing is kept. */
export async function storeState(
  db: Db,
  scope: Scope,
  freezeId: string,
  { vendor = null, bank = null, accepted = [] }: { vendor?: boolean | null; bank?: boolean | null; accepted?: string[] },
): Promise<void> {
  await db.rows(store(scope, { freezeId, vendor, bank, accepted }));
}
