/** A sign-in from a browser that was not seen before: the mail about it, and what its link does. Source: docs/specification/people.md#not-me. */
import type { Frames } from '../../db/frame.ts';
import type { OwnAddress } from '../../own-address.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { Challenges } from './challenges.ts';
import { useUpChallenges } from './challenges-queries.ts';
import type { Links } from './links.ts';
import { findSignIn, forgetPassword, removeFactorsSince } from './not-me-queries.ts';
import type { NotMe } from './open/not-me.ts';
import { byPerson, type NewDeviceMail, type Sessions } from './sessions.ts';
import { isSsoOnly } from './sso/sso-queries.ts';
import { findSecrets, lockPerson } from './staff-queries.ts';

/** So long the link in the mail is good. */
const LINK_MINUTES = 72 * 60;

/** Tells a person of a sign-in, in its transaction; where the deployment sends no mail, nothing. */
export function createNewDeviceMail({
  mail,
  challenges,
  ownAddress,
}: {
  mail: MailService;
  challenges: Pick<Challenges, 'make'>;
  ownAddress: OwnAddress;
}): NewDeviceMail {
  return async (db, scope, { staffId, sessionId }, { ip, agent }) => {
    if (!mail.isOn) return;
    const person = await findSecrets(db, scope, staffId);
    if (!person || person.email === null) return;
    const token = await challenges.make(db, scope, { kind: 'not_me', staffId, sessionId, minutes: LINK_MINUTES });
    await mail.toPerson(db, scope, {
      kind: 'new_device',
      staffId,
      to: person.email,
      values: { ip: ip ?? 'unknown', agent: agent ?? 'unknown', link: `${ownAddress.url()}/dashboard/not-me/${token}` },
    });
  };
}

interface Deps {
  frames: Frames;
  challenges: Challenges;
  sessions: Pick<Sessions, 'end'>;
  links: Pick<Links, 'makeReset'>;
}

export function createNotMe({ frames, challenges, sessions, links }: Deps): NotMe {
  return {
    async look(token) {
      const asked = await challenges.find(token, 'not_me');
      const { sessionId } = asked ?? {};
      if (!asked || sessionId == null) return undefined;
      return frames.read(asked.scope, (db) => findSignIn(db, asked.scope, sessionId));
    },

    async act(token, visitor) {
      const asked = await challenges.find(token, 'not_me');
      if (!asked || asked.staffId === null || asked.sessionId === null) return undefined;
      const { scope, staffId, sessionId } = asked;
      const by = byPerson(staffId, 'not me', visitor);
      return frames.write(scope, async (db) => {
        const person = await lockPerson(db, scope, staffId);
        if (person?.state !== 'active' || !(await challenges.take(db, asked))) return undefined;
        const ids = await sessions.end(db, scope, { staffId, reason: 'not_me' }, by);
        await forgetPassword(db, scope, staffId);
        await useUpChallenges(db, scope, { staffId, kinds: ['sign_in', 'not_me'] });
        const removed = await removeFactorsSince(db, scope, { staffId, sessionId });
        await recordAudit(db, scope, {
          action: 'staff.not_me',
          by,
          objectKind: 'staff',
          objectId: staffId,
          details: { sessionId, ended: ids.length, removed },
        });
        const onlyByProvider = await isSsoOnly(db, scope);
        const next = onlyByProvider ? undefined : (await links.makeReset(db, scope, person, by)).token;
        return { ended: ids.length, token: next };
      });
    },
  };
}
