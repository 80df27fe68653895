/**
 * The statements of a verification. Each reads a bounded part of the ledger, in the order of journals or
 * of blocks, so that a ledger of any size is verified under the role's statement timeout.
 */
import { raw, statement } from '../../db/query.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { blockHash, entryHash, journalBytes, postingsBytes } from './seal-queries.ts';

const block = tenantTable('ledger_block');
const blockEntry = tenantTable('ledger_block_entry');
const posting = tenantTable('posting');

/** How many ranges of journals one statement verifies; they run in parallel when the server has workers to spare. */
export const PARALLEL_RANGES = 4;

/** What makes a journal suspicious, and may make several faults. */
export interface JournalSuspect {
  id: string;
  blockSeq: number | null;
  missing: boolean;
  sealed: boolean;
  queued: boolean;
  altered: boolean | null;
  /** Without postings. */
  empty: boolean;
  /** Has postings that may not balance in each currency. */
  unbalanced: boolean | null;
}

export interface RangeRow {
  journals: number;
  postings: number;
  unsealed: number;
  suspects: JournalSuspect[] | null;
  /** Events whose lines and member postings have not the same digest, and causes that are not digested: to be compared. */
  causes: string | null;
}

/** Of a credit to a member. The seed is drawn for each verification, so nobody can prepare two that cancel out. */
const creditDigest = (member: string, row: string): string =>
  `uuid_hash_extended(${row}.${member}, ${row}.amount_minor # hashtextextended(${row}.currency, :seed))`;

/** Journals with ids above `low` up to `high`, with everything that should be there once for each of them. */
const rangeText = (low: string, high: string): string => {
  const within = (row: string, column: string): string =>
    `${ofTenant(row)} and ${row}.${column} > ${low} and ${row}.${column} <= ${high}`;
  return `(
   select count(j.id)::int as journals, coalesce(sum(p.postings), 0)::int as postings,
          (count(*) filter (where j.id is not null and e.journal_id is null and q.journal_id is not null))::int as unsealed,
          json_agg(json_build_object('id', coalesce(j.id, p.journal_id, e.journal_id, q.journal_id), 'blockSeq', e.block_seq,
              'missing', j.id is null, 'sealed', e.journal_id is not null, 'queued', q.journal_id is not null,
              'altered', e.hash <> ${entryHash('j.bytes', 'p.bytes')}, 'empty', p.total is null, 'unbalanced', p.total <> 0 or p.mixed))
            filter (where case when j.id is null then l.event_id is null
              else (e.journal_id is null) = (q.journal_id is null) or p.total is distinct from 0 or p.mixed
                   or e.hash <> ${entryHash('j.bytes', 'p.bytes')} end) as suspects,
          concat_ws(',',
            string_agg(coalesce(j.event_id, l.event_id)::text, ',') filter (where coalesce(l.digest, 0) <> coalesce(p.digest, 0)
              and (j.event_id is not null or l.event_id is not null)),
            string_agg(j.void_id::text, ','), string_agg(l.void_ids, ',')) as causes
   from (
     select p.journal_id, count(*) as postings, sum(p.amount_minor) as total, sum(${creditDigest('member_id', 'p')}) as digest,
            min(p.currency collate "C") <> max(p.currency collate "C") as mixed, ${postingsBytes('p')} as bytes
     from posting p where ${within('p', 'journal_id')} group by p.journal_id) p
   full join (
     select j.id, ${journalBytes('j')} as bytes, case when j.cause_type in ('event', 'write_off') then j.cause_id end as event_id,
            case when j.cause_type = 'void' then j.cause_id end as void_id
     from journal_entry j where ${within('j', 'id')}) j on j.id = p.journal_id
   full join (
     select e.journal_id, e.block_seq, e.hash from ledger_block_entry e where ${within('e', 'journal_id')}) e on e.journal_id = j.id
   full join (select u.journal_id from ledger_unsealed u where ${within('u', 'journal_id')}) q on q.journal_id = j.id
   full join (
     select l.event_id, sum(${creditDigest('beneficiary_id', 'l')}) filter (where l.action_id is null) as digest,
            string_agg(l.action_id::text, ',') as void_ids
     from commission_line l where ${within('l', 'event_id')} group by l.event_id) l on l.event_id = j.event_id)`;
};

/**
 * Verifies the ranges between consecutive ids of `bounds`. Lines are read by the same bounds as journals:
 * an event and its journal get their ids in one statement, so but for a few at the edges they fall into
 * one range, and those few are compared like any other suspect.
 */
export const verifyRanges = statement<RangeRow, { seed: bigint; bounds: readonly string[] }>(
  'ledger_verify_ranges',
  ({ seed, bounds }) =>
    raw(Array.from({ length: PARALLEL_RANGES }, (_, n) => rangeText(boundAt(n + 1), boundAt(n + 2))).join('\n union all '), {
      seed,
      bounds,
    }),
);

/** The first is at 1. */
function boundAt(place: number): string {
  return `(:bounds::uuid[])[${place}]`;
}

export const findUnbalanced = statement<{ journal_id: string; currency: string; sum: string }, { journalIds: string[] }>(
  'ledger_find_unbalanced',
  ({ journalIds }) =>
    posting()
      .whereIn('journal_id', journalIds)
      .groupBy('journal_id', 'currency')
      .having(raw('sum(amount_minor) <> 0'))
      .orderBy(['journal_id', 'currency'])
      .select('journal_id', 'currency', { sum: raw('sum(amount_minor)::text') }),
);

/** Of events and voids by id: the members whose lines and postings differ, with the journal if there is one. */
export const findDisagreeing = statement<
  { cause_id: string; journal_id: string | null; member_id: string; currency: string; lines: string; posted: string },
  { causeIds: string[] }
>('ledger_find_disagreeing', ({ causeIds }) =>
  raw(
    `select d.cause_id, (
            select j.id from journal_entry j
            where ${ofTenant('j')} and j.cause_type in ('event', 'void', 'write_off') and j.cause_id = d.cause_id
            limit 1) as journal_id,
          d.member_id, d.currency, sum(d.line)::text as lines, sum(d.posted)::text as posted
   from (
     select l.event_id as cause_id, l.beneficiary_id as member_id, l.currency, l.amount_minor as line, 0::bigint as posted
     from commission_line l
     where ${ofTenant('l')} and l.event_id = any (:causeIds::uuid[]) and l.action_id is null
     union all
     select l.action_id, l.beneficiary_id, l.currency, l.amount_minor, 0
     from commission_line l where ${ofTenant('l')} and l.action_id = any (:causeIds::uuid[])
     union all
     select j.cause_id, p.member_id, p.currency, 0, p.amount_minor
     from journal_entry j
     cross join lateral (
       select p.member_id, p.currency, p.amount_minor from posting p
       where ${ofTenant('p')} and p.journal_id = j.id and p.member_id is not null offset 0) p
     where ${ofTenant('j')} and j.cause_type in ('event', 'void', 'write_off') and j.cause_id = any (:causeIds::uuid[])) d
   group by d.cause_id, d.member_id, d.currency having sum(d.line) <> sum(d.posted)
   order by d.cause_id, d.member_id, d.currency`,
    { causeIds },
  ),
);

/** The block that has the entry `entries` entries after the first of block `from`; no row: the blocks from there on have fewer. */
export const nextBlock = statement<{ seq: bigint }, { from: bigint; entries: number }>('ledger_next_block', ({ from, entries }) =>
  blockEntry()
    .where('block_seq', '>=', from)
    .orderBy(['block_seq', 'position'])
    .offset(entries)
    .limit(1)
    .select({ seq: 'block_seq' }),
);

export interface BlockSuspect {
  seq: number;
  missing: boolean;
  /** The entries are not those of positions 1 to entry_count. */
  gaps: boolean | null;
  altered: boolean | null;
  unlinked: boolean | null;
}

/** Blocks from one seq up to, and without, another. */
export const verifyBlocks = statement<{ blocks: number; suspects: BlockSuspect[] | null }, { from: bigint; to: bigint }>(
  'ledger_verify_blocks',
  ({ from, to }) =>
    raw(
      `select count(c.seq)::int as blocks, json_agg(json_build_object('seq', coalesce(c.seq, c.block_seq), 'missing', c.seq is null,
            'gaps', c.gaps, 'altered', c.altered, 'unlinked', c.unlinked) order by coalesce(c.seq, c.block_seq))
            filter (where c.seq is null or c.gaps or c.altered or c.unlinked) as suspects
   from (
     select b.seq, e.block_seq, e.entries is distinct from b.entry_count or e.first <> 1 or e.last <> b.entry_count as gaps,
            b.hash <> ${blockHash('b', "coalesce(e.hashes, ''::bytea)")} as altered,
            case when b.seq = 1 then b.prev_hash <> decode(repeat('00', 32), 'hex')
                 else b.prev_hash is distinct from (
                   select prev.hash from ledger_block prev
                   where ${ofTenant('prev')} and prev.seq = b.seq - 1) end as unlinked
     from (select b.* from ledger_block b where ${ofTenant('b')} and b.seq >= :from and b.seq < :to) b
     full join (
       select e.block_seq, count(*)::int as entries, min(e.position) as first, max(e.position) as last,
              string_agg(e.hash, ''::bytea order by e.position) as hashes
       from ledger_block_entry e where ${ofTenant('e')} and e.block_seq >= :from and e.block_seq < :to
       group by e.block_seq) e on e.block_seq = b.seq) c`,
      { from, to },
    ),
);

/** A block's hash in hexadecimal; of the last block without a seq. */
export const findBlock = statement<{ seq: bigint; hash: string }, { seq: bigint | null }>('ledger_find_block', ({ seq }) =>
  block()
    .where(raw('(:seq::bigint is null or seq = :seq)', { seq }))
    .orderBy('seq', 'desc')
    .limit(1)
    .select({ seq: 'seq', hash: raw("encode(hash, 'hex')") }),
);

/** The journal just before all those that the blocks from `seq` on hold; no row: there is none before, or no such block. */
export const journalBefore = statement<{ id: string }, { seq: bigint }>('ledger_journal_before', ({ seq }) =>
  raw(
    `with held as materialized (
     select e.journal_id from ledger_block_entry e where ${ofTenant('e')} and e.block_seq >= :seq),
   first as (select h.journal_id from held h order by h.journal_id limit 1)
   select j.id from journal_entry j
   where ${ofTenant('j')} and j.id < (select first.journal_id from first) order by j.id desc limit 1`,
    { seq },
  ),
);
