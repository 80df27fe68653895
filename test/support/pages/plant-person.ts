/** People who are signed in already, planted past the forms: most tests are not about how somebody comes in. */
import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '../../../src/features/staff/open/roles.ts';

/** Runs SQL past every wall. */
export type Sql = <Row extends Record<string, unknown>>(text: string, values?: unknown[]) => Promise<Row[]>;

export interface PlantedPerson {
  id: string;
  name: string;
  role: Role;
  /** The value of the session's cookie. */
  cookie: string;
}

export interface PersonWanted {
  role: Role;
  name?: string;
  /** Whether there is a second factor, which counts as given just now for an hour, as long as a run may take. */
  factor?: boolean;
}

/** An active person with a session. */
export async function plantPerson(
  sql: Sql,
  tenantId: string,
  { role, name = `The ${role}`, factor = true }: PersonWanted,
): Promise<PlantedPerson> {
  const email = `${role}-${randomBytes(4).toString('hex')}@staff.example`;
  const [row] = await sql<{ id: string }>(
    `insert into staff (tenant_id, email, email_typed, name, role, state, created_by, joined_at)
     values ($1, $2, $2, $3, $4, 'active', 'operator', now()) returning id`,
    [tenantId, email, name, role],
  );
  const id = row?.id ?? '';
  if (factor) {
    await sql(
      `insert into staff_passkey (tenant_id, staff_id, credential_id, public_key, name) values ($1, $2, $3, $3, 'Planted')`,
      [tenantId, id, randomBytes(16)],
    );
  }
  return {
    id,
    name,
    role,
    cookie: await plantSession(sql, tenantId, id, { factorAt: factor ? "now() + interval '1 hour'" : 'null' }),
  };
}

/** Another session of a person; times are SQL. Returns its cookie's value. */
export async function plantSession(
  sql: Sql,
  tenantId: string,
  staffId: string,
  { factorAt = 'now()', createdAt = 'now()', seenAt = 'now()' }: { factorAt?: string; createdAt?: string; seenAt?: string } = {},
): Promise<string> {
  const cookie = randomBytes(32).toString('base64url');
  await sql(
    `insert into staff_session (tenant_id, staff_id, token_hash, created_at, last_seen_at, factor_at, ip, agent)
     values ($1, $2, $3, ${createdAt}, ${seenAt}, ${factorAt}, '127.0.0.1', 'Planted')`,
    [tenantId, staffId, createHash('sha256').update(cookie).digest()],
  );
  return cookie;
}
