/** People of a tenant: who they are, what they may do, how they sign in, and their sessions. */
import { defineFeature } from '../../house/feature.ts';
import type { SessionAccess } from '../../http/keyed-steps.ts';
import type { GuessAt } from '../../http/rate-limit.ts';
import type { AuthOffers } from '../auth/auth-feature.ts';
import type { MailOffers } from '../mail/mail-feature.ts';
import type { PendingChangesOffers } from '../pending-changes/pending-changes-feature.ts';
import type { TwoHandsOffers } from '../two-hands/two-hands-feature.ts';
import { type Challenges, createChallenges } from './challenges.ts';
import { factorsErrors } from './factors/factors-errors.ts';
import { factorsRoutes } from './factors/factors-routes.ts';
import { openFactors } from './factors/open-factors.ts';
import { factorsSealed } from './factors/totp-sealed.ts';
import { createGuessing, type Guessing } from './guessing.ts';
import { createFieldOfInvite } from './invite-field.ts';
import { createLinks, type Links } from './links.ts';
import { createNewDeviceMail, createNotMe } from './not-me.ts';
import type { StaffFactors } from './open/factors.ts';
import type { NotMe } from './open/not-me.ts';
import type { StaffSso } from './open/sso.ts';
import { staffErrors } from './open/staff-errors.ts';
import { createOperatorService, type StaffOperator } from './operator-service.ts';
import { createOwnService } from './own-service.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { createSessionAccess } from './session-access.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { ssoSealed } from './sso/sso-sealed.ts';
import { createSso } from './sso/sso-service.ts';
import { createSsoSettingsPart, ssoSettingsDeclaration } from './sso/sso-settings-part.ts';
import { staffAudits } from './staff-audits.ts';
import { staffCommands } from './staff-commands.ts';
import { staffRoutes } from './staff-routes.ts';
import { createStaffService } from './staff-service.ts';
import { TIDIED, TIDY, tidyStaff } from './tidy-staff.ts';

export interface StaffOffers {
  sessions: Sessions;
  signIn: SignIn;
  links: Pick<Links, 'look' | 'accept'>;
  /** What is asked of browsers, for second factors and for signing in elsewhere. */
  challenges: Challenges;
  guessing: Guessing;
  /** Signing in by a second factor, and giving it once more. */
  factors: StaffFactors;
  /** Signing in by the tenant's own provider. */
  sso: StaffSso;
  /** What the link in the mail of a sign-in does. */
  notMe: NotMe;
  /** Runs what may be a guess of a password or a link: past 20 failures a minute of its address, not at all. */
  guess: GuessAt;
  /** Who is signed in, for operations that take a session in place of a key. */
  access: SessionAccess;
  /** What the operator does by commands. */
  operator: StaffOperator;
}

interface Needs {
  twoHands: TwoHandsOffers;
  pendingChanges: PendingChangesOffers;
  mail: MailOffers;
  auth: AuthOffers;
}

/** Failures a minute from one address. */
const FAILURES_OF_ADDRESS = 20;

const TABLES = [
  'staff',
  'staff_session',
  'staff_invite',
  'staff_failure',
  'staff_challenge',
  'staff_passkey',
  'staff_totp',
  'staff_recovery_code',
  'staff_provider',
] as const;

export const staffFeature = defineFeature({
  name: 'staff',
  commands: staffCommands,
  audits: staffAudits,
  peopleScopes: { 'admin:staff': 'Invite people, change what they may do, and end their sessions' },
  groups: { Staff: "The tenant's people: invitations, roles, sessions, second factors" },
  errors: { ...staffErrors, ...factorsErrors },
  sealed: [...factorsSealed, ...ssoSealed],
  settings: ssoSettingsDeclaration,
  constraints: {
    staff_email_key: { error: staffErrors.STAFF_EXISTS, message: 'Somebody of the tenant has this email address already' },
    staff_passkey_credential_key: { error: 'STATE_CONFLICT', message: 'This passkey is there already' },
  },
  tables: TABLES,
  // They are of LIVE: a SANDBOX has none.
  kept: TABLES,
  due: {
    [TIDY]: Object.entries(TIDIED).map(([table, { at, after }]) => ({ table, at, after, clock: 'database' as const })),
  },
  open(
    { frames, cipher, cursors, logger, outgoing, pepper, ownAddress, rateLimits, house },
    { twoHands, pendingChanges: { holdBack }, mail, auth }: Needs,
  ) {
    const passwords: Passwords = createPasswords();
    const guessing = createGuessing(frames, pepper);
    const challenges = createChallenges(frames);
    const mailNewDevice = createNewDeviceMail({ mail, challenges, ownAddress });
    const sessions = createSessions({ frames, logger, mailNewDevice, scopes: house.allScopes });
    const links = createLinks({ frames, passwords, sessions, challenges, twoHands, ownAddress });
    const signIn = createSignIn({ frames, passwords, guessing, sessions, challenges });
    const people = createStaffService({
      frames,
      cursors,
      sessions,
      links,
      twoHands,
      holdBack,
      mail,
      fieldOfInvite: createFieldOfInvite(pepper),
    });
    const own = createOwnService({ frames, sessions, passwords, guessing, links, people });
    const operator = createOperatorService({ frames, links, sessions, mail });
    const guess = rateLimits.guesses({
      name: 'sign-in',
      limit: FAILURES_OF_ADDRESS,
      alert: 'too many failed sign-ins from one address',
    });
    const { factors, ownFactors } = openFactors({
      frames,
      cipher,
      pepper,
      ownAddress,
      challenges,
      guessing,
      sessions,
      signIn,
      twoHands,
    });
    return {
      offers: {
        sessions,
        signIn,
        links,
        challenges,
        guessing,
        factors,
        sso: createSso({
          frames,
          cipher,
          pepper,
          logger,
          outgoing,
          verifyToken: auth.providers.verifyExternalToken,
          challenges,
          links,
          signIn,
        }),
        notMe: createNotMe({ frames, challenges, sessions, links }),
        guess,
        access: createSessionAccess({ frames, sessions, ownAddress }),
        operator,
      } satisfies StaffOffers,
      settings: createSsoSettingsPart({ cipher, checkAddress: outgoing.checkAddress, sessions }),
      routes: [...staffRoutes(people, own), ...factorsRoutes(ownFactors)],
      sweeps: [tidyStaff],
    };
  },
});
