/** Payout accounts of a member, as they are erased and exported, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import type { Statement } from '../../db/statement.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { byId, type ExportList, exportList, jsonOf, ofMember, type Person, utc } from '../../house/personal.ts';
import { owedSums } from '../commissions/open/owed-sql.ts';

const payout = tenantTable('payout');
const payoutHold = tenantTable('payout_hold');

const openPayouts = statement<unknown, { memberId: string }>('erasure_lock_payouts', ({ memberId }) =>
  payout().where({ member_id: memberId }).whereIn('status', ['queued', 'processing']).orderBy('id').select('id').forShare(),
);

/**
 * Waits for payouts that are being executed or settled. Those that are queued are executed behind the erasure, and find
 * the account that is kept for them. It comes before the tree's lock, which others would wait for meanwhile.
 */
export async function holdOpenPayouts(db: Db, scope: Scope, { memberId }: Person): Promise<void> {
  await db.rows(openPayouts(scope, { memberId }));
}

/** How often it is looked at whether anything is owed still; at once when a payout has ended. */
export const KEPT_CHECK = '1 hour';

const accounts = statement<unknown, { memberId: string }>('erasure_payout_accounts', ({ memberId }) =>
  raw(
    `update payout_account a set status = 'deactivated', is_primary = false, display_name = 'erased', bank_name = null, last_four = null,
          bank_sealed = case when kept.is_kept or exists (
            select from payout p
            where ${ofTenant('p')} and p.payout_account_id = a.id and p.status = 'processing')
          then a.bank_sealed end,
          kept_check_at = case when kept.is_kept then clock.now + interval '${KEPT_CHECK}' end,
          holder_sealed = null, name_judged_for = null,
          name_match = coalesce(a.name_match, case when a.holder_sealed is null and a.bank_sealed is null then 'not_compared' else 'mismatch' end),
          tos_acceptance = null, status_reason = null, check_at = null,
          fingerprint = decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'),
          updated_at = clock.now
   from (select scope_now(:tenantId, :environment) as now) clock,
        (select x.id, x.status = 'active' and x.currency in (select owed.currency from (${owedSums(':memberId')}) owed)
                and (not exists (
                       select from payout_account y
                       where ${ofTenant('y')} and y.member_id = x.member_id and y.status = 'active' and y.currency = x.currency
                         and y.provider_type = x.provider_type and (y.is_primary, y.id) > (x.is_primary, x.id))
                     or exists (
                       select from payout p
                       where ${ofTenant('p')} and p.payout_account_id = x.id and p.status in ('queued', 'processing'))) as is_kept
         from payout_account x where ${ofTenant('x')} and x.member_id = :memberId) kept
   where ${ofTenant('a')} and a.id = kept.id`,
    { memberId },
  ),
);

/**
 * What is at the payment provider stays there, under its id. A name that was never compared cannot be any more: nothing is
 * paid to that account, and what is owed is settled by hand. The digest goes too: by it the number could be
 * recognised. Of each currency in which something is owed the account that a run would choose is kept, and those of payouts
 * that are under way: what is needed to pay to them goes when nothing is owed any more (settlements/kept-accounts.ts).
 */
export function eraseAccounts({ tenantId, environment }: Scope, { memberId }: Person): Statement<unknown> {
  return accounts({ tenantId, environment }, { memberId });
}

/** What of the member was shown, and is shown otherwise once it is erased. */
export const ownedStatement = statement<{ accountIds: string[]; hasPayouts: boolean }, { memberId: string }>(
  'erasure_owned_accounts',
  ({ memberId }) =>
    raw(
      `select array(select a.id from payout_account a where ${ofTenant('a')} and a.member_id = :memberId order by a.id) as "accountIds",
            exists (select from payout p where ${ofTenant('p')} and p.member_id = :memberId) as "hasPayouts"`,
      { memberId },
    ),
);

const holdReason = statement<unknown, { memberId: string }>('erasure_hold_reason', ({ memberId }) =>
  payoutHold().where({ member_id: memberId }).update({ reason: 'erased' }),
);

/** The hold stays: what is owed is not paid because its member was erased. */
export function eraseHoldReason({ tenantId, environment }: Scope, { memberId }: Person): Statement<unknown> {
  return holdReason({ tenantId, environment }, { memberId });
}

const payoutTexts = statement<unknown, { memberId: string }>('erasure_payout_texts', ({ memberId }) =>
  payout()
    .where({ member_id: memberId })
    .whereRaw('num_nonnulls(failure_message, reference) > 0')
    .update({ failure_message: null, reference: null }),
);

/** What vendors and tenants wrote of payouts. Amounts, dates and the codes of failures stay. */
export function erasePayoutTexts({ tenantId, environment }: Scope, { memberId }: Person): Statement<unknown> {
  return payoutTexts({ tenantId, environment }, { memberId });
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
