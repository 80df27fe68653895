/**
 * Access tokens: RFC 9068 JWTs for this API, signed by us, good for 15 minutes and only as long as
 * their session (sid) is. Source: docs/specification/identity.md#access-token.
 */
import { randomUUID } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import type { Scope } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import { uuid } from '../../http/schemas.ts';
import type { SigningKeys } from './signing-keys.ts';

export const ACCESS_TOKEN_SECONDS = 900;

/** Ours have about 600 characters. */
const MAX_LENGTH = 4_096;

export interface AccessClaims extends Scope {
  memberId: string;
  sessionId: string;
  /** Seconds since 1970, by the clock of the instance that signed. */
  issuedAt: number;
  expiresAt: number;
}

export type AccessSubject = Pick<AccessClaims, 'tenantId' | 'environment' | 'memberId' | 'sessionId'>;

export interface AccessTokens {
  /** What signs with the key of now. Fetched before a transaction, used in it: it needs no database. */
  signer(): Promise<(subject: AccessSubject) => Promise<string>>;
  /** What a token of ours says. INVALID_TOKEN; whether its session still is, is not asked. */
  read(token: string, options?: { evenExpired?: boolean }): Promise<AccessClaims>;
}

class UnknownKey extends Error {}

export function invalidToken(cause?: unknown): AppError {
  return new AppError('INVALID_TOKEN', 'The token is not valid', { cause });
}

/** `issuer` is both `iss` and `aud`: the deployment issues tokens for itself. */
export function createAccessTokens({ keys, issuer }: { keys: SigningKeys; issuer: string }): AccessTokens {
  return {
    async signer() {
      const { kid, key } = await keys.signer();
      return ({ tenantId, environment, memberId, sessionId }) => {
        const issuedAt = Math.floor(Date.now() / 1000);
        return new SignJWT({ tid: tenantId, env: environment, sid: sessionId })
          .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
          .setIssuer(issuer)
          .setAudience(issuer)
          .setSubject(memberId)
          .setJti(randomUUID())
          .setIssuedAt(issuedAt)
          .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
          .sign(key);
      };
    },

    async read(token, { evenExpired = false } = {}) {
      if (token.length > MAX_LENGTH) throw invalidToken();
      try {
        const { payload } = await jwtVerify(
          token,
          async ({ kid }) => {
            const key = typeof kid === 'string' ? await keys.find(kid) : undefined;
            if (!key) throw new UnknownKey();
            return key;
          },
          {
            algorithms: ['EdDSA'],
            typ: 'at+jwt',
            issuer,
            audience: issuer,
            requiredClaims: ['sub', 'jti', 'iat', 'exp'],
            ...(evenExpired ? { currentDate: new Date(0) } : {}),
          },
        );
        return toClaims(payload);
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof UnknownKey) throw invalidToken(error);
        throw error;
      }
    },
  };
}

const claimsOf = z.object({
  sub: uuid,
  tid: uuid,
  env: z.enum(['LIVE', 'SANDBOX']),
  sid: uuid,
  iat: z.number(),
  exp: z.number(),
});

/** Whoever else signs with our key, by mistake, must not reach the database with what it says. */
function toClaims(payload: JWTPayload): AccessClaims {
  const { data, error } = claimsOf.safeParse(payload);
  if (!data) throw invalidToken(error);
  return {
    memberId: data.sub,
    tenantId: data.tid,
    environment: data.env,
    sessionId: data.sid,
    issuedAt: data.iat,
    expiresAt: data.exp,
  };
}
