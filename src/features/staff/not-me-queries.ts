/** What a sign-in that was somebody else's may have left behind, in SQL. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';

export interface SignInFacts {
  tenantName: string;
  slug: string;
  email: string;
  at: Date;
  ip: string | null;
  agent: string | null;
}

const find = statement<SignInFacts, { sessionId: string }>('staff_find_sign_in', ({ sessionId }) =>
  tenantTable('staff_session')('s')
    .join('staff as p', 'p.id', 's.staff_id')
    .joinRaw('join tenant t on t.id = s.tenant_id')
    .where('s.id', sessionId)
    .where('p.state', 'active')
    .select(raw('t.name as "tenantName", t.slug, p.email_typed as email, s.created_at as at, s.ip, s.agent')),
);

/** Of a person who is active. */
export function findSignIn(db: Db, scope: Scope, sessionId: string): Promise<SignInFacts | undefined> {
  return db.row(find(scope, { sessionId }));
}

const dropPassword = statement<unknown, { staffId: string }>('staff_drop_password', ({ staffId }) =>
  tenantTable('staff')('p').where('p.id', staffId).update({ password_hash: null }),
);

/** Whoever knows it gets in by it no more. */
export async function forgetPassword(db: Db, scope: Scope, staffId: string): Promise<void> {
  await db.rows(dropPassword(scope, { staffId }));
}

const dropFactors = statement<
  { passkeys: number; authenticators: number; codes: number },
  { staffId: string; sessionId: string }
>('staff_drop_factors_since', ({ staffId, sessionId }) =>
  raw(
    `with since as (select s.created_at as at from staff_session s where ${ofTenant('s')} and s.id = :sessionId),
            passkeys as (delete from staff_passkey k using since
              where ${ofTenant('k')} and k.staff_id = :staffId and k.created_at >= since.at returning 1),
            authenticators as (delete from staff_totp o using since
              where ${ofTenant('o')} and o.staff_id = :staffId and o.created_at >= since.at returning 1),
            codes as (delete from staff_recovery_code r using since
              where ${ofTenant('r')} and r.staff_id = :staffId and r.created_at >= since.at returning 1)
       select (select count(*) from passkeys)::int as passkeys, (select count(*) from authenticators)::int as authenticators,
              (select count(*) from codes)::int as codes`,
    { staffId, sessionId },
  ),
);

/** Takes away the second factors that were added since a sign-in; how many. */
export async function removeFactorsSince(
  db: Db,
  scope: Scope,
  of: { staffId: string; sessionId: string },
): Promise<{ passkeys: number; authenticators: number; codes: number }> {
  return (await db.row(dropFactors(scope, of))) ?? { passkeys: 0, authenticators: 0, codes: 0 };
}
