/** Runs the audits as svc_admin and reports what they find. */
import pg from 'pg';
import type { Audit } from './audit.ts';

/** Breaches that are read of one audit. */
const LIMIT = 20;

export interface AuditResult {
  id: string;
  title: string;
  /** The first breaches, at most LIMIT; empty when the invariant holds. */
  breaches: Record<string, unknown>[];
}

/**
 * Asks the audits in the order of their ids. A doctor that sees nothing would find nothing: it refuses to examine with
 * a role blinded by RLS.
 */
export async function examine(adminUrl: string, audits: readonly Audit[]): Promise<AuditResult[]> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: 'svc-doctor' });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await refuseBlindRole(client);
    const results: AuditResult[] = [];
    for (const { id, title, sql } of audits.toSorted(byId)) {
      const { rows } = await client.query<Record<string, unknown>>(`select * from (${sql}) breach limit ${LIMIT}`);
      results.push({ id, title, breaches: rows });
    }
    await client.query('rollback');
    return results;
  } finally {
    await client.end();
  }
}

async function refuseBlindRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ sees: boolean }>(
    `select rolsuper or rolbypassrls or exists (
       select from pg_policy p where p.polrelid = 'posting'::regclass and p.polname = 'operator_reads' and p.polroles @> array[r.oid]) as sees
     from pg_roles r where r.rolname = current_user`,
  );
  if (rows[0]?.sees !== true)
    throw new Error('doctor must connect as svc_admin (DATABASE_ADMIN_URL): this role cannot see across tenants');
}

/** `I` comes first, the other letters by the alphabet; I-9 comes before I-10. */
function byId(a: Audit, b: Audit): number {
  const [letterA = '', numberA] = a.id.split('-');
  const [letterB = '', numberB] = b.id.split('-');
  if (letterA === letterB) return Number(numberA) - Number(numberB);
  if (letterA === 'I') return -1;
  return letterB === 'I' || letterA > letterB ? 1 : -1;
}
