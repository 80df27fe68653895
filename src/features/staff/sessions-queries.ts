/** Sessions of people, in SQL. The one lookup by a cookie's value is in `db/cross-tenant-lookups.ts`. */
import type { NamedActor } from '../../actor.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { namedActor } from '../audit/open/named-actor.ts';

export type EndReason = 'signed_out' | 'ended' | 'not_me' | 'password_changed' | 'role_changed' | 'disabled' | 'removed';

export interface SessionRow {
  id: string;
  createdAt: Date;
  lastSeenAt: Date;
  factorAt: Date | null;
  ip: string | null;
  agent: string | null;
  endedAt: Date | null;
  endedBy: NamedActor | null;
  endedReason: EndReason | null;
  status: 'open' | 'expired' | 'ended';
}

/** How long a session works without being used, and in all; as `resolve_staff_session` has it. */
const WORKS =
  "s.ended_at is null and s.last_seen_at > now() - interval '60 minutes' and s.created_at > now() - interval '12 hours'";

const COLUMNS = `s.id, s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", s.factor_at as "factorAt", s.ip, s.agent,
  s.ended_at as "endedAt", ${namedActor('s.ended_by')} as "endedBy", s.ended_reason as "endedReason",
  case when s.ended_at is not null then 'ended' when ${WORKS} then 'open' else 'expired' end as status`;

const session = tenantTable('staff_session');

interface NewSession {
  staffId: string;
  hash: Buffer;
  withFactor: boolean;
  ip: string | null;
  agent: string | null;
}

const insert = statement<{ id: string; newDevice: boolean; isFirst: boolean }, NewSession>(
  'staff_session_insert',
  ({ staffId, hash, withFactor, ip, agent }) =>
    raw(
      `insert into staff_session as s (tenant_id, environment, staff_id, token_hash, factor_at, ip, agent)
       values (:tenantId, :environment, :staffId, :hash, case when :withFactor then now() end, :ip, :agent)
       returning s.id, not exists (
         select from staff_session e where ${ofTenant('e')} and e.staff_id = :staffId and e.agent is not distinct from :agent
       ) as "newDevice", not exists (
         select from staff p where ${ofTenant('p')} and p.id = :staffId and p.last_signed_in_at is not null
       ) as "isFirst"`,
      { staffId, hash, withFactor, ip, agent },
    ),
);

/** `newDevice`: none of the person's sessions that are kept was of such a browser; `isFirst`: there was never one. */
export async function insertSession(
  db: Db,
  scope: Scope,
  given: NewSession,
): Promise<{ id: string; newDevice: boolean; isFirst: boolean }> {
  const row = await db.row(insert(scope, given));
  if (!row) throw new Error('a session was not written');
  return row;
}

const renew = statement<{ id: string }, { sessionId: string; hash: Buffer; withFactor: boolean }>(
  'staff_session_renew',
  ({ sessionId, hash, withFactor }) =>
    session('s')
      .where('s.id', sessionId)
      .whereRaw(WORKS)
      .update({
        token_hash: hash,
        last_seen_at: raw('now()'),
        factor_at: raw('case when :withFactor then now() else s.factor_at end', { withFactor }),
      })
      .returning('s.id'),
);

/** Gives a session that works another value. False of one that does not. */
export async function renewSession(
  db: Db,
  scope: Scope,
  given: { sessionId: string; hash: Buffer; withFactor: boolean },
): Promise<boolean> {
  return (await db.row(renew(scope, given))) !== undefined;
}

const seen = statement<unknown, { sessionId: string }>('staff_session_seen', ({ sessionId }) =>
  session('s')
    .where('s.id', sessionId)
    .whereRaw("s.ended_at is null and s.last_seen_at < now() - interval '1 minute'")
    .update({ last_seen_at: raw('now()') }),
);

export async function noteSeen(db: Db, scope: Scope, sessionId: string): Promise<void> {
  await db.rows(seen(scope, { sessionId }));
}

interface Ending {
  staffId: string;
  /** Null: all of the person's. */
  sessionId: string | null;
  /** Left alone; null: none. */
  except: string | null;
  by: string;
  reason: EndReason;
}

const end = statement<{ id: string }, Ending>('staff_session_end', ({ staffId, sessionId, except, by, reason }) =>
  raw(
    `update staff_session s set ended_at = now(), ended_by = :by, ended_reason = :reason
     where ${ofTenant('s')} and s.staff_id = :staffId and s.ended_at is null
       and (:sessionId::uuid is null or s.id = :sessionId) and (:except::uuid is null or s.id <> :except)
     returning s.id`,
    { staffId, sessionId, except, by, reason },
  ),
);

/** The ids of those that were ended now. */
export async function endSessions(
  db: Db,
  scope: Scope,
  { sessionId, except, ...ending }: Omit<Ending, 'sessionId' | 'except'> & { sessionId?: string; except?: string | undefined },
): Promise<string[]> {
  const rows = await db.rows(end(scope, { ...ending, sessionId: sessionId ?? null, except: except ?? null }));
  return rows.map(({ id }) => id);
}

type EndingAll = Pick<Ending, 'except' | 'by' | 'reason'>;

const endAll = statement<{ id: string; staffId: string }, EndingAll>('staff_session_end_all', ({ except, by, reason }) =>
  raw(
    `update staff_session s set ended_at = now(), ended_by = :by, ended_reason = :reason
     where ${ofTenant('s')} and s.ended_at is null and (:except::uuid is null or s.id <> :except)
     returning s.id, s.staff_id as "staffId"`,
    { except, by, reason },
  ),
);

/** Those of everybody of the tenant that were ended now. */
export function endAllSessions(db: Db, scope: Scope, ending: EndingAll): Promise<{ id: string; staffId: string }[]> {
  return db.rows(endAll(scope, ending));
}

const has = statement<{ id: string }, { staffId: string; sessionId: string }>('staff_session_find', ({ staffId, sessionId }) =>
  session('s').where('s.staff_id', staffId).where('s.id', sessionId).select('s.id'),
);

/** Open, ended or expired. */
export async function hasSession(db: Db, scope: Scope, staffId: string, sessionId: string): Promise<boolean> {
  return (await db.row(has(scope, { staffId, sessionId }))) !== undefined;
}

interface Beginning {
  /** The sign-in was within the last ten minutes. */
  isRecent: boolean;
  /** The sign-in was by a recovery code of the set that the person has now. */
  byRecoveryCode: boolean;
}

/** A code is used in the transaction that begins the session: their times are the same. */
const begun = statement<Beginning, { staffId: string; sessionId: string }>('staff_session_begun', ({ staffId, sessionId }) =>
  session('s')
    .where('s.staff_id', staffId)
    .where('s.id', sessionId)
    .whereRaw(WORKS)
    .select(
      raw(`s.created_at > now() - interval '10 minutes' as "isRecent",
        exists (select from staff_recovery_code r
          where ${ofTenant('r')} and r.staff_id = s.staff_id and r.used_at = s.created_at) as "byRecoveryCode"`),
    ),
);

/** How a session that works began. */
export function findBegun(db: Db, scope: Scope, of: { staffId: string; sessionId: string }): Promise<Beginning | undefined> {
  return db.row(begun(scope, of));
}

const list = statement<SessionRow, { staffId: string; before: string | null; count: number }>(
  'staff_session_list',
  ({ staffId, before, count }) =>
    session('s')
      .where('s.staff_id', staffId)
      .whereRaw('(:before::uuid is null or s.id < :before)', { before })
      .orderBy('s.id', 'desc')
      .limit(count)
      .select(raw(COLUMNS)),
);

/** Newest first. */
export function listSessions(
  db: Db,
  scope: Scope,
  staffId: string,
  before: string | undefined,
  count: number,
): Promise<SessionRow[]> {
  return db.rows(list(scope, { staffId, before: before ?? null, count }));
}
