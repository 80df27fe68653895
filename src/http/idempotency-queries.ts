/** Idempotency keys in SQL. */
import { raw, statement, unscopedStatement } from '../db/query.ts';
import type { Db, Scope } from '../db/scope.ts';
import { ofTenant } from '../db/tenant-condition.ts';
import { tenantTable } from '../db/tenant-table.ts';
import { GRANT } from '../db/write-options.ts';

export const setClaimWait = unscopedStatement<unknown, { timeout: string }>('idempotency_wait', ({ timeout }) =>
  raw("select set_config('lock_timeout', :timeout, true)", { timeout }),
);

export const resetClaimWait = unscopedStatement<unknown>('idempotency_reset_wait', () =>
  raw(`set local lock_timeout to default`),
);

export interface Key {
  operation: string;
  key: string;
}

const idempotencyKey = tenantTable('idempotency_key');

/** What a request claims a key by. */
export interface Claim extends Key {
  subject: string;
  fingerprint: Buffer;
  hours: number;
}

/** Rows have the columns of a claim. An expired row is taken over as if it were not there. In order, so that two never wait in a circle. */
const claimText = (rows: string): string =>
  `insert into idempotency_key (tenant_id, environment, operation, key, subject, fingerprint, expires_at)
   select :tenantId, :environment, c.operation, c.key, c.subject, c.fingerprint, now() + make_interval(hours => c.hours)
   from ${rows} c order by c.operation, c.key
   on conflict (tenant_id, environment, operation, key) do update
     set subject = excluded.subject, fingerprint = excluded.fingerprint, status = null, answer = null, named = null,
         created_at = now(), expires_at = excluded.expires_at
     where idempotency_key.expires_at <= now()
   returning operation, key`;

/** Says so to the statements behind it, which may be sent before its answer is there. */
export const claimKey = statement<Key, Claim>('idempotency_claim', ({ operation, key, subject, fingerprint, hours }) =>
  raw(
    `with claimed as (
     ${claimText(`(select :operation::text as operation, :key::text as key, :subject::text as subject,
                          :fingerprint::bytea as fingerprint, :hours::int as hours)`)})
   select operation, key, ${GRANT} as granted from claimed`,
    { operation, key, subject, fingerprint, hours },
  ),
);

const claimMany = statement<Key, { claims: string }>('idempotency_claim_many', ({ claims }) =>
  raw(
    claimText(
      `(select r.operation, r.key, r.subject, decode(r.fingerprint, 'base64') as fingerprint, r.hours
        from jsonb_to_recordset(:claims::jsonb) as r(operation text, key text, subject text, fingerprint text, hours int))`,
    ),
    { claims },
  ),
);

/** Of claims with keys of their own, those that were granted. */
export function claimKeys(db: Db, scope: Scope, claims: readonly Claim[]): Promise<Key[]> {
  const rows = claims.map((claim) => ({ ...claim, fingerprint: claim.fingerprint.toString('base64') }));
  return db.rows(claimMany(scope, { claims: JSON.stringify(rows) }));
}

export const findKey = statement<{ subject: string | null; fingerprint: Buffer; status: number; answer: Buffer }, Key>(
  'idempotency_find',
  ({ operation, key }) =>
    idempotencyKey()
      .where({ operation, key })
      .where('expires_at', '>', raw('now()'))
      .select('subject', 'fingerprint', 'status', 'answer'),
);

export interface StoredRow extends Key {
  status: number;
  answer: Buffer;
  named: readonly string[];
}

export const storeAnswer = statement<unknown, StoredRow>('idempotency_store', ({ operation, key, status, answer, named }) =>
  idempotencyKey()
    .where({ operation, key })
    .update({ status, answer, named: raw(':named::bigint[]', { named }) }),
);

/** Where the rows of `r`, with operation and key, are: by the index whatever is known of the table, which may have been empty. */
const AT = `cross join lateral (
       select p.ctid as at from idempotency_key p
       where ${ofTenant('p')} and p.operation = r.operation and p.key = any (array[r.key]) order by p.key limit 1) found`;

const storeMany = statement<unknown, { answers: string }>('idempotency_store_many', ({ answers }) =>
  raw(
    `update idempotency_key k set status = a.status, answer = decode(a.answer, 'base64'), named = a.named
   from (
     select r.*, found.at
     from jsonb_to_recordset(:answers::jsonb) as r(operation text, key text, status int, answer text, named bigint[])
     ${AT}) a
   where ${ofTenant('k')} and k.ctid = a.at`,
    { answers },
  ),
);

export async function storeAnswers(db: Db, scope: Scope, answers: readonly StoredRow[]): Promise<void> {
  const rows = answers.map((one) => ({ ...one, answer: one.answer.toString('base64') }));
  await db.rows(storeMany(scope, { answers: JSON.stringify(rows) }));
}

const releaseMany = statement<unknown, { keys: string }>('idempotency_release_many', ({ keys }) =>
  raw(
    `delete from idempotency_key k
   using (select found.at from jsonb_to_recordset(:keys::jsonb) as r(operation text, key text) ${AT}) a
   where ${ofTenant('k')} and k.ctid = a.at`,
    { keys },
  ),
);

/** Gives back what this transaction has claimed. */
export async function releaseKeys(db: Db, scope: Scope, keys: readonly Key[]): Promise<void> {
  await db.rows(releaseMany(scope, { keys: JSON.stringify(keys.map(({ operation, key }) => ({ operation, key }))) }));
}

/** Answers that name any of these. All of the tenant's are looked through: an index of names would cost each request that stores one. */
export const deleteAnswersNaming = statement<unknown, { names: readonly string[] }>('idempotency_delete_naming', ({ names }) =>
  raw(`delete from idempotency_key k where ${ofTenant('k')} and k.named && :names::bigint[]`, { names }),
);

/** True of each row: what names it may be planned with the indexes by which keys expire, and nothing else is. */
export const EXPIRING = `expires_at > '-infinity'`;

/**
 * Deletes at most `limit` expired rows, the oldest first; those that a request is taking over are left to it. By row
 * address: joined by key, a table without statistics was read once a row (2.3 s for 1,000 of 5,000
 * rows, against 2 to 50 ms).
 */
export const deleteExpiredKeys = statement<{ count: number }, { limit: number }>('idempotency_delete_expired', ({ limit }) =>
  raw(
    `with gone as (
     delete from idempotency_key where ${ofTenant('idempotency_key')} and ctid = any (array(
       select ctid from idempotency_key where ${ofTenant('idempotency_key')} and ${EXPIRING} and expires_at <= now()
       order by expires_at limit :limit for update skip locked))
     returning 1)
   select count(*)::int as count from gone`,
    { limit },
  ),
);
