/** Folds of the postings: the trial balance, a member's balances, a member's entries. */
import { prepared } from '../../db/statement.ts';

/**
 * Whether journal `j` had been recorded at `asOf`. Answers show instants to the millisecond, so they
 * count to the millisecond: what an answer dates 12:00:00.123 is part of the balance of 12:00:00.123.
 */
const recordedBy = (j: string, asOf: string): string =>
  `${j}.recorded_at < date_trunc('milliseconds', ${asOf}) + interval '1 millisecond'`;

/** The instant that a fold is of: the present when none is asked for, or a later one. `past` is set when it is earlier. */
export const asOfStatement = prepared<
  { as_of: Date; past: string | null },
  [tenantId: string, environment: string, asOf: string | null]
>(
  'ledger_as_of',
  `select least(coalesce($3::timestamptz, c.now), c.now) as as_of, case when $3::timestamptz < c.now then $3::text end as past
   from (select scope_now($1::uuid, $2::text) as now) c`,
);

export interface AccountRow {
  account: string;
  currency: string;
  balance: string;
  postings: number;
}

/** Balances of the postings of journals with ids above one up to another; members' accounts by kind. */
const foldText = (join: string): string =>
  `select p.account, p.currency, sum(p.amount_minor)::text as balance, count(*)::int as postings
   from posting p ${join}
   where p.tenant_id = $1 and p.environment = $2 and p.journal_id > $3 and p.journal_id <= $4 and ($5::text is null or p.currency = $5)
   group by p.account, p.currency`;

type FoldValues = [tenantId: string, environment: string, low: string, high: string, currency: string | null];

export const foldAccounts = prepared<AccountRow, FoldValues>('ledger_fold_accounts', foldText(''));

export const foldAccountsAsOf = prepared<AccountRow, [...FoldValues, asOf: string]>(
  'ledger_fold_accounts_as_of',
  foldText(`join journal_entry j on j.tenant_id = $1 and j.environment = $2 and j.id > $3 and j.id <= $4 and j.id = p.journal_id
     and ${recordedBy('j', '$6::timestamptz')}`),
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
export const memberBalances = prepared<
  BalanceRow,
  [tenantId: string, environment: string, memberId: string, asOf: string | null]
>(
  'ledger_member_balances',
  `select least(coalesce($4::timestamptz, c.now), c.now) as as_of, t.default_currency, b.currency, b.pending, b.cleared, b.processing, b.paid
   from member m
   join tenant t on t.id = m.tenant_id
   cross join (select scope_now($1::uuid, $2::text) as now) c
   left join lateral (
     select p.currency, ${sumOf('pending')} as pending, ${sumOf('cleared')} as cleared,
            ${sumOf('processing')} as processing, ${sumOf('paid_out')} as paid
     from posting p
     where p.tenant_id = $1 and p.environment = $2 and p.member_id = m.id
       and ($4::timestamptz is null or $4::timestamptz >= c.now or exists (
         select from journal_entry j
         where j.tenant_id = $1 and j.environment = $2 and j.id = p.journal_id and ${recordedBy('j', '$4::timestamptz')}))
     group by p.currency) b on true
   where m.tenant_id = $1 and m.environment = $2 and m.id = $3
   order by b.currency collate "C"`,
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
export const memberEntries = prepared<
  EntryRow,
  [
    tenantId: string,
    environment: string,
    memberId: string,
    currency: string | null,
    afterJournal: string,
    afterSeq: number,
    count: number,
  ]
>(
  'ledger_member_entries',
  `select who.currency, x.journal_id, x.seq, x.account, x.amount_minor, x.cause_type, x.cause_id, x.occurred_at, x.recorded_at
   from (
     select m.id, coalesce($4, t.default_currency) as currency from member m join tenant t on t.id = m.tenant_id
     where m.tenant_id = $1 and m.environment = $2 and m.id = $3) who
   left join lateral (
     select p.journal_id, p.seq, p.account, p.amount_minor, j.cause_type, j.cause_id, j.occurred_at, j.recorded_at
     from (
       select p.journal_id, p.seq, p.account, p.amount_minor from posting p
       where p.tenant_id = $1 and p.environment = $2 and p.member_id = who.id and p.currency = who.currency
         and (p.journal_id, p.seq) > ($5::uuid, $6::smallint)
       order by p.journal_id, p.seq limit $7) p
     cross join lateral (
       select j.cause_type, j.cause_id, j.occurred_at, j.recorded_at from journal_entry j
       where j.tenant_id = $1 and j.environment = $2 and j.id = p.journal_id offset 0) j) x on true
   order by x.journal_id, x.seq`,
);
