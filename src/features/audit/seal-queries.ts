/**
 * The bytes that entries of the audit log and their blocks are hashed over, and the sealing of entries into blocks.
 * Sealing and verifying share this text. The encoding is described in docs/decisions/0027-sealed-audit-log.md.
 */
import { tryLock } from '../../db/lock-classes.ts';
import { raw, statement } from '../../db/query.ts';
import { ofTenant } from '../../db/tenant-condition.ts';

/** All of an entry. The address it came from lies beside it, and may be forgotten. */
export const entryHash = (a: string): string =>
  `sha256(record_send(row(${a}.tenant_id, ${a}.environment, ${a}.id, ${a}.action, ${a}.actor_kind, ${a}.actor_id,
     ${a}.operation_id, ${a}.request_id, ${a}.object_kind, ${a}.object_id, ${a}.details, ${a}.recorded_at)))`;

/** `b` is a block without its hash; `hashes` are those of its entries in order of position, in one. */
export const blockHash = (b: string, hashes: string): string =>
  `sha256(${b}.prev_hash || int8send(${b}.seq) || int4send(${b}.entry_count) || timestamptz_send(${b}.newest_at)
     || timestamptz_send(${b}.sealed_at) || ${hashes})`;

/** What the first block of all follows. */
export const NO_HASH = "decode(repeat('00', 32), 'hex')";

/** One sealer a tenant and environment, and none while blocks are dropped. Nobody waits for it. */
export const lockAuditChain = statement<{ mine: boolean }>('audit_lock_chain', () =>
  raw(`select ${tryLock('auditSealing')} as mine`),
);

/**
 * Seals the oldest of the waiting entries, at most `entries`. Rows of the queue that make no sense (no such entry, or
 * sealed already) stay for the verification to find. No row of the answer: nothing waits. The sequence goes on from the
 * head where all blocks were dropped. The clock is the real one, as that of the entries is.
 */
export const sealAuditBlock = statement<{ entry_count: number; first_of_day: boolean }, { entries: number }>(
  'audit_seal_block',
  ({ entries }) =>
    raw(
      `with waiting as materialized (
     select u.entry_id from audit_unsealed u
     where ${ofTenant('u')}
       and (select true from audit_log a where ${ofTenant('a')} and a.id = u.entry_id)
       and (select true from audit_block_entry e where ${ofTenant('e')} and e.entry_id = u.entry_id) is null
     order by u.entry_id limit :entries),
   taken as (
     delete from audit_unsealed u
     where ${ofTenant('u')} and u.entry_id = any (array(select w.entry_id from waiting w))
     returning u.entry_id),
   entry as (
     select row_number() over (order by a.id)::int as position, a.id as entry_id, ${entryHash('a')} as hash, a.recorded_at
     from audit_log a where ${ofTenant('a')} and a.id = any (array(select t.entry_id from taken t))),
   content as (
     select count(*)::int as entry_count, string_agg(e.hash, ''::bytea order by e.position) as hashes,
            max(e.recorded_at) as newest_at
     from entry e),
   kept as (
     insert into audit_head (tenant_id, environment, look_at)
     select :tenantId, :environment, now() + interval '1 day' from content where content.entry_count > 0
     on conflict (tenant_id, environment) do nothing),
   last as (
     (select b.seq, b.hash, b.sealed_at from audit_block b where ${ofTenant('b')} order by b.seq desc limit 1)
     union all
     select h.seq, h.hash, null from audit_head h where ${ofTenant('h')} and h.seq > 0
     order by seq desc limit 1),
   next as (
     select coalesce(last.seq, 0) + 1 as seq, coalesce(last.hash, ${NO_HASH}) as prev_hash,
            content.entry_count, content.hashes, content.newest_at, now() as sealed_at
     from content left join last on true where content.entry_count > 0),
   block as (
     insert into audit_block (tenant_id, environment, seq, prev_hash, hash, entry_count, newest_at, sealed_at)
     select :tenantId, :environment, n.seq, n.prev_hash, ${blockHash('n', 'n.hashes')}, n.entry_count, n.newest_at, n.sealed_at
     from next n
     returning seq, entry_count),
   entries as (
     insert into audit_block_entry (tenant_id, environment, block_seq, position, entry_id, hash)
     select :tenantId, :environment, block.seq, e.position, e.entry_id, e.hash from block cross join entry e)
   select block.entry_count, last.sealed_at::date is distinct from next.sealed_at::date as first_of_day
   from block cross join next left join last on true`,
      { entries },
    ),
);
