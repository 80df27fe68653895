/** Members to be paid: each with three cleared commissions, an account at the payment vendor and an approved KYC. */
import { loadingSteps } from './load.ts';
import type { Stage, Tenant } from './stage.ts';

export const LINES_EACH = 3;

export async function loadPayees(
  stage: Pick<Stage, 'sql' | 'newTenant'>,
  members: number,
  say: (line: string) => void,
): Promise<Tenant> {
  const tenant = await stage.newTenant();
  const step = loadingSteps(stage, tenant, say);
  // Whole by construction: neither keys nor triggers are checked while loading.
  await stage.sql('set session_replication_role = replica');
  await stage.sql(
    `create temp table payee as select i, uuidv7() as id, uuidv7() as provider_id from generate_series(1, ${members}) as i;
     create temp table earned as
       select uuidv7() as event_id, uuidv7() as journal_id, p.id as member_id, p.i, n
       from payee p cross join generate_series(1, ${LINES_EACH}) as n`,
  );
  await step(
    `${members} members with accounts`,
    `insert into member (tenant_id, environment, id, email, email_norm, membership_tier, is_active, can_recruit, is_test_user,
                         pay_currency, kyc_approved_at)
     select $scope, id, 'payee-' || i || '@bench.example', 'payee-' || i || '@bench.example', 'ORDINARY', true, true, false, 'USD',
            '2026-01-01' from payee;
     insert into referral_code (tenant_id, environment, code, member_id, is_default)
     select $scope, 'PAYEE-' || i, id, true from payee;
     insert into provider_account (tenant_id, environment, id, member_id, country, provider_account_id, status, transfers,
                                   profile_version, created_at, updated_at)
     select $scope, provider_id, id, 'HK', 'acct_' || i, 'active', 'active', '1', now(), now() from payee;
     insert into payout_account (tenant_id, environment, member_id, provider_type, method_type, display_name, country, currency,
                                 is_primary, status, fingerprint, activated_at, provider_account_ref, external_account_id,
                                 created_at, updated_at)
     select $scope, id, 'payvendor', 'hk_bank_transfer', 'Bank', 'HK', 'USD', true, 'active', sha256(uuid_send(id)),
            now() - interval '9 days', provider_id, 'ba_' || i, now(), now() from payee`,
  );
  await step(
    `${members * LINES_EACH} cleared commissions`,
    `insert into event (tenant_id, environment, id, external_event_id, kind, type, occurred_at, amount_minor, currency, tax_minor,
                        shipping_minor, discount_minor, base_minor,
                        attributed_member_id, status, content_digests)
     select $scope, event_id, 'earned-' || i || '-' || n, 'commission', 'adjustment', now(), 2000, 'USD', 0, 0, 0, 2000, member_id, 'accepted', '{}'
     from earned;
     insert into commission_line (tenant_id, environment, event_id, beneficiary_id, kind, source, level, paid_level, rate_bps,
                                  multiplier_milli, base_minor, amount_minor, currency, status, clears_at, occurred_at, calculation_hash)
     select $scope, event_id, member_id, 'adjustment', 'manual', 0, 0, 0, 1000, 0, 2000, 'USD', 'cleared', now() - interval '1 day',
            now(), sha256(uuid_send(event_id)) from earned;
     insert into journal_entry (tenant_id, environment, id, cause_type, cause_id, occurred_at)
     select $scope, journal_id, 'event', event_id, now() from earned;
     insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
     select $scope, journal_id, 0, 'company:commission_expense', null::uuid, 'USD', -2000 from earned
     union all
     select $scope, journal_id, 1, 'member:cleared', member_id, 'USD', 2000 from earned;
     -- As if sealed: what a block adds to the sums.
     insert into ledger_total (tenant_id, environment, currency, account, amount_minor)
     select $scope, 'USD', 'member:cleared', count(*) * 2000 from earned`,
  );
  await stage.sql('set session_replication_role = origin');
  await step('statistics', 'vacuum analyze');
  return tenant;
}
