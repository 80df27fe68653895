/**
 * The bytes that journals and blocks are hashed over, and the sealing of journals into blocks. Sealing
 * and verifying share this text. The encoding is described in docs/decisions/0011-sealed-blocks.md.
 */
import { tryLock } from '../../db/lock-classes.ts';
import { raw, statement } from '../../db/query.ts';
import { ofTenant } from '../../db/tenant-condition.ts';

/** The bytes of a journal's own row. Not made_by: it is a transaction of this cluster and means nothing in another. */
export const journalBytes = (j: string): string =>
  `record_send(row(${j}.tenant_id, ${j}.environment, ${j}.id, ${j}.cause_type, ${j}.cause_id, ${j}.occurred_at, ${j}.recorded_at))`;

/**
 * An aggregate: the bytes of all postings of one journal. What they share with the journal's row is said
 * there. There are six times as many postings as journals, and this way takes half as long as record_send.
 */
export const postingsBytes = (p: string): string =>
  `string_agg(int4send(2 * ${p}.seq + (${p}.member_id is null)::int) || int8send(${p}.amount_minor)
     || int8send(octet_length(${p}.account)::bigint << 32 | octet_length(${p}.currency)) || textsend(${p}.account || ${p}.currency)
     || coalesce(uuid_send(${p}.member_id), ''::bytea), ''::bytea order by ${p}.seq)`;

export const entryHash = (journal: string, postings: string): string => `sha256(${journal} || coalesce(${postings}, ''::bytea))`;

/** `b` has seq, prev_hash, entry_count and sealed_at; `hashes` are those of its entries in order of position, in one. */
export const blockHash = (b: string, hashes: string): string =>
  `sha256(${b}.prev_hash || int8send(${b}.seq) || int4send(${b}.entry_count) || timestamptz_send(${b}.sealed_at) || ${hashes})`;

/** One sealer a tenant and environment: two would both follow the same block. Nobody waits for it. */
export const lockSealing = statement<{ mine: boolean }>('ledger_lock_sealing', () =>
  raw(`select ${tryLock('ledgerSealing')} as mine`),
);

/**
 * Seals the oldest of the waiting journals: at most `journals`, and no more once they have `postings`
 * together. The highest seq tells how many postings a journal has without reading them. Rows of the queue
 * that make no sense (no such journal, or sealed already) stay for the verification to find. No row of the
 * answer: nothing waits. Subqueries instead of joins: each is one look into an index whatever the planner
 * knows of the tables, and just after an installation it knows nothing.
 */
export const sealBlock = statement<{ entry_count: number; first_of_day: boolean }, { journals: number; postings: number }>(
  'ledger_seal_block',
  ({ journals, postings }) =>
    raw(
      `with waiting as materialized (
     select u.journal_id, coalesce((
              select p.seq + 1 from posting p
              where ${ofTenant('p')} and p.journal_id = u.journal_id order by p.seq desc limit 1), 0) as size
     from ledger_unsealed u
     where ${ofTenant('u')}
       and (select true from journal_entry j where ${ofTenant('j')} and j.id = u.journal_id)
       and (select true from ledger_block_entry e
            where ${ofTenant('e')} and e.journal_id = u.journal_id) is null
     order by u.journal_id limit :journals),
   sized as (
     select w.journal_id, coalesce(sum(w.size) over (order by w.journal_id rows between unbounded preceding and 1 preceding), 0) as before
     from waiting w),
   taken as (
     delete from ledger_unsealed u
     where ${ofTenant('u')}
       and u.journal_id = any (array(select s.journal_id from sized s where s.before < :postings::bigint))
     returning u.journal_id),
   entry as (
     select row_number() over (order by t.journal_id)::int as position, t.journal_id, (
              select ${entryHash(
                journalBytes('j'),
                `(select ${postingsBytes('p')} from posting p where ${ofTenant('p')} and p.journal_id = j.id)`,
              )}
              from journal_entry j where ${ofTenant('j')} and j.id = t.journal_id) as hash
     from taken t),
   content as (select count(*)::int as entry_count, string_agg(e.hash, ''::bytea order by e.position) as hashes from entry e),
   head as (
     select b.seq, b.hash, b.sealed_at from ledger_block b where ${ofTenant('b')} order by b.seq desc limit 1),
   next as (
     select coalesce(head.seq, 0) + 1 as seq, coalesce(head.hash, decode(repeat('00', 32), 'hex')) as prev_hash,
            content.entry_count, content.hashes, scope_now(:tenantId, :environment) as sealed_at
     from content left join head on true where content.entry_count > 0),
   block as (
     insert into ledger_block (tenant_id, environment, seq, prev_hash, hash, entry_count, sealed_at)
     select :tenantId, :environment, n.seq, n.prev_hash, ${blockHash('n', 'n.hashes')}, n.entry_count, n.sealed_at from next n
     returning seq, entry_count),
   entries as (
     insert into ledger_block_entry (tenant_id, environment, block_seq, position, journal_id, hash)
     select :tenantId, :environment, block.seq, e.position, e.journal_id, e.hash from block cross join entry e)
   select block.entry_count, head.sealed_at::date is distinct from next.sealed_at::date as first_of_day
   from block cross join next left join head on true`,
      { journals, postings },
    ),
);
