/** Payout accounts in SQL, as they are shown: what only the provider needs stays in its own statements. */
import type { NamedActor } from '../../../actor.ts';
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import { namedActor } from '../../audit/open/named-actor.ts';
import { IS_SAME_OF_ANOTHER } from '../open/account-facts.ts';
import { type HolderType, JOIN_VERIFIED, NAME_UNJUDGED, type NameMatch } from '../open/holder-names.ts';
import type { AccountStatus, PaymentProvider } from '../open/payout-states.ts';
import { PAYMENT_DEFAULTS } from '../settings/payment-settings.ts';

const account = tenantTable('payout_account');
const member = tenantTable('member');

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
  holderType: HolderType;
  /** `unjudged`: it is to be compared with the verified name first. */
  nameVerdict: NameMatch | 'unjudged';
  nameAcceptedBy: NamedActor | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Of a row `a`, which may just have been written. */
export const SHOWN = `a.id, a.member_id as "memberId", a.method_type as "methodType", a.display_name as "displayName", a.country, a.currency,
  a.provider_type as "providerType", a.is_primary as "isPrimary", a.status, a.status_reason as "statusReason",
  case when a.status = 'active' then greatest(a.activated_at, a.destination_since) + make_interval(hours => coalesce(
    (select s.account_cooldown_hours from payment_settings s where ${ofTenant('s')}),
    ${PAYMENT_DEFAULTS.accountCooldownHours})) end as "usableFrom",
  exists (
    select from payout_account o where ${IS_SAME_OF_ANOTHER}) as "sharedWithOthers",
  a.holder_type as "holderType",
  (select case when k.id is null then 'not_compared' when ${NAME_UNJUDGED} then 'unjudged'
               when a.name_match = 'mismatch' and a.name_accepted_at is not null then 'accepted' else a.name_match end
   from (select) one ${JOIN_VERIFIED}) as "nameVerdict",
  ${namedActor('a.name_accepted_by')} as "nameAcceptedBy",
  a.created_at as "createdAt", a.updated_at as "updatedAt"`;

const find = statement<PayoutAccount, { memberId: string; id: string }>('accounts_find', ({ memberId, id }) =>
  account('a').where('a.member_id', memberId).where('a.id', id).select(raw(SHOWN)),
);

export function findAccount(db: Db, scope: Scope, memberId: string, id: string): Promise<PayoutAccount | undefined> {
  return db.row(find(scope, { memberId, id }));
}

const list = statement<PayoutAccount, { memberId: string; beforeId: string | null; count: number }>(
  'accounts_list',
  ({ memberId, beforeId, count }) =>
    account('a')
      .where('a.member_id', memberId)
      .whereRaw('(:beforeId::uuid is null or a.id < :beforeId)', { beforeId })
      .orderBy('a.id', 'desc')
      .limit(count)
      .select(raw(SHOWN)),
);

/** The newest first, also those that were deactivated. */
export function listAccounts(
  db: Db,
  { tenantId, environment }: Scope,
  memberId: string,
  beforeId: string | undefined,
  count: number,
): Promise<PayoutAccount[]> {
  return db.rows(list({ tenantId, environment }, { memberId, beforeId: beforeId ?? null, count }));
}

const findMember = statement<{ id: string }, { memberId: string }>('accounts_find_member', ({ memberId }) =>
  member().where({ id: memberId }).select('id'),
);

export async function memberExists(db: Db, scope: Scope, memberId: string): Promise<boolean> {
  return (await db.row(findMember(scope, { memberId }))) !== undefined;
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
  businessName: string | null;
  address: { addressLine1?: string; city?: string } | null;
  /** For an account that it gets now: known beforehand, since what is sealed is bound to it. */
  newAccountId: string;
}

const lockMember = statement<unknown, { memberId: string }>('accounts_lock_member', ({ memberId }) =>
  member().where({ id: memberId }).select('id').forNoKeyUpdate(),
);

const payee = statement<Payee, { memberId: string }>('accounts_read_payee', ({ memberId }) =>
  member('m')
    .leftJoin('member_profile as p', 'p.member_id', 'm.id')
    .where('m.id', memberId)
    .select({
      erasedAt: 'm.erased_at',
      givenName: 'p.given_name',
      surname: 'p.surname',
      dateOfBirth: raw('p.date_of_birth::text'),
      countryCode: 'p.country_code',
      businessName: 'p.business_name',
      address: 'p.address',
      newAccountId: raw('uuidv7()'),
    }),
);

/** Everything that changes a member's accounts holds this lock. The second statement sees what the wait for it was for. */
export async function lockPayee(db: Db, { tenantId, environment }: Scope, memberId: string): Promise<Payee | undefined> {
  const [, found] = await Promise.all([
    db.rows(lockMember({ tenantId, environment }, { memberId })),
    db.row(payee({ tenantId, environment }, { memberId })),
  ]);
  return found;
}

const sameAccount = statement<
  { id: string; status: AccountStatus; isPrimary: boolean },
  { memberId: string; provider: PaymentProvider; fingerprint: Buffer }
>('accounts_find_same', ({ memberId, provider, fingerprint }) =>
  account()
    .where({ member_id: memberId, provider_type: provider, fingerprint })
    .where('status', '<>', 'deactivated')
    .select({ id: 'id', status: 'status', isPrimary: 'is_primary' }),
);

/** The member's account at the provider with these details, unless it was deactivated. */
export function findSameAccount(
  db: Db,
  { tenantId, environment }: Scope,
  memberId: string,
  provider: PaymentProvider,
  fingerprint: Buffer,
): Promise<{ id: string; status: AccountStatus; isPrimary: boolean } | undefined> {
  return db.row(sameAccount({ tenantId, environment }, { memberId, provider, fingerprint }));
}

const countAll = statement<{ full: boolean }, { memberId: string; limit: number }>('accounts_count', ({ memberId, limit }) =>
  raw(
    `select count(*) >= :limit as "full" from (
     select from payout_account a
     where ${ofTenant('a')} and a.member_id = :memberId and a.status <> 'deactivated' limit :limit) counted`,
    { memberId, limit },
  ),
);

/** Whether the member, which is locked, has so many accounts that are not deactivated. */
export async function hasAllAccounts(
  db: Db,
  { tenantId, environment }: Scope,
  { memberId, limit }: { memberId: string; limit: number },
): Promise<boolean> {
  return (await db.row(countAll({ tenantId, environment }, { memberId, limit })))?.full === true;
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
  holderSealed: Buffer;
  holderType: HolderType;
  lastFour: string;
  fingerprint: Buffer;
  tosAcceptance: object | null;
}

type InsertedAccount = Omit<NewAccount, 'tosAcceptance'> & { tosAcceptance: string | null };

const insert = statement<PayoutAccount, InsertedAccount>(
  'accounts_insert',
  ({
    id,
    memberId,
    providerType,
    methodType,
    displayName,
    country,
    currency,
    isPrimary,
    bankSealed,
    holderSealed,
    holderType,
    lastFour,
    fingerprint,
    tosAcceptance,
  }) =>
    raw(
      `with a as (
     insert into payout_account (tenant_id, environment, id, member_id, provider_type, method_type, display_name, country, currency,
                                 is_primary, status, bank_sealed, holder_sealed, holder_type, last_four, fingerprint, tos_acceptance, activated_at, check_at,
                                 created_at, updated_at)
     select :tenantId, :environment, :id, :memberId, :providerType, :methodType, :displayName, :country, :currency,
            :isPrimary or not exists (
              select from payout_account x where ${ofTenant('x')} and x.member_id = :memberId and x.is_primary),
            case :providerType when 'manual' then 'active' else 'provisioning' end, :bankSealed, :holderSealed, :holderType, :lastFour, :fingerprint,
            :tosAcceptance::jsonb, case :providerType when 'manual' then n.now end,
            case :providerType when 'payvendor' then n.now + interval '60 seconds' end, n.now, n.now
     from (select scope_now(:tenantId, :environment) as now) n
     returning *)
   select ${SHOWN} from a`,
      {
        id,
        memberId,
        providerType,
        methodType,
        displayName,
        country,
        currency,
        isPrimary,
        bankSealed,
        holderSealed,
        holderType,
        lastFour,
        fingerprint,
        tosAcceptance,
      },
    ),
);

/** Active at once where the tenant pays by itself; else to be provisioned, which is taken up again after a minute if it broke off. */
export async function insertAccount(db: Db, scope: Scope, account: NewAccount): Promise<PayoutAccount> {
  const tosAcceptance = account.tosAcceptance && JSON.stringify(account.tosAcceptance);
  const inserted = await db.row(insert(scope, { ...account, tosAcceptance }));
  if (!inserted) throw new Error('the payout account was not stored');
  return inserted;
}
