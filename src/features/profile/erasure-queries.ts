/** Erasing a member in SQL: what is known of the person goes, what the books hold by its id stays. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

const customers = prepared<unknown, [string, string, emailNorm: string, email: string]>(
  'erasure_customers',
  `update customer c set email = null, email_norm = null, name = null, updated_at = scope_now($1, $2)
   where c.tenant_id = $1 and c.environment = $2 and (lower(c.email) = $3 or c.email = $4)`,
);

const allowTime = prepared<unknown, []>('erasure_allow_time', "set local statement_timeout = '60s'");

/** No index has customers by their email, so all of the tenant's are read: some 0.3 s a million. */
export async function eraseCustomers(db: Db, scope: Scope, emailNorm: string, email: string): Promise<void> {
  await Promise.all([db.rows(allowTime()), db.rows(customers(scope.tenantId, scope.environment, emailNorm, email))]);
}

/**
 * By the email, and the one that became the member, whatever its email. Who referred it stays, with where it came
 * from. One that is still open is to be pursued no more: nobody is at the address that stands in its place.
 */
const leads = prepared<unknown, [string, string, memberId: string, emailNorm: string]>(
  'erasure_leads',
  `update lead l set email = 'erased-' || gen_random_uuid() || '@erased.invalid', name = null, phone = null, click_id = null,
          conversion_status = case when l.conversion_status in ('captured', 'qualified') then 'disqualified' else l.conversion_status end,
          updated_at = scope_now($1, $2)
   where l.tenant_id = $1 and l.environment = $2 and (l.email = $4 or l.converted_member_id = $3)`,
);

const profile = prepared<unknown, [string, string, memberId: string]>(
  'erasure_profile',
  'delete from member_profile where tenant_id = $1 and environment = $2 and member_id = $3',
);

const identities = prepared<unknown, [string, string, memberId: string]>(
  'erasure_identities',
  'delete from member_identity where tenant_id = $1 and environment = $2 and member_id = $3',
);

const sessions = prepared<unknown, [string, string, memberId: string]>(
  'erasure_sessions',
  `update token_family set revoked_at = now(), revoke_reason = 'member_erased'
   where tenant_id = $1 and environment = $2 and member_id = $3 and revoked_at is null`,
);

const openPayouts = prepared<unknown, [string, string, memberId: string]>(
  'erasure_lock_payouts',
  `select p.id from payout p
   where p.tenant_id = $1 and p.environment = $2 and p.member_id = $3 and p.status in ('queued', 'processing')
   order by p.id for share`,
);

/**
 * Waits for payouts that are being executed or settled; those that are queued are executed behind the erasure, and
 * find no account. To be called before the tree's lock, which others would wait for meanwhile.
 */
export async function holdOpenPayouts(db: Db, scope: Scope, memberId: string): Promise<void> {
  await db.rows(openPayouts(scope.tenantId, scope.environment, memberId));
}

/**
 * What is at the payment provider stays there, under its id. The digest goes too: by it the number could be
 * recognised. Details that somebody has to pay by go when that payout has ended.
 */
const payoutAccounts = prepared<unknown, [string, string, memberId: string]>(
  'erasure_payout_accounts',
  `update payout_account a set status = 'deactivated', is_primary = false, display_name = 'erased', bank_name = null, last_four = null,
          bank_sealed = case when exists (
            select from payout p
            where p.tenant_id = $1 and p.environment = $2 and p.payout_account_id = a.id and p.status = 'processing')
          then a.bank_sealed end,
          tos_acceptance = null, status_reason = null, check_at = null,
          fingerprint = decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'),
          updated_at = scope_now($1, $2)
   where a.tenant_id = $1 and a.environment = $2 and a.member_id = $3`,
);

/**
 * A deleted link leads nowhere, is shown nowhere and cannot be made active again; its slug is not given to another.
 * Its name, and the address that it led to, may be the person's own.
 */
const links = prepared<unknown, [string, string, memberId: string]>(
  'erasure_links',
  `update referral_link l set status = 'deleted', name = null, destination_url = 'https://erased.invalid/', updated_at = scope_now($1, $2)
   where l.tenant_id = $1 and l.environment = $2 and l.member_id = $3`,
);

/** The default one too: it may be a name. It stays the default one, by which the books show the member. */
const codes = prepared<unknown, [string, string, memberId: string]>(
  'erasure_codes',
  `update referral_code c set status = 'retired', updated_at = scope_now($1, $2)
   where c.tenant_id = $1 and c.environment = $2 and c.member_id = $3 and c.status = 'active'`,
);

/** Nobody can hold an erasure up by having taken the address that is to stand in the place of the member's. */
const member = prepared<{ email: string; erasedAt: Date }, [string, string, memberId: string]>(
  'erasure_member',
  `update member m set email = e.email, email_norm = e.email, name = null, name_norm = null, external_id = null,
          erased_at = scope_now($1, $2), updated_at = scope_now($1, $2)
   from (select case when exists (
             select from member x
             where x.tenant_id = $1 and x.environment = $2 and x.email_norm = 'erased-' || $3::uuid || '@erased.invalid')
           then 'erased-' || $3::uuid || '-' || gen_random_uuid() || '@erased.invalid'
           else 'erased-' || $3::uuid || '@erased.invalid' end as email) e
   where m.tenant_id = $1 and m.environment = $2 and m.id = $3
   returning m.email, m.erased_at as "erasedAt"`,
);

/** All but the customers, who are looked for without the tree's lock. Of a member that is locked. */
export async function erasePerson(
  db: Db,
  scope: Scope,
  memberId: string,
  emailNorm: string,
): Promise<{ email: string; erasedAt: Date }> {
  const { tenantId, environment } = scope;
  const [row] = await Promise.all([
    db.row(member(tenantId, environment, memberId)),
    db.rows(leads(tenantId, environment, memberId, emailNorm)),
    db.rows(profile(tenantId, environment, memberId)),
    db.rows(identities(tenantId, environment, memberId)),
    db.rows(sessions(tenantId, environment, memberId)),
    db.rows(payoutAccounts(tenantId, environment, memberId)),
    db.rows(links(tenantId, environment, memberId)),
    db.rows(codes(tenantId, environment, memberId)),
  ]);
  if (!row) throw new Error('a locked member vanished');
  return row;
}
