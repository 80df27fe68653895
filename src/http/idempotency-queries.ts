/** Idempotency keys in SQL. */
import { raw, statement, unscopedStatement } from '../db/query.ts';
import { ofTenant } from '../db/tenant-condition.ts';
import { tenantTable } from '../db/tenant-table.ts';

export const setClaimWait = unscopedStatement<unknown, { timeout: string }>('idempotency_wait', ({ timeout }) =>
  raw("select set_config('lock_timeout', :timeout, true)", { timeout }),
);

export const resetClaimWait = unscopedStatement<unknown>('idempotency_reset_wait', () =>
  raw(`set local lock_timeout to default`),
);

interface Key {
  operation: string;
  key: string;
}

const idempotencyKey = tenantTable('idempotency_key');

/** An expired row is taken over as if it were not there. */
export const claimKey = statement<{ key: string }, Key & { subject: string; fingerprint: Buffer; hours: number }>(
  'idempotency_claim',
  ({ operation, key, subject, fingerprint, hours }) =>
    raw(
      `insert into idempotency_key (tenant_id, environment, operation, key, subject, fingerprint, expires_at)
       values (:tenantId, :environment, :operation, :key, :subject, :fingerprint, now() + make_interval(hours => :hours))
       on conflict (tenant_id, environment, operation, key) do update
         set subject = excluded.subject, fingerprint = excluded.fingerprint, status = null, answer = null, named = null,
             created_at = now(), expires_at = excluded.expires_at
         where idempotency_key.expires_at <= now()
       returning key`,
      { operation, key, subject, fingerprint, hours },
    ),
);

export const findKey = statement<{ subject: string | null; fingerprint: Buffer; status: number; answer: Buffer }, Key>(
  'idempotency_find',
  ({ operation, key }) =>
    idempotencyKey()
      .where({ operation, key })
      .where('expires_at', '>', raw('now()'))
      .select('subject', 'fingerprint', 'status', 'answer'),
);

export const storeAnswer = statement<unknown, Key & { status: number; answer: Buffer; named: readonly string[] }>(
  'idempotency_store',
  ({ operation, key, status, answer, named }) =>
    idempotencyKey()
      .where({ operation, key })
      .update({ status, answer, named: raw(':named::bigint[]', { named }) }),
);

/** Answers that name any of these. All of the tenant's are looked through: an index of names would cost each request that stores one. */
export const deleteAnswersNaming = statement<unknown, { names: readonly string[] }>('idempotency_delete_naming', ({ names }) =>
  raw(`delete from idempotency_key k where ${ofTenant('k')} and k.named && :names::bigint[]`, { names }),
);

/**
 * Deletes at most `limit` expired rows, the oldest first; those that a request is taking over are left to it. By row
 * address: joined by key, a table without statistics was read once a row (2.3 s for 1,000 of 5,000
 * rows, against 2 to 50 ms).
 */
export const deleteExpiredKeys = statement<{ count: number }, { limit: number }>('idempotency_delete_expired', ({ limit }) =>
  raw(
    `with gone as (
     delete from idempotency_key where ${ofTenant('idempotency_key')} and ctid = any (array(
       select ctid from idempotency_key where ${ofTenant('idempotency_key')} and expires_at <= now()
       order by expires_at limit :limit for update skip locked))
     returning 1)
   select count(*)::int as count from gone`,
    { limit },
  ),
);
