/** Sessions of people: what a cookie's value stands for, and what ends it. Source: docs/specification/people.md#sessions. */
import type { Logger } from 'pino';
import { type Actor, actorRef, type Provenance } from '../../actor.ts';
import { type ResolvedStaffRow, resolveStaffSession } from '../../db/cross-tenant-lookups.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { needsFactorInLive, type Role, rightsOf } from './open/roles.ts';
import type { Visitor } from './open/sign-in.ts';
import type { StaffSession, StaffSessions } from './open/staff-session.ts';
import { type EndReason, endAllSessions, endSessions, insertSession, noteSeen, renewSession } from './sessions-queries.ts';
import { noteSignIn } from './staff-queries.ts';
import { hashOfToken, newToken } from './tokens.ts';

/** A session that was ended is not found any more within this time, on every instance. */
const CACHE_MS = 900;
const CACHE_MAX = 10_000;

export interface Ending {
  staffId: string;
  /** This one alone; default all. */
  sessionId?: string;
  /** But not this one. */
  except?: string | undefined;
  reason: EndReason;
}

export interface Sessions extends StaffSessions {
  /** Begins a session in the caller's transaction; the value of its cookie. */
  begin(db: Db, scope: Scope, given: { staffId: string; withFactor: boolean }, visitor: Visitor): Promise<BegunSession>;
  /**
   * Gives a session another value after a second factor, which counts from now. The value before works no more, on other
   * instances within a second. UNAUTHORIZED when it has ended meanwhile.
   */
  stepUp(db: Db, session: Pick<StaffSession, 'id' | 'tenantId' | 'staffId'>, by: Provenance): Promise<string>;
  /** Ends sessions in the caller's transaction, with an entry of the audit log for each; their ids. */
  end(db: Db, scope: Scope, ending: Ending, by: Provenance): Promise<string[]>;
  /** The same of everybody of the tenant, but for the session `except`. */
  endAll(db: Db, scope: Scope, ending: Pick<Ending, 'except' | 'reason'>, by: Provenance): Promise<void>;
  /** Drops what was remembered of a value on this instance. */
  forget(cookie: string): void;
}

export interface BegunSession {
  id: string;
  cookie: string;
  /** None of the person's sessions of late was of such a browser. */
  newDevice: boolean;
}

/** Tells a person of a sign-in, in its transaction. */
export type NewDeviceMail = (
  db: Db,
  scope: Scope,
  signIn: { staffId: string; sessionId: string },
  visitor: Pick<Visitor, 'ip' | 'agent'>,
) => Promise<void>;

interface Deps {
  frames: Frames;
  logger: Logger;
  mailNewDevice: NewDeviceMail;
  /** All that there are. */
  scopes: readonly string[];
}

/** The scope of people's rows, whatever the environment of what they do. */
export const peopleOf = ({ tenantId }: { tenantId: string }): Scope => ({ tenantId, environment: 'LIVE' });

export function actorOf({ staffId }: { staffId: string }): Actor {
  return { kind: 'staff', id: staffId };
}

/** Of what a person does outside an operation, as `sign-in`. */
export function byPerson(staffId: string, what: string, { ip, requestId }: Pick<Visitor, 'ip' | 'requestId'>): Provenance {
  return { actor: actorOf({ staffId }), operationId: what, requestId, ip };
}

const LONGEST_AGENT = 300;

export function createSessions({ frames, logger, mailNewDevice, scopes }: Deps): Sessions {
  const cache = new Map<string, { until: number; session: Promise<StaffSession | undefined> }>();

  async function look(hash: Buffer): Promise<StaffSession | undefined> {
    const [row] = await frames.unscoped(resolveStaffSession({ hash }));
    if (!row) return undefined;
    if (row.to_note) {
      const scope = peopleOf({ tenantId: row.tenant_id });
      frames
        .write(scope, (db) => noteSeen(db, scope, row.id))
        .catch((error: unknown) => logger.warn({ err: error }, 'the use of a session was not noted'));
    }
    return toSession(row);
  }

  async function noteEnds(
    db: Db,
    scope: Scope,
    ended: readonly { id: string; staffId: string }[],
    reason: EndReason,
    by: Provenance,
  ): Promise<void> {
    for (const { id, staffId } of ended) {
      await recordAudit(db, scope, {
        action: 'staff_session.ended',
        by,
        objectKind: 'staff_session',
        objectId: id,
        details: { staffId, reason },
      });
    }
  }

  return {
    async resolve(cookie) {
      const hash = hashOfToken(cookie);
      if (!hash) return undefined;
      const id = hash.toString('base64');
      const now = performance.now();
      const hit = cache.get(id);
      if (hit && hit.until > now) return hit.session;
      if (cache.size >= CACHE_MAX) cache.clear();
      const session = look(hash); // the time runs from before the lookup, so the answer is never older
      const entry = { until: now + CACHE_MS, session };
      cache.set(id, entry);
      const drop = (): void => {
        if (cache.get(id) === entry) cache.delete(id);
      };
      session.then((found) => found ?? drop(), drop);
      return session;
    },

    callerOf(session, environment, { operationId, requestId, ip }) {
      const actor = actorOf(session);
      return {
        tenantId: session.tenantId,
        environment,
        provenance: { actor, operationId, requestId, ip },
        rights: rightsOf(session.role, environment, scopes),
        root: actorRef(actor),
        hasFreshFactor: session.hasFreshFactor,
        person: {
          sessionId: session.id,
          hasFactor: session.hasFactor,
          needsFactor: needsFactorInLive(session.role),
        },
      };
    },

    async begin(db, scope, { staffId, withFactor }, { ip, agent, requestId }) {
      const { token, hash } = newToken();
      const shortAgent = agent === null ? null : agent.slice(0, LONGEST_AGENT);
      const { id, newDevice, isFirst } = await insertSession(db, scope, { staffId, hash, withFactor, ip, agent: shortAgent });
      await noteSignIn(db, scope, staffId);
      await recordAudit(db, scope, {
        action: 'staff.signed_in',
        by: byPerson(staffId, 'sign-in', { ip, requestId }),
        objectKind: 'staff_session',
        objectId: id,
        details: { withFactor, newDevice },
      });
      // Whoever joins just now knows of it.
      if (newDevice && !isFirst) await mailNewDevice(db, scope, { staffId, sessionId: id }, { ip, agent: shortAgent });
      return { id, cookie: token, newDevice };
    },

    async stepUp(db, { id, tenantId }, by) {
      const scope = peopleOf({ tenantId });
      const { token, hash } = newToken();
      if (!(await renewSession(db, scope, { sessionId: id, hash, withFactor: true })))
        throw new AppError('UNAUTHORIZED', 'The session has ended; sign in again');
      await recordAudit(db, scope, { action: 'staff.stepped_up', by, objectKind: 'staff_session', objectId: id });
      return token;
    },

    async end(db, scope, ending, by) {
      const ids = await endSessions(db, scope, { ...ending, by: actorRef(by.actor) });
      const { staffId, reason } = ending;
      await noteEnds(
        db,
        scope,
        ids.map((id) => ({ id, staffId })),
        reason,
        by,
      );
      return ids;
    },

    async endAll(db, scope, { except = null, reason }, by) {
      const ended = await endAllSessions(db, scope, { except, reason, by: actorRef(by.actor) });
      await noteEnds(db, scope, ended, reason, by);
    },

    forget(cookie) {
      const hash = hashOfToken(cookie);
      if (hash) cache.delete(hash.toString('base64'));
    },
  };
}

function toSession(row: ResolvedStaffRow): StaffSession {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    slug: row.slug,
    tenantName: row.tenant_name,
    staffId: row.staff_id,
    name: row.name,
    email: row.email,
    role: row.role as Role,
    factorAt: row.factor_at,
    hasFreshFactor: row.fresh,
    hasFactor: row.has_factor,
  };
}
