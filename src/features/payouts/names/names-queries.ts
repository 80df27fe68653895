/** Verdicts on the names that payout accounts are held under, in SQL. */
import type { Knex } from 'knex';
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { scopeNow } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import { type HolderType, JOIN_VERIFIED, NAME_UNJUDGED } from '../open/holder-names.ts';
import type { PaymentProvider } from '../open/payout-states.ts';

/** An account whose holder's name is to be compared, locked. */
export interface UnjudgedAccount {
  id: string;
  holderType: HolderType;
  holderSealed: Buffer | null;
  bankSealed: Buffer | null;
  givenName: string | null;
  surname: string | null;
  businessName: string | null;
  /** The digest of the name that it is compared with. */
  judgedFor: Buffer | null;
}

const unjudged = (condition: string, places: Readonly<Record<string, Knex.Raw>>, lock = 'for no key update of a'): Knex.Raw =>
  raw(
    `select a.id, a.holder_type as "holderType", a.holder_sealed as "holderSealed", a.bank_sealed as "bankSealed",
       p.given_name as "givenName", p.surname, p.business_name as "businessName",
       case a.holder_type when 'business' then p.business_name_digest else k.names_digest end as "judgedFor"
     from payout_account a ${JOIN_VERIFIED}
     where ${ofTenant('a')} and ${condition} and ${NAME_UNJUDGED}
     order by a.id limit :limit ${lock}`,
    places,
  );

const ofRun = statement<UnjudgedAccount, { currency: string; provider: PaymentProvider; afterId: string; limit: number }>(
  'names_unjudged_of_run',
  ({ currency, provider, afterId, limit }) =>
    unjudged(`a.currency = :currency and a.provider_type = :provider and a.status = 'active' and a.id > :afterId`, {
      currency,
      provider,
      afterId,
      limit,
    }),
);

/** Those that a draft may choose, a page at a time. */
export function lockUnjudgedOfRun(
  db: Db,
  { tenantId, environment }: Scope,
  page: { currency: string; provider: PaymentProvider; afterId: string; limit: number },
): Promise<UnjudgedAccount[]> {
  const { currency, provider, afterId, limit } = page;
  return db.rows(ofRun({ tenantId, environment }, { currency, provider, afterId, limit }));
}

const ofPayouts = statement<UnjudgedAccount, { payoutIds: string[]; limit: number }>(
  'names_unjudged_of_payouts',
  ({ payoutIds, limit }) =>
    unjudged(`a.id in (select o.payout_account_id from payout o where ${ofTenant('o')} and o.id = any (:payoutIds::uuid[]))`, {
      payoutIds,
      limit,
    }),
);

/** Those that these payouts go to. */
export function lockUnjudgedOfPayouts(db: Db, scope: Scope, payoutIds: readonly string[]): Promise<UnjudgedAccount[]> {
  return db.rows(ofPayouts(scope, { payoutIds: [...payoutIds], limit: payoutIds.length }));
}

const ofMember = statement<UnjudgedAccount, { memberId: string; limit: number }>(
  'names_unjudged_of_member',
  ({ memberId, limit }) => unjudged(`a.member_id = :memberId and a.status <> 'deactivated'`, { memberId, limit }),
);

const MANY = 1000;

export function lockUnjudgedOfMember(db: Db, scope: Scope, memberId: string): Promise<UnjudgedAccount[]> {
  return db.rows(ofMember(scope, { memberId, limit: MANY }));
}

const seenOfMember = statement<UnjudgedAccount, { memberId: string; limit: number }>(
  'names_unjudged_of_member_read',
  ({ memberId, limit }) => unjudged(`a.member_id = :memberId and a.status <> 'deactivated'`, { memberId, limit }, ''),
);

/** Without a lock, to be shown. */
export function listUnjudgedOfMember(db: Db, scope: Scope, memberId: string): Promise<UnjudgedAccount[]> {
  return db.rows(seenOfMember(scope, { memberId, limit: MANY }));
}

const seen = statement<UnjudgedAccount, { accountIds: string[]; limit: number }>('names_unjudged_read', ({ accountIds, limit }) =>
  unjudged('a.id = any (:accountIds::uuid[])', { accountIds, limit }, ''),
);

/** Of these accounts, without a lock. */
export function listUnjudged(db: Db, scope: Scope, accountIds: readonly string[]): Promise<UnjudgedAccount[]> {
  return db.rows(seen(scope, { accountIds: [...accountIds], limit: accountIds.length }));
}

export interface Judged {
  id: string;
  match: 'matched' | 'mismatch' | 'not_compared';
  judgedFor: Buffer | null;
}

const judge = statement<unknown, { ids: string[]; matches: string[]; judgedFor: (Buffer | null)[] }>(
  'names_judge',
  ({ ids, matches, judgedFor }) =>
    raw(
      `update payout_account a set name_match = j.match, name_judged_for = j.judged_for, name_accepted_by = null, name_accepted_at = null
     from unnest(:ids::uuid[], :matches::text[], :judgedFor::bytea[]) as j(id, match, judged_for)
     where ${ofTenant('a')} and a.id = j.id`,
      { ids, matches, judgedFor },
    ),
);

/** What somebody has accepted before was another name. */
export async function storeJudged(db: Db, scope: Scope, judged: readonly Judged[]): Promise<void> {
  await db.rows(
    judge(scope, {
      ids: judged.map(({ id }) => id),
      matches: judged.map(({ match }) => match),
      judgedFor: judged.map((one) => one.judgedFor),
    }),
  );
}

const account = tenantTable('payout_account');

const accept = statement<unknown, { id: string; by: string }>('names_accept', ({ id, by }) =>
  account().where({ id }).update({ name_accepted_by: by, name_accepted_at: scopeNow, updated_at: scopeNow }),
);

export async function acceptName(db: Db, scope: Scope, id: string, by: string): Promise<void> {
  await db.rows(accept(scope, { id, by }));
}
