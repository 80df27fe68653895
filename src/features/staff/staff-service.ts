/** People in the hands of the tenant's owners. Source: docs/specification/people.md#people. */
import type { z } from 'zod';
import { actorRef, type Provenance } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db, WriteDb } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { CallContext, Caller, RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { normaliseEmail } from '../../http/schemas.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { HoldBack } from '../pending-changes/pending-changes-service.ts';
import type { TieReason } from '../two-hands/open/approval-tie.ts';
import type { TwoHandsOffers } from '../two-hands/two-hands-feature.ts';
import type { FieldOfInvite } from './invite-field.ts';
import { mailInvite, mailNewPassword } from './link-mail.ts';
import { type Links, type MadeLink, staffActor } from './links.ts';
import { findLink, type Invitation, isInvitation, listLinks, lockLink, revokeLinks } from './links-queries.ts';
import { staffErrors } from './open/staff-errors.ts';
import { canApprove, effectsOfChange, effectsOfInvite, handsBehind } from './role-effects.ts';
import type { Sessions } from './sessions.ts';
import { type EndReason, hasSession, listSessions, type SessionRow } from './sessions-queries.ts';
import type { inviteStaff, listStaff, updateStaffMember } from './staff-operations.ts';
import {
  findByEmail,
  findPerson,
  insertPerson,
  type LockedPerson,
  listPeople,
  lockOwners,
  lockPerson,
  noteInviters,
  type Person,
  removePerson,
  storePerson,
} from './staff-queries.ts';
import { listTies, type Tie } from './ties-queries.ts';
import { closeAllWays } from './ways-in.ts';

type List = z.output<(typeof listStaff)['query'] & {}>;
type Invite = z.output<(typeof inviteStaff)['body'] & {}>;
type Change = z.output<(typeof updateStaffMember)['body'] & {}>;

export interface ShownSession extends SessionRow {
  isThis: boolean;
}

export interface StaffService {
  list(context: RequestContext, query: List): Promise<Page<Person>>;
  /** NOT_FOUND. */
  get(context: RequestContext, staffId: string): Promise<Person>;
  listInvites(context: RequestContext, query: List): Promise<Page<Invitation>>;
  /** STAFF_EXISTS of somebody who has joined. Waits where the role approves payments, and two pairs of hands are asked for. */
  invite(context: CallContext, input: Invite): Promise<Invitation & { link: string; mailed: boolean }>;
  /** Whoever has not joined is removed. NOT_FOUND; STATE_CONFLICT once it was used. */
  revokeInvite(context: CallContext, inviteId: string): Promise<Invitation>;
  /** NOT_FOUND; LAST_OWNER; STATE_CONFLICT of a person who is removed, or is invited and to be disabled. */
  change(context: CallContext, staffId: string, input: Change): Promise<Person>;
  /** Removing again changes nothing. NOT_FOUND; LAST_OWNER. */
  remove(context: CallContext, staffId: string): Promise<Person>;
  /** NOT_FOUND; STATE_CONFLICT unless the person is active. */
  resetPassword(context: CallContext, staffId: string): Promise<{ id: string; link: string; mailed: boolean; expiresAt: Date }>;
  /** NOT_FOUND. */
  listSessions(context: CallContext, staffId: string, query: List): Promise<Page<ShownSession>>;
  /** One session of the person, or all; of one that has ended already nothing is done. NOT_FOUND. */
  endSessions(context: CallContext, staffId: string, sessionId?: string): Promise<{ ended: number }>;
  listTies(context: RequestContext, query: List): Promise<Page<Tie>>;
  /** NOT_FOUND; STATE_CONFLICT; SECOND_PERSON_REQUIRED. */
  confirmTie(context: CallContext, tieId: string): Promise<{ id: string }>;
}

interface Deps {
  frames: Frames;
  cursors: Cursors;
  sessions: Sessions;
  links: Links;
  twoHands: Pick<TwoHandsOffers, 'recordTie' | 'confirmTie'>;
  holdBack: HoldBack;
  mail: MailService;
  /** The safeguard of who joins by an address. */
  fieldOfInvite: FieldOfInvite;
}

export function createStaffService(deps: Deps): StaffService {
  const { frames, cursors, sessions, links, twoHands, holdBack, mail, fieldOfInvite } = deps;

  /** From now on the person counts as whoever calls, and where that confirms a change, as whoever asked for it too. */
  async function tie(db: WriteDb, context: CallContext, staffId: string, reason: TieReason): Promise<void> {
    for (const root of handsBehind(context))
      await twoHands.recordTie(db, { ...context.scope, root }, { subject: actorRef(staffActor(staffId)), reason });
  }

  async function requireOtherOwner(db: Db, { scope }: CallContext, person: LockedPerson): Promise<void> {
    if (person.role !== 'owner' || person.state !== 'active') return;
    const others = (await lockOwners(db, scope)).filter((id) => id !== person.id);
    if (others.length === 0)
      throw new AppError(staffErrors.LAST_OWNER, 'The tenant would have no active owner; make somebody else one first');
  }

  const endAll = (db: Db, { scope }: CallContext, staffId: string, reason: EndReason): Promise<string[]> =>
    sessions.end(db, scope, { staffId, reason }, scope.provenance);

  /** Locked in one order, whoever else is: first the owners, of whom one must remain, then the person. */
  async function lock(db: Db, { scope }: CallContext, staffId: string): Promise<LockedPerson> {
    await lockOwners(db, scope);
    const person = await lockPerson(db, scope, staffId);
    if (!person) throw new AppError('NOT_FOUND', 'No such person');
    return person;
  }

  async function read(db: Db, { scope }: RequestContext, staffId: string): Promise<Person> {
    const person = await findPerson(db, scope, staffId);
    if (!person) throw new AppError('NOT_FOUND', 'No such person');
    return person;
  }

  async function readLink(db: Db, { scope }: RequestContext, id: string): Promise<Invitation> {
    const link = await findLink(db, scope, id);
    if (!link || !isInvitation(link)) throw new AppError('NOT_FOUND', 'No such invitation');
    return link;
  }

  /** Who is invited anew, and has not joined. */
  async function invitedBefore(db: Db, { scope }: CallContext, email: string): Promise<LockedPerson | undefined> {
    const found = await findByEmail(db, scope, normaliseEmail(email));
    const person = found && (await lockPerson(db, scope, found.id));
    if (person && person.state !== 'invited')
      throw new AppError(staffErrors.STAFF_EXISTS, 'Somebody of the tenant has this email address already');
    return person;
  }

  return {
    async list({ scope }, { limit, cursor }) {
      const identity = { scope, operationId: 'listStaff', filters: {} };
      const afterId = cursors.open(cursor, identity);
      const rows = await frames.read(scope, (db) => listPeople(db, scope, afterId, limit + 1));
      return cursors.page(rows, limit, identity, ({ id }) => id);
    },

    get: (context, staffId) => frames.read(context.scope, (db) => read(db, context, staffId)),

    async listInvites({ scope }, { limit, cursor }) {
      const identity = { scope, operationId: 'listStaffInvites', filters: {} };
      const before = cursors.open(cursor, identity);
      const rows = await frames.read(scope, (db) => listLinks(db, scope, before, limit + 1));
      return cursors.page(rows, limit, identity, ({ id }) => id);
    },

    async invite(context, { email, role }) {
      const { scope, guard, shape } = context;
      return frames.write(
        scope,
        async (db) => {
          const before = await invitedBefore(db, context, email);
          const hands = await holdBack(db, context, effectsOfInvite(fieldOfInvite(scope, email), before?.role, { email, role }));
          const invitedBy = handsBehind(context);
          const createdBy = actorRef(scope.provenance.actor);
          const staffId =
            before?.id ??
            (await insertPerson(db, scope, {
              email: normaliseEmail(email),
              emailTyped: email,
              name: null,
              role,
              createdBy,
              invitedBy,
            }));
          if (before) {
            await storePerson(db, scope, { staffId, name: before.name, role, state: 'invited' });
            await noteInviters(db, scope, { staffId, invitedBy });
          }
          const made = await links.makeInvite(db, scope, { id: staffId, role }, scope.provenance);
          await mailInvite(mail, db, scope, { staffId, to: email, role }, made);
          await audit(db, scope, 'invited', staffId, { role, linkId: made.id, ...hands });
          return { ...(await readLink(db, context, made.id)), link: made.url, mailed: mail.isOn };
        },
        { guard, shape },
      );
    },

    async revokeInvite(context, inviteId) {
      const { scope, guard, shape } = context;
      return frames.write(
        scope,
        async (db) => {
          const link = await lockLink(db, scope, inviteId);
          const shown = await readLink(db, context, inviteId);
          if (!link || shown.status === 'used')
            throw new AppError('STATE_CONFLICT', 'The invitation was used; remove the person');
          if (shown.status !== 'revoked') {
            await revokeLinks(db, scope, { linkId: inviteId });
            await auditLink(db, scope, inviteId);
            const person = link.staffId === null ? undefined : await lockPerson(db, scope, link.staffId);
            if (person?.state === 'invited') await leave(db, context, person.id);
          }
          return readLink(db, context, inviteId);
        },
        { guard, shape },
      );
    },

    async change(context, staffId, input) {
      const { scope, guard, shape } = context;
      return frames.write(
        scope,
        async (db) => {
          const person = await lock(db, context, staffId);
          const wanted = wantedOf(person, input);
          const { role, state } = wanted;
          const fields = (['name', 'role', 'state'] as const).filter((field) => wanted[field] !== person[field]);
          if (fields.length === 0) return read(db, context, staffId);
          const hands = await holdBack(db, context, effectsOfChange(person, wanted));
          if (role !== 'owner' || state !== 'active') await requireOtherOwner(db, context, person);
          await storePerson(db, scope, { staffId, ...wanted });
          if (state === 'disabled') await closeAllWays(db, scope, staffId);
          if (state === 'disabled') await endAll(db, context, staffId, 'disabled');
          else if (role !== person.role) await endAll(db, context, staffId, 'role_changed');
          if (canApprove(wanted) && !canApprove(person)) await tie(db, context, staffId, 'made_approver');
          await audit(db, scope, 'changed', staffId, {
            fields,
            ...(role === person.role ? {} : { role: { from: person.role, to: role } }),
            ...(state === person.state ? {} : { state: { from: person.state, to: state } }),
            ...hands,
          });
          return read(db, context, staffId);
        },
        { guard, shape },
      );
    },

    async remove(context, staffId) {
      const { scope, guard, shape } = context;
      return frames.write(
        scope,
        async (db) => {
          const person = await lock(db, context, staffId);
          if (person.state !== 'removed') {
            await requireOtherOwner(db, context, person);
            await leave(db, context, staffId);
          }
          return read(db, context, staffId);
        },
        { guard, shape },
      );
    },

    async resetPassword(context, staffId) {
      const { scope, guard, shape } = context;
      return frames.write(
        scope,
        async (db) => {
          const person = await lock(db, context, staffId);
          if (person.state !== 'active') throw new AppError('STATE_CONFLICT', `The person is ${person.state}`);
          const made: MadeLink = await links.makeReset(db, scope, person, scope.provenance);
          await mailNewPassword(mail, db, scope, { staffId, to: person.email }, made);
          return { id: made.id, link: made.url, mailed: mail.isOn, expiresAt: made.expiresAt };
        },
        { guard, shape },
      );
    },

    async listSessions(context, staffId, { limit, cursor }) {
      const { scope } = context;
      const identity = { scope, operationId: 'listStaffSessions', filters: { staffId } };
      const before = cursors.open(cursor, identity);
      const rows = await frames.read(scope, async (db) => {
        await read(db, context, staffId);
        return listSessions(db, scope, staffId, before, limit + 1);
      });
      const page = cursors.page(rows, limit, identity, ({ id }) => id);
      return { ...page, rows: page.rows.map((row) => ({ ...row, isThis: row.id === scope.person?.sessionId })) };
    },

    async endSessions(context, staffId, sessionId) {
      const { scope, guard, shape } = context;
      return frames.write(
        scope,
        async (db) => {
          await read(db, context, staffId);
          const which = sessionId === undefined ? {} : { sessionId };
          if (sessionId !== undefined && !(await hasSession(db, scope, staffId, sessionId)))
            throw new AppError('NOT_FOUND', 'No such session of this person');
          const ids = await sessions.end(db, scope, { staffId, reason: 'ended', ...which }, scope.provenance);
          return { ended: ids.length };
        },
        { guard, shape },
      );
    },

    async listTies({ scope }, { limit, cursor }) {
      const identity = { scope, operationId: 'listStaffTies', filters: {} };
      const before = cursors.open(cursor, identity);
      const rows = await frames.read(scope, (db) => listTies(db, scope, before, limit + 1));
      return cursors.page(rows, limit, identity, ({ id }) => id);
    },

    confirmTie: ({ scope, guard, shape }, tieId) =>
      frames.write(
        scope,
        async (db) => {
          await twoHands.confirmTie(db, scope, tieId);
          return { id: tieId };
        },
        { guard, shape },
      ),
  };

  /** The person is gone, and what it signs in by. */
  async function leave(db: WriteDb, context: CallContext, staffId: string): Promise<void> {
    const { scope } = context;
    await endAll(db, context, staffId, 'removed');
    await revokeLinks(db, scope, { staffId });
    await removePerson(db, scope, staffId);
    await audit(db, scope, 'removed', staffId, {});
  }
}

function wantedOf(person: LockedPerson, { name, role, disabled }: Change): Pick<LockedPerson, 'name' | 'role' | 'state'> {
  if (person.state === 'removed') throw new AppError('STATE_CONFLICT', 'The person is removed, which is for good');
  if (person.state === 'invited' && (disabled !== undefined || name !== undefined || role !== undefined))
    throw new AppError('STATE_CONFLICT', 'The person has not joined yet: take the invitation back, or invite anew');
  const state = disabled === undefined ? person.state : disabled ? 'disabled' : 'active';
  return { name: name?.trim() ?? person.name, role: role ?? person.role, state };
}

type Deed = 'invited' | 'changed' | 'removed';

function audit(db: Db, scope: Caller, deed: Deed, staffId: string, details: Record<string, unknown>): Promise<void> {
  const by: Provenance = scope.provenance;
  return recordAudit(db, scope, { action: `staff.${deed}`, by, objectKind: 'staff', objectId: staffId, details });
}

function auditLink(db: Db, scope: Caller, linkId: string): Promise<void> {
  return recordAudit(db, scope, {
    action: 'staff_link.revoked',
    by: scope.provenance,
    objectKind: 'staff_link',
    objectId: linkId,
  });
}
