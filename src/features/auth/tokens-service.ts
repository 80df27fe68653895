/** Token pairs and their sessions: issued, rotated, looked into, revoked. Source: docs/specification/identity.md#refresh. */
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { CallContext, Caller } from '../../http/operation.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { ACCESS_TOKEN_SECONDS, type AccessClaims, type AccessTokens, invalidToken } from './access-tokens.ts';
import type { TokenPair, TokenState } from './auth-operations.ts';
import { addRefreshToken, claimToken, cutOffSessions, maySignIn } from './exchanged-tokens-queries.ts';
import { lockMember } from './linked-identities-queries.ts';
import { hashRefreshToken, isRefreshToken, type RefreshTokens } from './refresh-tokens.ts';
import type { Sessions } from './sessions.ts';
import {
  findRefreshToken,
  insertFamily,
  isRefreshTokenUsed,
  type RefreshTokenState,
  revokeFamiliesOf,
  revokeFamily,
  rotateRefreshToken,
  sessionStatement,
} from './tokens-queries.ts';

const SLIDING_DAYS = 30;
const ABSOLUTE_DAYS = 90;
/** For a client whose answer was lost. Longer, and a thief has it too. */
const GRACE_SECONDS = 10;
/** Pairs of one token of a provider: answers get lost, and no token is a key. */
const MOST_EXCHANGES = 5;
/** A token is taken for 30 seconds past its end, by a clock that may go behind that of the database. */
const FORGET_AFTER_SECONDS = 300;

export interface TokensService {
  /** Prepares a pair, whose rows are written in the caller's transaction. */
  startSession(): Promise<NewSession>;
  /** INVALID_TOKEN; a token used before takes its whole session with it. */
  refresh(context: CallContext, token: string): Promise<TokenPair>;
  validate(context: CallContext, token: string): Promise<TokenState>;
  revoke(context: CallContext, token: string): Promise<Record<string, never>>;
  /** USER_NOT_FOUND. */
  revokeAll(context: CallContext, memberId: string): Promise<{ revokedSessions: number }>;
}

/** A pair for whoever holds a token of a provider: of a session of its own, or of the one that the token has begun. */
interface NewSession {
  /** INVALID_TOKEN for a token that was exchanged too often. To be called before anything else of the exchange. */
  claim(db: Db, scope: Scope, token: ExchangedToken): Promise<ClaimedSession>;
}

interface ClaimedSession {
  /** INVALID_TOKEN when the session was ended, all the member's were since the token was issued, or the member is no more. */
  insert(memberId: string): Promise<TokenPair>;
}

export interface ExchangedToken {
  providerId: string;
  digest: Buffer;
  /** Seconds since 1970, both. */
  issuedAt: number;
  expiresAt: number;
}

/** Leaves the transaction of a refresh, so that the revocation can have one of its own. */
class Reuse extends Error {
  readonly familyId: string;
  constructor(familyId: string) {
    super('a used refresh token was presented');
    this.familyId = familyId;
  }
}

interface Deps {
  frames: Frames;
  accessTokens: AccessTokens;
  refreshTokens: RefreshTokens;
  sessions: Sessions;
}

export function createTokensService({ frames, accessTokens, refreshTokens, sessions }: Deps): TokensService {
  /** The hash of what the token is exchanged for, after it is; throws INVALID_TOKEN or Reuse. */
  async function rotate(db: Db, { scope }: CallContext, token: string, successorHash: Buffer): Promise<RefreshTokenState> {
    const state = await findRefreshToken(db, scope, hashRefreshToken(token), GRACE_SECONDS, { lock: true });
    if (!state || state.revoked) throw invalidToken();
    if (state.used) {
      const repeat = state.justUsed && state.usedByKeyId === keyOf(scope);
      if (!repeat || (await isRefreshTokenUsed(db, scope, successorHash))) throw new Reuse(state.familyId);
      if (!state.alive) throw invalidToken();
      return state;
    }
    if (state.expired || !state.alive) throw invalidToken();
    const rotation = {
      tokenId: state.id,
      successorHash,
      keyId: keyOf(scope),
      slidingDays: SLIDING_DAYS,
      actor: scope.provenance.actor,
    };
    await rotateRefreshToken(db, scope, rotation);
    return state;
  }

  async function endSession(db: Db, { scope }: CallContext, familyId: string, reason: 'reuse' | 'revoked'): Promise<void> {
    const family = await revokeFamily(db, scope, familyId, reason);
    if (!family) return;
    await recordAudit(db, scope, {
      action: reason === 'reuse' ? 'session.reuse_detected' : 'session.revoked',
      by: scope.provenance,
      objectKind: 'member',
      objectId: family.memberId,
      details: { sessionId: family.id },
    });
  }

  return {
    async startSession() {
      const sign = await accessTokens.signer();
      const insertSession = async (
        db: Db,
        scope: Scope,
        {
          memberId,
          token,
          claimed,
        }: { memberId: string; token: ExchangedToken; claimed: { familyId: string; isFirst: boolean } },
      ): Promise<TokenPair> => {
        if (!(await maySignIn(db, scope, { memberId, issuedAt: Math.floor(token.issuedAt) }))) throw invalidToken();
        const refreshToken = refreshTokens.draw();
        const tokenHash = hashRefreshToken(refreshToken);
        const sessionId = claimed.familyId;
        const pair = { memberId, tokenHash, slidingDays: SLIDING_DAYS };
        if (claimed.isFirst) {
          await insertFamily(db, scope, { ...pair, id: sessionId, providerId: token.providerId, absoluteDays: ABSOLUTE_DAYS });
        } else if (!(await addRefreshToken(db, scope, { ...pair, familyId: sessionId }))) throw invalidToken();
        return { accessToken: await sign({ ...scope, memberId, sessionId }), refreshToken, expiresIn: ACCESS_TOKEN_SECONDS };
      };
      return {
        async claim(db, { tenantId, environment }, token) {
          const scope = { tenantId, environment };
          const forgetAt = Math.ceil(token.expiresAt) + FORGET_AFTER_SECONDS;
          const claimed = await claimToken(db, scope, {
            providerId: token.providerId,
            digest: token.digest,
            forgetAt,
            most: MOST_EXCHANGES,
          });
          if (!claimed) throw invalidToken();
          // Before anybody is looked for: a session that was ended is the end of its token too.
          if (!claimed.isFirst && !(await db.row(sessionStatement(scope, { sessionId: claimed.familyId })))) throw invalidToken();
          return { insert: (memberId) => insertSession(db, scope, { memberId, token, claimed }) };
        },
      };
    },

    async refresh(context, token) {
      if (!isRefreshToken(token)) throw invalidToken();
      const { tenantId, environment } = context.scope;
      const sign = await accessTokens.signer();
      const refreshToken = refreshTokens.successorOf(token);
      try {
        return await frames.write(
          context.scope,
          async (db) => {
            const { memberId, familyId } = await rotate(db, context, token, hashRefreshToken(refreshToken));
            const accessToken = await sign({ tenantId, environment, memberId, sessionId: familyId });
            return { accessToken, refreshToken, expiresIn: ACCESS_TOKEN_SECONDS, tokenType: 'Bearer' as const };
          },
          // Run again after a lost commit, it is a repeat within the grace.
          { shape: context.shape, repeatable: true },
        );
      } catch (error) {
        if (!(error instanceof Reuse)) throw error;
        await frames.write(context.scope, (db) => endSession(db, context, error.familyId, 'reuse'), { repeatable: true });
        throw invalidToken(error);
      }
    },

    async validate(context, token) {
      const claims = isRefreshToken(token) ? undefined : await readOwn(context, token);
      return frames.write(
        context.scope,
        async (db) => {
          if (claims) return (await sessions.isAlive(db, claims)) ? activeAccess(claims) : { active: false };
          if (!isRefreshToken(token)) return { active: false };
          const state = await findRefreshToken(db, context.scope, hashRefreshToken(token), GRACE_SECONDS, { lock: false });
          return state?.alive && !state.used && !state.expired ? activeRefresh(context.scope, state) : { active: false };
        },
        { guard: context.guard, shape: context.shape, repeatable: true },
      );
    },

    async revoke(context, token) {
      const { scope, guard, shape } = context;
      const claims = isRefreshToken(token) ? undefined : await readOwn(context, token, { evenExpired: true });
      return frames.write(
        scope,
        async (db) => {
          const state =
            claims || !isRefreshToken(token)
              ? undefined
              : await findRefreshToken(db, scope, hashRefreshToken(token), GRACE_SECONDS, { lock: false });
          const familyId = claims?.sessionId ?? state?.familyId;
          if (familyId !== undefined) await endSession(db, context, familyId, 'revoked');
          return {};
        },
        { guard, shape, repeatable: true },
      );
    },

    async revokeAll({ scope, guard, shape }, memberId) {
      return frames.write(
        scope,
        async (db) => {
          // Behind an exchange that is under way: its session is found below.
          if (!(await lockMember(db, scope, memberId))) throw new AppError('USER_NOT_FOUND', 'No such member');
          const [, revokedSessions] = await Promise.all([
            cutOffSessions(db, scope, memberId),
            revokeFamiliesOf(db, scope, memberId),
          ]);
          await recordAudit(db, scope, {
            action: 'session.all_revoked',
            by: scope.provenance,
            objectKind: 'member',
            objectId: memberId,
            details: { sessions: revokedSessions },
          });
          return { revokedSessions };
        },
        { guard, shape, repeatable: true },
      );
    },
  };

  /** What a token of the caller's own tenant and environment says; undefined for any other. */
  async function readOwn(
    { scope }: CallContext,
    token: string,
    options?: { evenExpired: boolean },
  ): Promise<AccessClaims | undefined> {
    try {
      const claims = await accessTokens.read(token, options);
      return claims.tenantId === scope.tenantId && claims.environment === scope.environment ? claims : undefined;
    } catch (error) {
      if (error instanceof AppError && error.code === 'INVALID_TOKEN') return undefined;
      throw error;
    }
  }
}

function activeAccess({ memberId, tenantId, environment, sessionId, issuedAt, expiresAt }: AccessClaims): TokenState {
  return {
    active: true,
    sub: memberId,
    tenantId,
    environment,
    exp: expiresAt,
    iat: issuedAt,
    sid: sessionId,
    tokenType: 'access_token',
  };
}

function activeRefresh({ tenantId, environment }: Scope, state: RefreshTokenState): TokenState {
  return {
    active: true,
    sub: state.memberId,
    tenantId,
    environment,
    exp: Math.floor(state.expiresAt.getTime() / 1000),
    iat: Math.floor(state.issuedAt.getTime() / 1000),
    sid: state.familyId,
    tokenType: 'refresh_token',
  };
}

/** Tokens are handed to a tenant's backend, which comes with a key. */
function keyOf({ key }: Caller): string {
  if (!key) throw new AppError('FORBIDDEN', 'Tokens are exchanged by an API key alone');
  return key.id;
}
