/** Postings with their journals in SQL, in the order of their keys. */
import { raw, statement } from '../../db/query.ts';
import { ofTenant } from '../../db/tenant-condition.ts';

export interface PostingKey {
  journalId: string;
  seq: number;
}

export interface Posting extends PostingKey {
  causeType: string;
  causeId: string;
  account: string;
  memberId: string | null;
  amountMinor: bigint;
  currency: string;
  occurredAt: Date;
  recordedAt: Date;
}

interface Place {
  afterJournal: string;
  afterSeq: number;
  /** The last that is wanted. */
  untilJournal: string;
  count: number;
}

/** The page is cut before the journals are looked up, each by its key. */
const textOf = (whose: string): string =>
  `select p.journal_id as "journalId", p.seq, j.cause_type as "causeType", j.cause_id as "causeId", p.account,
          p.member_id as "memberId", p.amount_minor as "amountMinor", p.currency, j.occurred_at as "occurredAt",
          j.recorded_at as "recordedAt"
   from (
     select p.journal_id, p.seq, p.account, p.member_id, p.amount_minor, p.currency from posting p
     where ${ofTenant('p')} ${whose}
       and (p.journal_id, p.seq) > (:afterJournal::uuid, :afterSeq::smallint) and p.journal_id <= :untilJournal::uuid
     order by p.journal_id, p.seq limit :count) p
   cross join lateral (
     select j.cause_type, j.cause_id, j.occurred_at, j.recorded_at from journal_entry j
     where ${ofTenant('j')} and j.id = p.journal_id offset 0) j
   order by p.journal_id, p.seq`;

/** For `frames.readOnce`. */
export const postingsAfter = statement<Posting, Place>('exports_postings', ({ afterJournal, afterSeq, untilJournal, count }) =>
  raw(textOf(''), { afterJournal, afterSeq, untilJournal, count }),
);

/** For `frames.readOnce`. */
export const postingsOfMemberAfter = statement<Posting, Place & { memberId: string }>(
  'exports_postings_of_member',
  ({ memberId, afterJournal, afterSeq, untilJournal, count }) =>
    raw(textOf('and p.member_id = :memberId'), { memberId, afterJournal, afterSeq, untilJournal, count }),
);
