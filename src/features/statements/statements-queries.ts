/** A member's month in the ledger, in SQL. A month holds what was recorded in it: once it is over it does not change. */
import { prepared } from '../../db/statement.ts';
import { PERSON_COLUMNS, PERSON_TABLES, type StatementPerson } from './person-queries.ts';

export interface StatementHeadRow extends StatementPerson {
  currency: string;
  timeZone: string;
  from: Date;
  to: Date;
  isOver: boolean;
  pending: bigint;
  cleared: bigint;
  processing: bigint;
  paid: bigint;
}

const openingOf = (account: string): string =>
  `coalesce(sum(p.amount_minor) filter (where p.account = 'member:${account}'), 0)::bigint`;

/** With the balances at its beginning. No row: no such member. */
export const statementHead = prepared<
  StatementHeadRow,
  [string, string, memberId: string, currency: string | null, firstDay: string]
>(
  'statements_head',
  `with who as materialized (
     select ${PERSON_COLUMNS}, coalesce($4, t.default_currency) as currency, t.reporting_time_zone as "timeZone",
            start_of_local_day($5::date, t.reporting_time_zone) as "from",
            start_of_local_day(($5::date + interval '1 month')::date, t.reporting_time_zone) as "to"
     from ${PERSON_TABLES}
     where m.tenant_id = $1 and m.environment = $2 and m.id = $3)
   select who.*, who."to" <= scope_now($1, $2) as "isOver", b.pending, b.cleared, b.processing, b.paid
   from who cross join lateral (
     select ${openingOf('pending')} as pending, ${openingOf('cleared')} as cleared, ${openingOf('processing')} as processing,
            ${openingOf('paid_out')} as paid
     from posting p
     where p.tenant_id = $1 and p.environment = $2 and p.member_id = $3 and p.currency = who.currency
       and (select true from journal_entry j
            where j.tenant_id = $1 and j.environment = $2 and j.id = p.journal_id and j.recorded_at < who."from")) b`,
);

export interface StatementEntryRow {
  journalId: string;
  seq: number;
  account: string;
  amountMinor: bigint;
  causeType: string;
  causeId: string;
  /** Of an event that somebody sent. */
  externalEventId: string | null;
  payoutId: string | null;
  occurredAt: Date;
  recordedAt: Date;
  /** When it was recorded, in the tenant's zone: `2026-01-31 12:00`. */
  localTime: string;
}

type EntryValues = [
  tenantId: string,
  environment: string,
  memberId: string,
  currency: string,
  from: Date,
  to: Date,
  timeZone: string,
  afterJournal: string,
  afterSeq: number,
  count: number,
];

/** In the order of their keys, after one of them. */
export const statementEntries = prepared<StatementEntryRow, EntryValues>(
  'statements_entries',
  `select p.journal_id as "journalId", p.seq, p.account, p.amount_minor as "amountMinor", j.cause_type as "causeType",
          j.cause_id as "causeId", e.external_event_id as "externalEventId", a.payout_id as "payoutId",
          j.occurred_at as "occurredAt", j.recorded_at as "recordedAt",
          to_char(j.recorded_at at time zone $7, 'YYYY-MM-DD HH24:MI') as "localTime"
   from posting p
   cross join lateral (
     select j.cause_type, j.cause_id, j.occurred_at, j.recorded_at from journal_entry j
     where j.tenant_id = $1 and j.environment = $2 and j.id = p.journal_id offset 0) j
   left join event e on e.tenant_id = $1 and e.environment = $2 and e.id = j.cause_id
   left join payout_attempt a on a.tenant_id = $1 and a.environment = $2 and a.id = j.cause_id
   where p.tenant_id = $1 and p.environment = $2 and p.member_id = $3 and p.currency = $4
     and (p.journal_id, p.seq) > ($8::uuid, $9::smallint) and j.recorded_at >= $5 and j.recorded_at < $6
   order by p.journal_id, p.seq limit $10`,
);
