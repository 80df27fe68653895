/**
 * Who a token of an external provider is about. Sources: OpenID Connect Core §3.1.3.7, RFC 8725,
 * docs/specification/identity.md#external-token.
 */
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { AppError } from '../../errors.ts';
import type { OutgoingClient } from '../../outgoing/outgoing-client.ts';
import { TOKEN_ALGORITHMS } from './key-set.ts';
import type { ExternalIdentity, TrustedIssuer, VerifyExternalToken } from './open/external-token.ts';
import { createProviderKeys, type ProviderKeys } from './provider-keys.ts';
import { hasTokenShape } from './token-shape.ts';

const CLOCK_TOLERANCE_S = 30;
const MAX_TOKEN_AGE = '10m';
/** Of a token that is good for longer the provider has lost sight. */
const MAX_LIFETIME_S = 24 * 3_600;
const MAX_SUBJECT = 255;

export function createTokenVerifier(outgoing: OutgoingClient, now: () => number = Date.now): VerifyExternalToken {
  const keys = createProviderKeys(outgoing, now);
  return async (provider, token) => {
    const payload = await readPayload(keys, provider, token, new Date(now()));
    if (!payload || !isForUs(provider, payload)) throw new AppError('INVALID_TOKEN', 'The token is not valid');
    const { iat = 0, exp = 0 } = payload;
    const nonce = textOf(payload['nonce']);
    const read = { ...identityOf(payload), mark: markOf(token, payload), issuedAt: iat, expiresAt: exp };
    return nonce === null ? read : { ...read, nonce };
  };
}

/** The claims of a token that holds; undefined for any other. */
async function readPayload(
  keys: ProviderKeys,
  provider: TrustedIssuer,
  token: string,
  at: Date,
): Promise<JWTPayload | undefined> {
  if (!hasTokenShape(token)) return undefined;
  const current = await usable(keys.current(provider));
  try {
    return await verifyWith(current, provider, token, at);
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) return refused(error);
  }
  const newer = await usable(keys.newer(provider, current));
  return newer && verifyWith(newer, provider, token, at).catch(refused);
}

/** Nothing for a fault of the token; what is not one is thrown. */
function refused(error: unknown): undefined {
  if (error instanceof errors.JOSEError) return undefined;
  throw error;
}

/** Why a provider cannot be used is for its tenant to see, not for whoever holds a token. */
async function usable<Keys>(keys: Promise<Keys>): Promise<Keys> {
  try {
    return await keys;
  } catch (error) {
    throw new AppError('PROVIDER_UNAVAILABLE', 'The keys of the provider cannot be read', { cause: error });
  }
}

async function verifyWith(keys: JWTVerifyGetKey, provider: TrustedIssuer, token: string, currentDate: Date): Promise<JWTPayload> {
  const options = {
    issuer: provider.issuerUrl,
    audience: [...provider.allowedAudiences],
    algorithms: TOKEN_ALGORITHMS,
    clockTolerance: CLOCK_TOLERANCE_S,
    maxTokenAge: MAX_TOKEN_AGE,
    requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
    currentDate,
  };
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // A set whose keys have no names: each of them, 100 at most, may be the one.
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (failed) {
        if (!(failed instanceof errors.JWSSignatureVerificationFailed)) throw failed;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/** What jose leaves open: every audience is known to the tenant, the life is not endless, the subject can be stored. */
function isForUs({ allowedAudiences }: TrustedIssuer, { aud, azp, exp = 0, iat = 0, sub = '' }: JWTPayload): boolean {
  const audiences = [aud ?? []].flat();
  if (!audiences.every((audience) => allowedAudiences.includes(audience))) return false;
  if (audiences.length > 1 && azp !== undefined && !(allowedAudiences as unknown[]).includes(azp)) return false;
  if (exp - iat > MAX_LIFETIME_S) return false;
  return typeof sub === 'string' && sub.length <= MAX_SUBJECT && textOf(sub) === sub;
}

/** Not the whole token: an ECDSA signature can be written in several ways. */
function markOf(token: string, { jti }: JWTPayload): string {
  return typeof jti === 'string' && jti !== '' ? `id ${jti}` : `signed ${token.slice(0, token.lastIndexOf('.'))}`;
}

function identityOf(payload: JWTPayload): ExternalIdentity {
  const verified = payload['email_verified'];
  return {
    subject: payload.sub ?? '',
    email: textOf(payload['email']),
    emailVerified: verified === undefined ? null : verified === true || verified === 'true', // some providers send the word
    name: textOf(payload['name']),
    givenName: textOf(payload['given_name']),
    surname: textOf(payload['family_name']),
  };
}

/** Text that says something and can be stored; null for anything else. */
function textOf(claim: unknown): string | null {
  if (typeof claim !== 'string' || claim.trim() === '') return null;
  return claim.isWellFormed() && !/\p{Cc}/u.test(claim) ? claim : null;
}
