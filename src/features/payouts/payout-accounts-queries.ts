/** Payout accounts in SQL, as they are shown: what only the provider needs stays in its own statements. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import { PAYMENT_DEFAULTS } from './payment-settings.ts';
import type { AccountStatus, PaymentProvider } from './payout-states.ts';

export interface PayoutAccount {
  id: string;
  memberId: string;
  methodType: string;
  displayName: string;
  country: string;
  currency: string;
  providerType: PaymentProvider;
  isPrimary: boolean;
  status: AccountStatus;
  statusReason: string | null;
  /** The end of the cool-down, before which nothing is paid to it; null unless active. */
  usableFrom: Date | null;
  /** Whether another member has it too. */
  sharedWithOthers: boolean;
  createdAt: Date;
  updatedAt: Date;
}

/** Of a row `a`, which may just have been written. */
const SHOWN = `a.id, a.member_id as "memberId", a.method_type as "methodType", a.display_name as "displayName", a.country, a.currency,
  a.provider_type as "providerType", a.is_primary as "isPrimary", a.status, a.status_reason as "statusReason",
  case when a.status = 'active' then a.activated_at + make_interval(hours => coalesce(
    (select s.account_cooldown_hours from payment_settings s where s.tenant_id = $1 and s.environment = $2),
    ${PAYMENT_DEFAULTS.accountCooldownHours})) end as "usableFrom",
  exists (
    select from payout_account o
    where o.tenant_id = $1 and o.environment = $2 and o.fingerprint = a.fingerprint and o.status <> 'deactivated'
      and o.member_id <> a.member_id) as "sharedWithOthers",
  a.created_at as "createdAt", a.updated_at as "updatedAt"`;

const find = prepared<PayoutAccount, [string, string, memberId: string, id: string]>(
  'accounts_find',
  `select ${SHOWN} from payout_account a where a.tenant_id = $1 and a.environment = $2 and a.member_id = $3 and a.id = $4`,
);

export function findAccount(db: Db, scope: Scope, memberId: string, id: string): Promise<PayoutAccount | undefined> {
  return db.row(find(scope.tenantId, scope.environment, memberId, id));
}

const list = prepared<PayoutAccount, [string, string, memberId: string, beforeId: string | null, count: number]>(
  'accounts_list',
  `select ${SHOWN} from payout_account a
   where a.tenant_id = $1 and a.environment = $2 and a.member_id = $3 and ($4::uuid is null or a.id < $4)
   order by a.id desc limit $5`,
);

/** The newest first, also those that were deactivated. */
export function listAccounts(
  db: Db,
  { tenantId, environment }: Scope,
  memberId: string,
  beforeId: string | undefined,
  count: number,
): Promise<PayoutAccount[]> {
  return db.rows(list(tenantId, environment, memberId, beforeId ?? null, count));
}

const member = prepared<{ id: string }, [string, string, memberId: string]>(
  'accounts_find_member',
  'select m.id from member m where m.tenant_id = $1 and m.environment = $2 and m.id = $3',
);

export async function memberExists(db: Db, scope: Scope, memberId: string): Promise<boolean> {
  return (await db.row(member(scope.tenantId, scope.environment, memberId))) !== undefined;
}

/** Whoever is to be paid, as its profile has it. */
export interface Payee {
  erasedAt: Date | null;
  givenName: string | null;
  surname: string | null;
  /** YYYY-MM-DD */
  dateOfBirth: string | null;
  /** ISO 3166-1 alpha-3 */
  countryCode: string | null;
  address: { addressLine1?: string; city?: string } | null;
  /** For an account that it gets now: known beforehand, since what is sealed is bound to it. */
  newAccountId: string;
}

const lockMember = prepared<unknown, [string, string, memberId: string]>(
  'accounts_lock_member',
  'select m.id from member m where m.tenant_id = $1 and m.environment = $2 and m.id = $3 for no key update',
);

const payee = prepared<Payee, [string, string, memberId: string]>(
  'accounts_read_payee',
  `select m.erased_at as "erasedAt", p.given_name as "givenName", p.surname, p.date_of_birth::text as "dateOfBirth",
          p.country_code as "countryCode", p.address, uuidv7() as "newAccountId"
   from member m
   left join member_profile p on p.tenant_id = $1 and p.environment = $2 and p.member_id = m.id
   where m.tenant_id = $1 and m.environment = $2 and m.id = $3`,
);

/** Everything that changes a member's accounts holds this lock. The second statement sees what the wait for it was for. */
export async function lockPayee(db: Db, { tenantId, environment }: Scope, memberId: string): Promise<Payee | undefined> {
  const [, found] = await Promise.all([
    db.rows(lockMember(tenantId, environment, memberId)),
    db.row(payee(tenantId, environment, memberId)),
  ]);
  return found;
}

const sameAccount = prepared<
  { id: string; status: AccountStatus; isPrimary: boolean },
  [string, string, memberId: string, PaymentProvider, fingerprint: Buffer]
>(
  'accounts_find_same',
  `select a.id, a.status, a.is_primary as "isPrimary" from payout_account a
   where a.tenant_id = $1 and a.environment = $2 and a.member_id = $3 and a.provider_type = $4 and a.fingerprint = $5
     and a.status <> 'deactivated'`,
);

/** The member's account at the provider with these details, unless it was deactivated. */
export function findSameAccount(
  db: Db,
  { tenantId, environment }: Scope,
  memberId: string,
  provider: PaymentProvider,
  fingerprint: Buffer,
): Promise<{ id: string; status: AccountStatus; isPrimary: boolean } | undefined> {
  return db.row(sameAccount(tenantId, environment, memberId, provider, fingerprint));
}

export interface NewAccount {
  id: string;
  memberId: string;
  providerType: PaymentProvider;
  methodType: string;
  displayName: string;
  country: string;
  currency: string;
  /** Otherwise it becomes primary when no other is. */
  isPrimary: boolean;
  bankSealed: Buffer;
  lastFour: string;
  fingerprint: Buffer;
  tosAcceptance: object | null;
}

const insert = prepared<
  PayoutAccount,
  [
    string,
    string,
    id: string,
    memberId: string,
    PaymentProvider,
    methodType: string,
    displayName: string,
    country: string,
    currency: string,
    isPrimary: boolean,
    bankSealed: Buffer,
    lastFour: string,
    fingerprint: Buffer,
    tosAcceptance: string | null,
  ]
>(
  'accounts_insert',
  `with a as (
     insert into payout_account (tenant_id, environment, id, member_id, provider_type, method_type, display_name, country, currency,
                                 is_primary, status, bank_sealed, last_four, fingerprint, tos_acceptance, activated_at, check_at,
                                 created_at, updated_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9,
            $10 or not exists (
              select from payout_account x where x.tenant_id = $1 and x.environment = $2 and x.member_id = $4 and x.is_primary),
            case $5 when 'manual' then 'active' else 'provisioning' end, $11, $12, $13, $14::jsonb,
            case $5 when 'manual' then n.now end, case $5 when 'payvendor' then n.now + interval '60 seconds' end, n.now, n.now
     from (select scope_now($1, $2) as now) n
     returning *)
   select ${SHOWN} from a`,
);

/** Active at once where the tenant pays by itself; else to be provisioned, which is taken up again after a minute if it broke off. */
export async function insertAccount(db: Db, { tenantId, environment }: Scope, account: NewAccount): Promise<PayoutAccount> {
  const { id, memberId, providerType, methodType, displayName, country, currency, isPrimary } = account;
  const { bankSealed, lastFour, fingerprint, tosAcceptance } = account;
  const tos = tosAcceptance && JSON.stringify(tosAcceptance);
  const named = [methodType, displayName, country, currency, isPrimary] as const;
  const inserted = await db.row(
    insert(tenantId, environment, id, memberId, providerType, ...named, bankSealed, lastFour, fingerprint, tos),
  );
  if (!inserted) throw new Error('the payout account was not stored');
  return inserted;
}
