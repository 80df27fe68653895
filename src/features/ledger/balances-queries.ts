/** Folds of the postings: the trial balance, a member's balances, a member's entries. */
import { type Places, raw, statement } from '../../db/query.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';

const posting = tenantTable('posting');

/**
 * Whether journal `j` had been recorded at `asOf`. Answers show instants to the millisecond, so they
 * count to the millisecond: what an answer dates 12:00:00.123 is part of the balance of 12:00:00.123.
 */
const recordedBy = (j: string, asOf: string): string =>
  `${j}.recorded_at < date_trunc('milliseconds', ${asOf}) + interval '1 millisecond'`;

/** The instant that a fold is of: the present when none is asked for, or a later one. `past` is set when it is earlier. */
export const asOfStatement = statement<{ as_of: Date; past: string | null }, { asOf: string | null }>(
  'ledger_as_of',
  ({ asOf }) =>
    raw(
      `select least(coalesce(:asOf::timestamptz, c.now), c.now) as as_of, case when :asOf::timestamptz < c.now then :asOf::text end as past
   from (select scope_now(:tenantId::uuid, :environment::text) as now) c`,
      { asOf },
    ),
);

export interface AccountRow {
  account: string;
  currency: string;
  balance: string;
  postings: number;
}

interface Fold {
  low: string;
  high: string;
  /** Null for all. */
  currency: string | null;
}

/** Balances of the postings of journals with ids above one up to another; members' accounts by kind. */
const fold = ({ low, high, currency }: Places<Fold>) =>
  posting('p')
    .where('p.journal_id', '>', low)
    .where('p.journal_id', '<=', high)
    .where(raw('(:currency::text is null or p.currency = :currency)', { currency }))
    .groupBy('p.account', 'p.currency')
    .select('p.account', 'p.currency', { balance: raw('sum(p.amount_minor)::text'), postings: raw('count(*)::int') });

export const foldAccounts = statement<AccountRow, Fold>('ledger_fold_accounts', fold);

/** The bounds are those of the journals too, which are then read as a range. */
export const foldAccountsAsOf = statement<AccountRow, Fold & { asOf: string }>(
  'ledger_fold_accounts_as_of',
  ({ low, high, currency, asOf }) =>
    fold({ low, high, currency })
      .join('journal_entry as j', 'j.id', 'p.journal_id')
      .where('j.id', '>', low)
      .where('j.id', '<=', high)
      .where(raw(recordedBy('j', ':asOf::timestamptz'), { asOf })),
);

export interface BalanceRow {
  as_of: Date;
  default_currency: string;
  /** Null on the one row of a member without postings. */
  currency: string | null;
  pending: bigint;
  cleared: bigint;
  processing: bigint;
  paid: bigint;
}

const sumOf = (account: string): string =>
  `coalesce(sum(p.amount_minor) filter (where p.account = 'member:${account}'), 0)::bigint`;

/** No row: no such member. */
export const memberBalances = statement<BalanceRow, { memberId: string; asOf: string | null }>(
  'ledger_member_balances',
  ({ memberId, asOf }) =>
    raw(
      `select least(coalesce(:asOf::timestamptz, c.now), c.now) as as_of, t.default_currency, b.currency, b.pending, b.cleared, b.processing, b.paid
   from member m
   join tenant t on t.id = m.tenant_id
   cross join (select scope_now(:tenantId::uuid, :environment::text) as now) c
   left join lateral (
     select p.currency, ${sumOf('pending')} as pending, ${sumOf('cleared')} as cleared,
            ${sumOf('processing')} as processing, ${sumOf('paid_out')} as paid
     from posting p
     where ${ofTenant('p')} and p.member_id = m.id
       and (:asOf::timestamptz is null or :asOf::timestamptz >= c.now or exists (
         select from journal_entry j
         where ${ofTenant('j')} and j.id = p.journal_id and ${recordedBy('j', ':asOf::timestamptz')}))
     group by p.currency) b on true
   where ${ofTenant('m')} and m.id = :memberId
   order by b.currency collate "C"`,
      { memberId, asOf },
    ),
);

export interface EntryRow {
  currency: string;
  /** Null, like all that follow, on the one row of a member without further entries. */
  journal_id: string | null;
  seq: number;
  account: string;
  amount_minor: bigint;
  cause_type: string;
  cause_id: string;
  occurred_at: Date;
  recorded_at: Date;
}

/** A member's postings in one currency, or the tenant's, in the order of their keys, after one of them. No row: no such member. */
export const memberEntries = statement<
  EntryRow,
  { memberId: string; currency: string | null; afterJournal: string; afterSeq: number; count: number }
>('ledger_member_entries', ({ memberId, currency, afterJournal, afterSeq, count }) =>
  raw(
    `select who.currency, x.journal_id, x.seq, x.account, x.amount_minor, x.cause_type, x.cause_id, x.occurred_at, x.recorded_at
   from (
     select m.id, coalesce(:currency, t.default_currency) as currency from member m join tenant t on t.id = m.tenant_id
     where ${ofTenant('m')} and m.id = :memberId) who
   left join lateral (
     select p.journal_id, p.seq, p.account, p.amount_minor, j.cause_type, j.cause_id, j.occurred_at, j.recorded_at
     from (
       select p.journal_id, p.seq, p.account, p.amount_minor from posting p
       where ${ofTenant('p')} and p.member_id = who.id and p.currency = who.currency
         and (p.journal_id, p.seq) > (:afterJournal::uuid, :afterSeq::smallint)
       order by p.journal_id, p.seq limit :count) p
     cross join lateral (
       select j.cause_type, j.cause_id, j.occurred_at, j.recorded_at from journal_entry j
       where ${ofTenant('j')} and j.id = p.journal_id offset 0) j) x on true
   order by x.journal_id, x.seq`,
    { memberId, currency, afterJournal, afterSeq, count },
  ),
);
