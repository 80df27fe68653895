/** Links for one person, each used once: invitations, the first owner's welcome, new passwords. Source: docs/specification/people.md#links. */
import { type Actor, actorRef, byOperator, type Provenance } from '../../actor.ts';
import { locateStaffInvite } from '../../db/cross-tenant-lookups.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope, WriteDb } from '../../db/scope.ts';
import { AppError, invalidField, invalidFields } from '../../errors.ts';
import { email as emailSchema, normaliseEmail } from '../../http/schemas.ts';
import type { OwnAddress } from '../../own-address.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { TieReason } from '../two-hands/open/approval-tie.ts';
import type { TwoHandsOffers } from '../two-hands/two-hands-feature.ts';
import type { Challenges } from './challenges.ts';
import { useUpChallenges } from './challenges-queries.ts';
import { methodsOf } from './factor-methods.ts';
import {
  findOpenInvite,
  insertLink,
  type LinkKind,
  type LockedLink,
  lockLink,
  lookAtLink,
  revokeLinks,
  revokeWelcomes,
  useLink,
} from './links-queries.ts';
import type { Role } from './open/roles.ts';
import type { AcceptInput, OpenInvite, SignInResult, Visitor } from './open/sign-in.ts';
import { type Passwords, requireGoodPassword } from './passwords.ts';
import { byPerson, peopleOf, type Sessions } from './sessions.ts';
import { isSsoOnly } from './sso/sso-queries.ts';
import { findByEmail, insertPerson, joinPerson, type LockedPerson, lockPerson, storePassword } from './staff-queries.ts';
import { hashOfToken, newToken } from './tokens.ts';

/** How long each kind of link can be used. */
const MINUTES: Record<LinkKind, number> = { invite: 72 * 60, welcome: 24 * 60, reset: 60 };

export interface MadeLink {
  id: string;
  /** What the link ends with; it is shown once. */
  token: string;
  url: string;
  expiresAt: Date;
}

export interface Links {
  makeInvite(db: Db, scope: Scope, person: { id: string; role: Role }, by: Provenance): Promise<MadeLink>;
  /** For whoever holds it, as an owner. */
  makeWelcome(db: Db, scope: Scope, by: Provenance): Promise<MadeLink>;
  /** The one that a start prints: those of the starts before end, and it ends when an owner joins by whatever link. */
  makeFirstWelcome(db: Db, scope: Scope): Promise<MadeLink>;
  /** A new password for somebody, whose other links of this kind end. */
  makeReset(db: Db, scope: Scope, person: Pick<LockedPerson, 'id' | 'role'>, by: Provenance): Promise<MadeLink>;
  /** What the link leads to, while it can be used: looking at it uses nothing up. */
  look(token: string): Promise<OpenInvite | undefined>;
  /**
   * Uses the link: the person joins, or has a new password, and is signed in; with a second factor that is asked for first.
   * NOT_FOUND when the link cannot be used any more, 400 on fields, STAFF_EXISTS; STATE_CONFLICT where people sign in by
   * the tenant's provider alone, unless the operator has made the link.
   */
  accept(token: string, input: AcceptInput, visitor: Visitor): Promise<SignInResult>;
  /**
   * Uses the open invitation of somebody whom the tenant's provider has named, in the caller's transaction. False where
   * there is none: it was taken back, or is too old.
   */
  joinInvited(db: WriteDb, scope: Scope, person: LockedPerson, name: string | null, visitor: Visitor): Promise<boolean>;
}

interface Deps {
  frames: Frames;
  passwords: Passwords;
  sessions: Sessions;
  challenges: Challenges;
  twoHands: Pick<TwoHandsOffers, 'recordTie'>;
  ownAddress: OwnAddress;
}

export function createLinks({ frames, passwords, sessions, challenges, twoHands, ownAddress }: Deps): Links {
  async function make(
    db: Db,
    scope: Scope,
    { kind, staffId, role }: { kind: LinkKind; staffId: string | null; role: Role },
    by: Provenance,
  ): Promise<MadeLink> {
    if (staffId !== null) await revokeLinks(db, scope, { staffId });
    const { token, hash } = newToken();
    const link = await insertLink(db, scope, { kind, hash, staffId, role, by: actorRef(by.actor), minutes: MINUTES[kind] });
    await recordAudit(db, scope, {
      action: `staff_link.created`,
      by,
      objectKind: 'staff_link',
      objectId: link.id,
      details: { kind, role, staffId, expiresAt: link.expiresAt },
    });
    return { ...link, token, url: `${ownAddress.url()}/dashboard/welcome/${token}` };
  }

  /** From now on the person counts as each of these. What the operator does ties nobody. */
  async function tie(
    db: WriteDb,
    scope: Scope,
    roots: readonly string[],
    staffId: string,
    by: Provenance,
    reason: TieReason,
  ): Promise<void> {
    const { tenantId, environment } = peopleOf(scope);
    for (const root of new Set(roots)) {
      if (isOfOperator(root)) continue;
      const other = { tenantId, environment, provenance: by, rights: [], root };
      await twoHands.recordTie(db, other, { subject: actorRef(staffActor(staffId)), reason });
    }
  }

  /** Who has joined by the link, in the caller's transaction. */
  async function use(
    db: WriteDb,
    scope: Scope,
    link: LockedLink,
    { name, email, passwordHash }: { name: string; email: string; passwordHash: string | null },
    visitor: Visitor,
  ): Promise<LockedPerson> {
    const staffId =
      link.staffId ??
      (await insertPerson(db, scope, {
        email: normaliseEmail(email),
        emailTyped: email,
        name,
        role: link.role,
        createdBy: link.createdBy,
        invitedBy: [],
      }));
    const person = await lockPerson(db, scope, staffId);
    const by = byPerson(staffId, link.kind === 'reset' ? 'choose password' : 'accept invite', visitor);
    if (person?.state !== (link.kind === 'reset' ? 'active' : 'invited')) throw gone();
    if (link.kind === 'reset') {
      if (passwordHash === null) throw gone();
      await storePassword(db, scope, staffId, passwordHash);
      await sessions.end(db, scope, { staffId, reason: 'password_changed' }, by);
      const isOwn = link.createdBy === actorRef(by.actor);
      // A link that was got by signing in leaves those that were mailed about a sign-in: it may be the one they are about.
      await useUpChallenges(db, scope, { staffId, kinds: isOwn ? ['sign_in'] : ['sign_in', 'not_me'] });
      if (!isOwn) await tie(db, scope, [link.createdBy], staffId, by, 'factor_given');
    } else {
      await joinPerson(db, scope, { staffId, name, role: person.role, passwordHash });
      // Whoever had a hand in it, also where somebody else, or the operator, has made the link once more.
      await tie(db, scope, [...person.invitedBy, link.createdBy], staffId, by, 'invited');
    }
    await useLink(db, scope, link.id, staffId);
    if (person.role === 'owner' && link.kind !== 'reset') await revokeWelcomes(db, scope, actorRef(BY_START.actor));
    await recordAudit(db, scope, {
      action: link.kind === 'reset' ? 'staff.password_changed' : 'staff.joined',
      by,
      objectKind: 'staff',
      objectId: staffId,
      details: { linkId: link.id, kind: link.kind, role: person.role },
    });
    return person;
  }

  async function locate(token: string): Promise<{ scope: Scope; id: string } | undefined> {
    const hash = hashOfToken(token);
    const [found] = hash ? await frames.unscoped(locateStaffInvite({ hash })) : [];
    return found && { scope: peopleOf({ tenantId: found.tenant_id }), id: found.id };
  }

  return {
    makeInvite: (db, scope, { id, role }, by) => make(db, scope, { kind: 'invite', staffId: id, role }, by),
    makeWelcome: (db, scope, by) => make(db, scope, { kind: 'welcome', staffId: null, role: 'owner' }, by),
    async makeFirstWelcome(db, scope) {
      await revokeWelcomes(db, scope, actorRef(BY_START.actor));
      return make(db, scope, { kind: 'welcome', staffId: null, role: 'owner' }, BY_START);
    },
    makeReset: (db, scope, { id, role }, by) => make(db, scope, { kind: 'reset', staffId: id, role }, by),

    async look(token) {
      const located = await locate(token);
      if (!located) return undefined;
      const { scope, id } = located;
      return frames.read(scope, async (db) => {
        const link = await lookAtLink(db, scope, id);
        if (!link) return undefined;
        const { createdBy, ...shown } = link;
        return { ...shown, bySso: !isOfOperator(createdBy) && (await isSsoOnly(db, scope)) };
      });
    },

    async accept(token, { name, email, password }, visitor) {
      const located = await locate(token);
      if (!located) throw gone();
      const { scope, id } = located;
      const link = await frames.read(scope, (db) => lookAtLink(db, scope, id));
      if (!link) throw gone();
      const given = { name: nameOf(link, name), email: link.email ?? emailOf(email), password };
      if (link.kind === 'welcome') await refuseTaken(scope, given.email, id);
      requireGoodPassword(password, given);
      const passwordHash = await passwords.hash(password);
      const done = await frames.write(scope, async (db) => {
        const locked = await lockLink(db, scope, id);
        if (!locked?.open) throw gone();
        if (!isOfOperator(locked.createdBy) && (await isSsoOnly(db, scope))) throw onlyByProvider();
        const person = await use(db, scope, locked, { ...given, passwordHash }, visitor);
        const staffId = person.id;
        const methods = methodsOf(person);
        if (methods.length > 0) {
          return { methods, challenge: await challenges.make(db, scope, { kind: 'sign_in', staffId, data: { by: 'link' } }) };
        }
        return sessions.begin(db, scope, { staffId, withFactor: false }, visitor);
      });
      if ('challenge' in done) return { kind: 'factor_needed', ...done };
      const session = await sessions.resolve(done.cookie);
      return session ? { kind: 'signed_in', cookie: done.cookie, session, newDevice: false } : { kind: 'refused' };
    },

    async joinInvited(db, scope, { id: staffId, email }, name, visitor) {
      const open = await findOpenInvite(db, scope, staffId);
      const link = open && (await lockLink(db, scope, open.id));
      if (!link?.open || email === null) return false;
      const given = { name: (name ?? '').trim().slice(0, LONGEST_NAME) || email, email, passwordHash: null };
      await use(db, scope, link, given, visitor);
      return true;
    },
  };

  /** Who is here already may have come by the same link meanwhile. */
  async function refuseTaken(scope: Scope, email: string, linkId: string): Promise<void> {
    const [holder, link] = await frames.read(scope, (db) =>
      Promise.all([findByEmail(db, scope, normaliseEmail(email)), lookAtLink(db, scope, linkId)]),
    );
    if (!link) throw gone();
    if (holder) throw invalidField('email', 'is that of somebody who is here already');
  }
}

export function staffActor(staffId: string): Actor {
  return { kind: 'staff', id: staffId };
}

/** Told apart from what the operator makes by hand, which no start ends. */
const BY_START: Provenance = { ...byOperator('start'), actor: { kind: 'operator', id: 'start' } };

/** The way back, whatever the tenant's settings say. */
function isOfOperator(createdBy: string): boolean {
  return /^operator(:|$)/.test(createdBy);
}

function onlyByProvider(): AppError {
  return new AppError('STATE_CONFLICT', "Passwords are switched off: sign in by your organisation's own provider");
}

const LONGEST_NAME = 200;

function nameOf(link: Pick<OpenInvite, 'kind' | 'name'>, name: string | undefined): string {
  if (link.kind === 'reset' && link.name !== null) return link.name;
  const trimmed = (name ?? '').trim();
  if (trimmed === '' || trimmed.length > LONGEST_NAME) throw invalidField('name', `must have 1 to ${LONGEST_NAME} characters`);
  return trimmed;
}

function emailOf(email: string | undefined): string {
  const parsed = emailSchema.safeParse((email ?? '').trim());
  if (!parsed.success) throw invalidFields([{ field: 'email', message: 'must be an email address' }]);
  return parsed.data;
}

function gone(): AppError {
  return new AppError('NOT_FOUND', 'The link was used, taken back, or is too old; ask for another');
}
