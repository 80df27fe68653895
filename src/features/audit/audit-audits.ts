/** What the doctor asks of the audit log and of its sealed blocks. Hashes are computed anew by `ledger verify`. */
import type { Audit } from '../../doctor/audit.ts';

export const auditAudits: readonly Audit[] = [
  {
    id: 'L-5',
    title: 'every sealed block of the audit log follows the one before, or the head, and holds the entries it says',
    sql: `select tenant_id, environment, seq from (
            select b.tenant_id, b.environment, b.seq, b.prev_hash, b.entry_count, coalesce(e.entries, 0) as entries,
                   coalesce(lag(b.seq) over chain, h.seq, 0) as before,
                   coalesce(lag(b.hash) over chain, h.hash, decode(repeat('00', 32), 'hex')) as hash_before
            from audit_block b
            left join audit_head h on h.tenant_id = b.tenant_id and h.environment = b.environment
            left join (select tenant_id, environment, block_seq, count(*) as entries from audit_block_entry group by 1, 2, 3) e
              on e.tenant_id = b.tenant_id and e.environment = b.environment and e.block_seq = b.seq
            window chain as (partition by b.tenant_id, b.environment order by b.seq)) b
          where seq <> before + 1 or prev_hash <> hash_before or entry_count <> entries`,
  },
  {
    id: 'L-6',
    title: 'every entry of the audit log is sealed or waits to be sealed, and not both',
    sql: `select tenant_id, environment, id as entry_id, a.action is not null as recorded, e.sealed, u.queued
          from audit_log a
          full join (select tenant_id, environment, entry_id as id, true as sealed from audit_block_entry) e using (tenant_id, environment, id)
          full join (select tenant_id, environment, entry_id as id, true as queued from audit_unsealed) u using (tenant_id, environment, id)
          where a.action is null or (e.sealed is null) = (u.queued is null)`,
  },
];
