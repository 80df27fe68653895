/** The statements of a verification of the audit log. Each reads a bounded part of it. */
import { raw, statement } from '../../db/query.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import type { AuditBlockSuspect, EntrySuspect } from './open/audit-faults.ts';
import { blockHash, entryHash, NO_HASH } from './seal-queries.ts';

export interface EntriesRow {
  entries: number;
  unsealed: number;
  suspects: EntrySuspect[] | null;
}

/** Entries with ids above `low` up to `high`, with everything that should be there once for each of them. */
export const verifyEntries = statement<EntriesRow, { low: string; high: string }>('audit_verify_entries', ({ low, high }) => {
  const within = (row: string, column: string): string =>
    `${ofTenant(row)} and ${row}.${column} > :low::uuid and ${row}.${column} <= :high::uuid`;
  return raw(
    `select count(a.id)::int as entries,
          (count(*) filter (where a.id is not null and e.entry_id is null and q.entry_id is not null))::int as unsealed,
          json_agg(json_build_object('id', coalesce(a.id, e.entry_id, q.entry_id), 'blockSeq', e.block_seq, 'missing', a.id is null,
              'sealed', e.entry_id is not null, 'queued', q.entry_id is not null, 'altered', e.hash <> a.hash)
              order by coalesce(a.id, e.entry_id, q.entry_id))
            filter (where a.id is null or (e.entry_id is null) = (q.entry_id is null) or e.hash <> a.hash) as suspects
   from (select a.id, ${entryHash('a')} as hash from audit_log a where ${within('a', 'id')}) a
   full join (
     select e.entry_id, e.block_seq, e.hash from audit_block_entry e where ${within('e', 'entry_id')}) e on e.entry_id = a.id
   full join (
     select u.entry_id from audit_unsealed u where ${within('u', 'entry_id')}) q on q.entry_id = coalesce(a.id, e.entry_id)`,
    { low, high },
  );
});

/** The id that is `count` entries behind `after`; no row: there are fewer. */
export const nextEntry = statement<{ id: string }, { after: string; count: number }>('audit_next_entry', ({ after, count }) =>
  tenantTable('audit_log')('a').where('a.id', '>', after).orderBy('a.id').offset(count).limit(1).select('a.id'),
);

/** The entry just before all those that the blocks from `seq` on hold; no row: there is none before, or no such block. */
export const entryBefore = statement<{ id: string }, { seq: bigint }>('audit_entry_before', ({ seq }) =>
  raw(
    `with held as materialized (
     select e.entry_id from audit_block_entry e where ${ofTenant('e')} and e.block_seq >= :seq),
   first as (select h.entry_id from held h order by h.entry_id limit 1)
   select a.id from audit_log a
   where ${ofTenant('a')} and a.id < (select first.entry_id from first) order by a.id desc limit 1`,
    { seq },
  ),
);

/** Blocks from one seq up to, and without, another. The first of all follows the head, or nothing. */
export const verifyAuditBlocks = statement<
  { blocks: number; suspects: AuditBlockSuspect[] | null },
  { from: bigint; to: bigint }
>('audit_verify_blocks', ({ from, to }) =>
  raw(
    `select count(c.seq)::int as blocks, json_agg(json_build_object('seq', coalesce(c.seq, c.block_seq), 'missing', c.seq is null,
            'gaps', c.gaps, 'altered', c.altered, 'unlinked', c.unlinked) order by coalesce(c.seq, c.block_seq))
            filter (where c.seq is null or c.gaps or c.altered or c.unlinked) as suspects
   from (
     select b.seq, e.block_seq, e.entries is distinct from b.entry_count or e.first <> 1 or e.last <> b.entry_count as gaps,
            b.hash <> ${blockHash('b', "coalesce(e.hashes, ''::bytea)")} as altered,
            b.prev_hash is distinct from case
              when b.seq = 1 then ${NO_HASH}
              when b.seq = h.seq + 1 then h.hash
              else (select prev.hash from audit_block prev where ${ofTenant('prev')} and prev.seq = b.seq - 1) end as unlinked
     from (select b.* from audit_block b where ${ofTenant('b')} and b.seq >= :from and b.seq < :to) b
     left join (select h.seq, h.hash from audit_head h where ${ofTenant('h')} and h.seq > 0) h on true
     full join (
       select e.block_seq, count(*)::int as entries, min(e.position) as first, max(e.position) as last,
              string_agg(e.hash, ''::bytea order by e.position) as hashes
       from audit_block_entry e where ${ofTenant('e')} and e.block_seq >= :from and e.block_seq < :to
       group by e.block_seq) e on e.block_seq = b.seq) c`,
    { from, to },
  ),
);

/** The block that has the entry `entries` entries after the first of block `from`; no row: the blocks from there on have fewer. */
export const nextAuditBlock = statement<{ seq: bigint }, { from: bigint; entries: number }>(
  'audit_next_block',
  ({ from, entries }) =>
    tenantTable('audit_block_entry')()
      .where('block_seq', '>=', from)
      .orderBy(['block_seq', 'position'])
      .offset(entries)
      .limit(1)
      .select({ seq: 'block_seq' }),
);

/** A block's hash in hexadecimal; of the last block without a seq. */
export const findAuditBlock = statement<{ seq: bigint; hash: string }, { seq: bigint | null }>('audit_find_block', ({ seq }) =>
  tenantTable('audit_block')()
    .where(raw('(:seq::bigint is null or seq = :seq)', { seq }))
    .orderBy('seq', 'desc')
    .limit(1)
    .select({ seq: 'seq', hash: raw("encode(hash, 'hex')") }),
);

/** The first block there is. */
export const firstAuditBlock = statement<{ seq: bigint }>('audit_first_block', () =>
  tenantTable('audit_block')().orderBy('seq').limit(1).select('seq'),
);
