/** What people do with their own accounts. Source: docs/specification/people.md#own-account. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { Db } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { CallContext, Caller } from '../../http/operation.ts';
import type { Page } from '../../http/pagination.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { Guessing } from './guessing.ts';
import type { Links } from './links.ts';
import { forgetPassword } from './not-me-queries.ts';
import { staffErrors } from './open/staff-errors.ts';
import { type Passwords, requireGoodPassword } from './passwords.ts';
import { requireRecentSignIn } from './recent-sign-in.ts';
import type { Sessions } from './sessions.ts';
import { isSsoOnly } from './sso/sso-queries.ts';
import type { changeOwnPassword, endOwnSessions, listOwnSessions } from './staff-operations.ts';
import { findPerson, findSecrets, lockPerson, type Person, storePassword, storePerson } from './staff-queries.ts';
import type { ShownSession, StaffService } from './staff-service.ts';
import { closeWaysIn } from './ways-in.ts';

type NewPassword = z.output<(typeof changeOwnPassword)['body'] & {}>;
type Which = z.output<(typeof endOwnSessions)['body'] & {}>['which'];
type List = z.output<(typeof listOwnSessions)['query'] & {}>;

export interface OwnService {
  get(context: CallContext): Promise<Person>;
  rename(context: CallContext, name: string): Promise<Person>;
  /** WRONG_PASSWORD; RATE_LIMITED past the failures that are free; 400 on the new one; STATE_CONFLICT of who has none. */
  changePassword(context: CallContext, input: NewPassword): Promise<{ ended: number }>;
  listSessions(context: CallContext, query: List): Promise<Page<ShownSession>>;
  /**
   * `not_me` takes the password away too; the link leads to another, where people may have one. UNAUTHORIZED where the
   * sign-in is older than ten minutes and no factor was given since.
   */
  endSessions(context: CallContext, which: Which): Promise<{ ended: number; link: string | null }>;
  /** NOT_FOUND. */
  endSession(context: CallContext, sessionId: string): Promise<{ ended: number }>;
}

interface Deps {
  frames: Frames;
  sessions: Sessions;
  passwords: Passwords;
  guessing: Guessing;
  links: Pick<Links, 'makeReset'>;
  people: Pick<StaffService, 'listSessions' | 'endSessions'>;
}

export function createOwnService({ frames, sessions, passwords, guessing, links, people }: Deps): OwnService {
  const read = async (context: CallContext): Promise<Person> => {
    const person = await frames.read(context.scope, (db) => findPerson(db, context.scope, selfOf(context.scope)));
    if (!person) throw new Error('who is signed in is not there');
    return person;
  };

  return {
    get: read,

    async rename({ scope, guard, shape }, name) {
      const staffId = selfOf(scope);
      return frames.write(
        scope,
        async (db) => {
          const person = await lockPerson(db, scope, staffId);
          if (person?.state !== 'active') throw gone();
          await storePerson(db, scope, { ...person, staffId, name: name.trim() });
          await note(db, scope, 'staff.changed', { fields: ['name'] });
          const shown = await findPerson(db, scope, staffId);
          if (!shown) throw new Error('who is signed in is not there');
          return shown;
        },
        { guard, shape },
      );
    },

    async changePassword({ scope, shape }, { password, newPassword }) {
      const staffId = selfOf(scope);
      const subject = `password:${staffId}`;
      const before = await frames.read(scope, (db) => findSecrets(db, scope, staffId));
      if (before?.state !== 'active' || before.email === null || before.name === null) throw gone();
      if (before.passwordHash === null) throw new AppError('STATE_CONFLICT', 'You have no password; ask an owner for a link');
      const { waitSeconds, failures } = await guessing.take(scope, subject);
      if (waitSeconds !== undefined) {
        throw new AppError('RATE_LIMITED', `Too many wrong passwords; retry after ${waitSeconds} seconds`, {
          retryAfterSeconds: waitSeconds,
        });
      }
      if (!(await passwords.verify(password, before.passwordHash)).matches) {
        await frames.write(scope, (db) => note(db, scope, 'staff.password_refused', { failures }));
        throw new AppError(staffErrors.WRONG_PASSWORD, 'The password is not the right one');
      }
      await guessing.succeeded(scope, subject);
      requireGoodPassword(newPassword, { email: before.email, name: before.name }, 'newPassword');
      const passwordHash = await passwords.hash(newPassword);
      return frames.write(
        scope,
        async (db) => {
          const person = await lockPerson(db, scope, staffId);
          if (person?.state !== 'active') throw gone();
          if (person.passwordHash !== before.passwordHash)
            throw new AppError('STATE_CONFLICT', 'The password was changed meanwhile');
          await storePassword(db, scope, staffId, passwordHash);
          const ending = { staffId, except: scope.person?.sessionId, reason: 'password_changed' as const };
          const ids = await sessions.end(db, scope, ending, scope.provenance);
          await closeWaysIn(db, scope, staffId);
          await note(db, scope, 'staff.password_changed', {});
          return { ended: ids.length };
        },
        { shape },
      );
    },

    listSessions: (context, query) => people.listSessions(context, selfOf(context.scope), query),

    async endSessions({ scope, shape }, which) {
      const staffId = selfOf(scope);
      const except = which === 'others' ? scope.person?.sessionId : undefined;
      return frames.write(
        scope,
        async (db) => {
          if (which === 'not_me') return endAsNotMe(db, scope, staffId);
          const ids = await sessions.end(db, scope, { staffId, except, reason: 'ended' }, scope.provenance);
          return { ended: ids.length, link: null };
        },
        { shape },
      );
    },

    endSession: (context, sessionId) => people.endSessions(context, selfOf(context.scope), sessionId),
  };

  /** Whoever knows the password gets in by it no more; the browser at hand chooses another. */
  async function endAsNotMe(db: Db, scope: Caller, staffId: string): Promise<{ ended: number; link: string | null }> {
    const person = await lockPerson(db, scope, staffId);
    if (person?.state !== 'active') throw gone();
    const sessionId = scope.person?.sessionId ?? '';
    // Else a stolen cookie would be worth a password.
    if (scope.hasFreshFactor !== true) await requireRecentSignIn(db, scope, { staffId, sessionId }, 'Another password');
    const ids = await sessions.end(db, scope, { staffId, reason: 'not_me' }, scope.provenance);
    await forgetPassword(db, scope, staffId);
    await closeWaysIn(db, scope, staffId);
    await note(db, scope, 'staff.not_me', { sessionId, ended: ids.length });
    if (await isSsoOnly(db, scope)) return { ended: ids.length, link: null };
    return { ended: ids.length, link: (await links.makeReset(db, scope, person, scope.provenance)).url };
  }
}

function note(db: Db, scope: Caller, action: string, details: Record<string, unknown>): Promise<void> {
  return recordAudit(db, scope, { action, by: scope.provenance, objectKind: 'staff', objectId: selfOf(scope), details });
}

/** Whoever is signed in; operations of people let nobody else through. */
function selfOf({ provenance: { actor } }: Caller): string {
  if (actor.kind !== 'staff' || actor.id === null) throw new AppError('FORBIDDEN', 'This is for people who are signed in');
  return actor.id;
}

function gone(): AppError {
  return new AppError('UNAUTHORIZED', 'The session has ended; sign in again');
}
