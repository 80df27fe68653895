/** A member's month in the ledger, in SQL. A month holds what was recorded in it: once it is over it does not change. */
import { raw, statement } from '../../db/query.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
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
export const statementHead = statement<StatementHeadRow, { memberId: string; currency: string | null; firstDay: string }>(
  'statements_head',
  ({ memberId, currency, firstDay }) =>
    raw(
      `with who as materialized (
     select ${PERSON_COLUMNS}, coalesce(:currency, t.default_currency) as currency, t.reporting_time_zone as "timeZone",
            start_of_local_day(:firstDay::date, t.reporting_time_zone) as "from",
            start_of_local_day((:firstDay::date + interval '1 month')::date, t.reporting_time_zone) as "to"
     from ${PERSON_TABLES}
     where ${ofTenant('m')} and m.id = :memberId)
   select who.*, who."to" <= scope_now(:tenantId, :environment) as "isOver", b.pending, b.cleared, b.processing, b.paid
   from who cross join lateral (
     select ${openingOf('pending')} as pending, ${openingOf('cleared')} as cleared, ${openingOf('processing')} as processing,
            ${openingOf('paid_out')} as paid
     from posting p
     where ${ofTenant('p')} and p.member_id = :memberId and p.currency = who.currency
       and (select true from journal_entry j
            where ${ofTenant('j')} and j.id = p.journal_id and j.recorded_at < who."from")) b`,
      { memberId, currency, firstDay },
    ),
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

/** In the order of their keys, after one of them. */
export const statementEntries = statement<
  StatementEntryRow,
  {
    memberId: string;
    currency: string;
    from: Date;
    to: Date;
    timeZone: string;
    afterJournal: string;
    afterSeq: number;
    count: number;
  }
>('statements_entries', ({ memberId, currency, from, to, timeZone, afterJournal, afterSeq, count }) =>
  raw(
    `select p.journal_id as "journalId", p.seq, p.account, p.amount_minor as "amountMinor", j.cause_type as "causeType",
          j.cause_id as "causeId", e.external_event_id as "externalEventId", a.payout_id as "payoutId",
          j.occurred_at as "occurredAt", j.recorded_at as "recordedAt",
          to_char(j.recorded_at at time zone :timeZone, 'YYYY-MM-DD HH24:MI') as "localTime"
   from posting p
   cross join lateral (
     select j.cause_type, j.cause_id, j.occurred_at, j.recorded_at from journal_entry j
     where ${ofTenant('j')} and j.id = p.journal_id offset 0) j
   left join event e on ${ofTenant('e')} and e.id = j.cause_id
   left join payout_attempt a on ${ofTenant('a')} and a.id = j.cause_id
   where ${ofTenant('p')} and p.member_id = :memberId and p.currency = :currency
     and (p.journal_id, p.seq) > (:afterJournal::uuid, :afterSeq::smallint) and j.recorded_at >= :from and j.recorded_at < :to
   order by p.journal_id, p.seq limit :count`,
    { memberId, currency, from, to, timeZone, afterJournal, afterSeq, count },
  ),
);
