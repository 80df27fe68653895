/** Bearer tokens to members, and whether their sessions still are. Source: docs/specification/reliability.md#a-15. */
import type { Frames } from '../../db/frame.ts';
import type { Db } from '../../db/scope.ts';
import type { Caller, MemberSubject } from '../../http/operation.ts';
import { type AccessClaims, type AccessTokens, invalidToken } from './access-tokens.ts';
import { sessionStatement } from './tokens-queries.ts';

/** A revoked session, or a deactivated member, is refused on every instance within this time. */
const CACHE_MS = 900;
const CACHE_MAX = 10_000;

export interface Sessions {
  /** The member of an access token of the caller's tenant and environment. INVALID_TOKEN. */
  authenticate(token: string, caller: Caller): Promise<MemberSubject>;
  /** Whether the session of the claims is good now; asks the database each time. */
  isAlive(db: Db, claims: AccessClaims): Promise<boolean>;
}

export function createSessions({ frames, accessTokens }: { frames: Frames; accessTokens: AccessTokens }): Sessions {
  /** Live sessions only, by scope and id; a lookup under way is shared. */
  const cache = new Map<string, { until: number; memberId: Promise<string | undefined> }>();

  async function find({ tenantId, environment, sessionId }: AccessClaims): Promise<string | undefined> {
    const [row] = await frames.readOnce({ tenantId, environment }, sessionStatement({ tenantId, environment }, { sessionId }));
    return row?.member_id;
  }

  function cached(claims: AccessClaims): Promise<string | undefined> {
    const id = `${claims.tenantId} ${claims.environment} ${claims.sessionId}`;
    const now = performance.now();
    const hit = cache.get(id);
    if (hit && hit.until > now) return hit.memberId;
    if (cache.size >= CACHE_MAX) cache.clear();
    const memberId = find(claims); // the time runs from before the lookup, so the answer is never older
    cache.set(id, { until: now + CACHE_MS, memberId });
    memberId.then(
      (found) => {
        if (found === undefined && cache.get(id)?.memberId === memberId) cache.delete(id);
      },
      () => cache.delete(id),
    );
    return memberId;
  }

  return {
    async authenticate(token, caller) {
      const claims = await accessTokens.read(token);
      if (claims.tenantId !== caller.tenantId || claims.environment !== caller.environment) throw invalidToken();
      if ((await cached(claims)) !== claims.memberId) throw invalidToken();
      return { memberId: claims.memberId, sessionId: claims.sessionId };
    },
    async isAlive(db, { tenantId, environment, sessionId, memberId }) {
      return (await db.row(sessionStatement({ tenantId, environment }, { sessionId })))?.member_id === memberId;
    },
  };
}
