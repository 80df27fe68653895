/** What was asked of a browser and waits for its answer: a second factor behind a password, a passkey, a sign-in elsewhere. */
import { locateStaffChallenge } from '../../db/cross-tenant-lookups.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { type Challenge, type ChallengeKind, findChallenge, insertChallenge, takeChallenge } from './challenges-queries.ts';
import { peopleOf } from './sessions.ts';
import { hashOfToken, newToken } from './tokens.ts';

/** So long an answer is waited for. */
const MINUTES = 10;

export interface FoundChallenge extends Challenge {
  scope: Scope;
}

export interface Challenges {
  /** Keeps a question in the caller's transaction; the token that its answer is sent with. */
  make(
    db: Db,
    scope: Scope,
    given: {
      kind: ChallengeKind;
      staffId?: string | undefined;
      sessionId?: string | undefined;
      data?: object;
      /** Default ten. */
      minutes?: number;
    },
  ): Promise<string>;
  /** The open question of a token, of any tenant; it stays open. */
  find(token: string, kind: ChallengeKind): Promise<FoundChallenge | undefined>;
  /** Takes it: in the transaction of what the answer does. Undefined when it was taken meanwhile. */
  take(db: Db, challenge: FoundChallenge): Promise<Challenge | undefined>;
}

export function createChallenges(frames: Frames): Challenges {
  return {
    async make(db, scope, { kind, staffId, sessionId, data, minutes = MINUTES }) {
      const { token, hash } = newToken();
      await insertChallenge(db, scope, {
        hash,
        kind,
        staffId: staffId ?? null,
        sessionId: sessionId ?? null,
        data: JSON.stringify(data ?? {}),
        minutes,
      });
      return token;
    },
    async find(token, kind) {
      const hash = hashOfToken(token);
      const [located] = hash ? await frames.unscoped(locateStaffChallenge({ hash })) : [];
      if (!located) return undefined;
      const scope = peopleOf({ tenantId: located.tenant_id });
      const found = await frames.read(scope, (db) => findChallenge(db, scope, located.id));
      return found?.kind === kind ? { ...found, scope } : undefined;
    },
    take: (db, { scope, id }) => takeChallenge(db, scope, id),
  };
}
