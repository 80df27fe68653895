/** What the audit log forgets, in SQL: addresses first, whole blocks at its beginning later. */
import { raw, statement } from '../../db/query.ts';
import { ofTenant, sameTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { entryHash } from './seal-queries.ts';

const microseconds = (column: string): string => `(extract(epoch from ${column}) * 1000000)::bigint`;

export interface HeadRow {
  /** 0: nothing was dropped. */
  seq: bigint;
  hash: string | null;
  entries: bigint;
  newest_at: bigint | null;
  signature: Buffer | null;
}

export const findHead = statement<HeadRow>('audit_find_head', () =>
  tenantTable('audit_head')('h').select({
    seq: 'h.seq',
    hash: raw("encode(h.hash, 'hex')"),
    entries: 'h.entry_count',
    newest_at: raw(microseconds('h.newest_at')),
    signature: 'h.signature',
  }),
);

/** The head is locked: of two that look, one finds nothing due. */
export const lockHead = statement<{ due: boolean }>('audit_lock_head', () =>
  raw(`select h.look_at <= now() as due from audit_head h where ${ofTenant('h')} for update skip locked`),
);

export const lookAgain = statement<unknown, { seconds: number }>('audit_look_again', ({ seconds }) =>
  raw(`update audit_head h set look_at = now() + make_interval(secs => :seconds) where ${ofTenant('h')}`, { seconds }),
);

/** Addresses older than so many days, at most `count`. */
export const forgetOrigins = statement<{ entry_id: string }, { days: number; count: number }>(
  'audit_forget_origins',
  ({ days, count }) =>
    raw(
      `delete from audit_origin o
   where ${ofTenant('o')} and o.entry_id = any (array(
     select old.entry_id from audit_origin old
     where ${ofTenant('old')} and old.recorded_at < now() - make_interval(days => :days)
     order by old.recorded_at limit :count))
   returning o.entry_id`,
      { days, count },
    ),
);

/** Addresses that the member's own calls came from. */
export const forgetOriginsOf = statement<unknown, { memberId: string }>('audit_forget_origins_of', ({ memberId }) =>
  raw(
    `delete from audit_origin o
   where ${ofTenant('o')} and o.entry_id = any (array(
     select a.id from audit_log a
     where ${ofTenant('a')} and a.actor_id = :memberId::uuid::text and a.actor_kind = 'member'))`,
    { memberId },
  ),
);

export interface OldBlocks {
  seq: bigint;
  hash: string;
  entries: bigint;
  newest_at: bigint;
}

/**
 * The blocks at the beginning whose entries are all older than so many days, up to the last before one that is not, and
 * no more than `count` blocks. No row, when the first is not.
 */
export const findOldBlocks = statement<OldBlocks, { days: number; count: number }>('audit_find_old_blocks', ({ days, count }) =>
  raw(
    `select o.seq, encode(o.hash, 'hex') as hash, o.entries::bigint as entries, ${microseconds('o.newest_at')} as newest_at
   from (
     select f.seq, f.hash, f.newest_at, sum(f.entry_count) over (order by f.seq) as entries,
            bool_and(f.newest_at < now() - make_interval(days => :days)) over (order by f.seq) as all_old
     from (
       select b.seq, b.hash, b.entry_count, b.newest_at from audit_block b
       where ${ofTenant('b')} order by b.seq limit :count) f) o
   where o.all_old order by o.seq desc limit 1`,
    { days, count },
  ),
);

export const dropBlocks = statement<{ dropped: bigint }, { lastSeq: bigint; signature: Buffer }>(
  'audit_drop_blocks',
  ({ lastSeq, signature }) => raw('select drop_audit_blocks(:lastSeq, :signature) as dropped', { lastSeq, signature }),
);

/** Whether all entries of the blocks up to one are there, and as they were sealed. */
export const oldEntriesAreWhole = statement<{ whole: boolean }, { lastSeq: bigint }>('audit_old_entries_whole', ({ lastSeq }) =>
  raw(
    `select not exists (
     select from audit_block_entry e left join audit_log a on ${sameTenant('a', 'e')} and a.id = e.entry_id
     where ${ofTenant('e')} and e.block_seq <= :lastSeq and (a.id is null or e.hash <> ${entryHash('a')})) as whole`,
    { lastSeq },
  ),
);
