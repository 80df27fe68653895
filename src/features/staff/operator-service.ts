/** People in the hands of the operator, by commands. Source: docs/specification/people.md#operator. */
import { actorRef, byOperator } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import { email as emailSchema, normaliseEmail } from '../../http/schemas.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { MailService } from '../mail/mail-service.ts';
import { mailInvite } from './link-mail.ts';
import type { Links, MadeLink } from './links.ts';
import { ROLES, type Role } from './open/roles.ts';
import { staffErrors } from './open/staff-errors.ts';
import { peopleOf, type Sessions } from './sessions.ts';
import {
  findByEmail,
  hasOwner,
  insertPerson,
  type LockedPerson,
  listPeople,
  lockOwners,
  lockPerson,
  type Person,
  storePerson,
} from './staff-queries.ts';
import { closeAllWays } from './ways-in.ts';

export interface StaffOperator {
  /** A link for one person; without an email a welcome link, by which an owner joins. 400; STAFF_EXISTS. */
  invite(tenantId: string, input: { role: string; email?: string | undefined }): Promise<MadeLink>;
  /** A welcome link while the tenant has no owner; undefined once it has one. */
  welcomeUnlessOwned(tenantId: string): Promise<string | undefined>;
  list(tenantId: string): Promise<Person[]>;
  /** Ends all sessions too. NOT_FOUND; LAST_OWNER. */
  disable(tenantId: string, email: string): Promise<void>;
  /** NOT_FOUND. */
  resetPassword(tenantId: string, email: string): Promise<MadeLink>;
  /** How many were open. NOT_FOUND. */
  endSessions(tenantId: string, email: string): Promise<number>;
}

interface Deps {
  frames: Frames;
  links: Links;
  sessions: Sessions;
  mail: MailService;
}

const MOST_PEOPLE = 1_000;

export function createOperatorService({ frames, links, sessions, mail }: Deps): StaffOperator {
  async function lockByEmail(db: Db, scope: Scope, email: string): Promise<LockedPerson> {
    await lockOwners(db, scope);
    const found = await findByEmail(db, scope, normaliseEmail(email));
    const person = found && (await lockPerson(db, scope, found.id));
    if (!person) throw new AppError('NOT_FOUND', 'Nobody of the tenant has this email address');
    return person;
  }

  return {
    async invite(tenantId, { role, email }) {
      const scope = peopleOf({ tenantId });
      const by = byOperator('staff invite');
      const named = ROLES.find((one) => one === role);
      if (!named) throw invalidField('role', `must be one of: ${ROLES.join(', ')}`);
      if (email === undefined) {
        if (named !== 'owner') throw invalidField('email', 'may be left out for an owner alone');
        return frames.write(scope, (db) => links.makeWelcome(db, scope, by));
      }
      const parsed = emailSchema.safeParse(email);
      if (!parsed.success) throw invalidField('email', 'must be an email address');
      return frames.write(scope, async (db) => {
        const before = await findByEmail(db, scope, normaliseEmail(parsed.data));
        if (before && before.state !== 'invited')
          throw new AppError(staffErrors.STAFF_EXISTS, 'Somebody of the tenant has this email address already');
        const staffId = before?.id ?? (await insertPerson(db, scope, newPerson(parsed.data, named, actorRef(by.actor))));
        if (before) await storePerson(db, scope, { staffId, name: before.name, role: named, state: 'invited' });
        const made = await links.makeInvite(db, scope, { id: staffId, role: named }, by);
        await mailInvite(mail, db, scope, { staffId, to: parsed.data, role: named }, made);
        return made;
      });
    },

    async welcomeUnlessOwned(tenantId) {
      const scope = peopleOf({ tenantId });
      return frames.write(scope, async (db) =>
        (await hasOwner(db, scope)) ? undefined : (await links.makeFirstWelcome(db, scope)).url,
      );
    },

    async list(tenantId) {
      const scope = peopleOf({ tenantId });
      return frames.read(scope, (db) => listPeople(db, scope, undefined, MOST_PEOPLE));
    },

    async disable(tenantId, email) {
      const scope = peopleOf({ tenantId });
      const by = byOperator('staff disable');
      await frames.write(scope, async (db) => {
        const person = await lockByEmail(db, scope, email);
        if (person.state !== 'active') throw new AppError('STATE_CONFLICT', `The person is ${person.state}`);
        if (person.role === 'owner' && (await lockOwners(db, scope)).length === 1)
          throw new AppError(staffErrors.LAST_OWNER, 'The tenant would have no active owner; invite another first');
        await storePerson(db, scope, { ...person, staffId: person.id, state: 'disabled' });
        await sessions.end(db, scope, { staffId: person.id, reason: 'disabled' }, by);
        await closeAllWays(db, scope, person.id);
        await recordAudit(db, scope, {
          action: 'staff.changed',
          by,
          objectKind: 'staff',
          objectId: person.id,
          details: { fields: ['state'], state: { from: 'active', to: 'disabled' } },
        });
      });
    },

    async resetPassword(tenantId, email) {
      const scope = peopleOf({ tenantId });
      return frames.write(scope, async (db) => {
        const person = await lockByEmail(db, scope, email);
        if (person.state !== 'active') throw new AppError('STATE_CONFLICT', `The person is ${person.state}`);
        return links.makeReset(db, scope, person, byOperator('staff reset-password-link'));
      });
    },

    async endSessions(tenantId, email) {
      const scope = peopleOf({ tenantId });
      return frames.write(scope, async (db) => {
        const { id } = await lockByEmail(db, scope, email);
        const ended = await sessions.end(db, scope, { staffId: id, reason: 'ended' }, byOperator('staff end-sessions'));
        return ended.length;
      });
    },
  };
}

function newPerson(email: string, role: Role, createdBy: string) {
  // What the operator does ties nobody.
  return { email: normaliseEmail(email), emailTyped: email, name: null, role, createdBy, invitedBy: [] };
}
