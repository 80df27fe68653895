/** Payout accounts of a member, as they are erased and exported, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import type { Statement } from '../../db/statement.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { byId, type ExportList, exportList, jsonOf, ofMember, type Person, utc } from '../../house/personal.ts';

const payout = tenantTable('payout');
const payoutHold = tenantTable('payout_hold');

const openPayouts = statement<unknown, { memberId: string }>('erasure_lock_payouts', ({ memberId }) =>
  payout().where({ member_id: memberId }).whereIn('status', ['queued', 'processing']).orderBy('id').select('id').forShare(),
);

/**
 * Waits for payouts that are being executed or settled. Those that are queued are executed behind the erasure, and find
 * no account. It comes before the tree's lock, which others would wait for meanwhile.
 */
export async function holdOpenPayouts(db: Db, scope: Scope, { memberId }: Person): Promise<void> {
  await db.rows(openPayouts(scope, { memberId }));
}

const accounts = statement<unknown, { memberId: string }>('erasure_payout_accounts', ({ memberId }) =>
  raw(
    `update payout_account a set status = 'deactivated', is_primary = false, display_name = 'erased', bank_name = null, last_four = null,
          bank_sealed = case when exists (
            select from payout p
            where ${ofTenant('p')} and p.payout_account_id = a.id and p.status = 'processing')
          then a.bank_sealed end,
          holder_sealed = null, name_judged_for = null,
          tos_acceptance = null, status_reason = null, check_at = null,
          fingerprint = decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'),
          updated_at = scope_now(:tenantId, :environment)
   where ${ofTenant('a')} and a.member_id = :memberId`,
    { memberId },
  ),
);

/**
 * What is at the payment provider stays there, under its id. The digest goes too: by it the number could be
 * recognised. Details that somebody has to pay by go when that payout has ended.
 */
export function eraseAccounts({ tenantId, environment }: Scope, { memberId }: Person): Statement<unknown> {
  return accounts({ tenantId, environment }, { memberId });
}

const holdReason = statement<unknown, { memberId: string }>('erasure_hold_reason', ({ memberId }) =>
  payoutHold().where({ member_id: memberId }).update({ reason: 'erased' }),
);

/** The hold stays: what is owed is not paid because its member was erased. */
export function eraseHoldReason({ tenantId, environment }: Scope, { memberId }: Person): Statement<unknown> {
  return holdReason({ tenantId, environment }, { memberId });
}

export const holdJson = `(select ${jsonOf({ reason: 'h.reason', until: utc('h.until'), createdAt: utc('h.created_at') })}
  from payout_hold h where ${ofTenant('h')} and h.member_id = m.id)`;

export const accountsOfMember: ExportList = exportList(
  'export_payout_accounts',
  byId('a'),
  {
    id: 'a.id',
    providerType: 'a.provider_type',
    methodType: 'a.method_type',
    displayName: 'a.display_name',
    bankName: 'a.bank_name',
    country: 'a.country',
    currency: 'a.currency',
    isPrimary: 'a.is_primary',
    status: 'a.status',
    statusReason: 'a.status_reason',
    holderType: 'a.holder_type',
    nameMatch: "case when a.name_accepted_at is not null then 'accepted' else coalesce(a.name_match, 'not_compared') end",
    tosAcceptance: 'a.tos_acceptance',
    createdAt: utc('a.created_at'),
  },
  `payout_account a ${ofMember('a', 'member_id')}`,
);
