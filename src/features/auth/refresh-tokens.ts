/** Refresh tokens as texts: drawn, derived from the one before, and hashed for storage. */
import { createHash, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';

export interface RefreshTokens {
  draw(): string;
  /** What a token is exchanged for: always the same, so that a repeat whose answer was lost gets it again. */
  successorOf(token: string): string;
}

const PREFIX = 'svcr_';
const FORM = /^svcr_[A-Za-z0-9_-]{43}$/;

export function isRefreshToken(token: string): boolean {
  return FORM.test(token);
}

/** The stored form. A token is 32 random bytes, or as hard to guess as the pepper: no salt is needed. */
export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function createRefreshTokens(pepper: Buffer): RefreshTokens {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', 'refresh-successor', 32)));
  return {
    draw: () => PREFIX + randomBytes(32).toString('base64url'),
    successorOf: (token) => PREFIX + createHmac('sha256', key).update(token).digest('base64url'),
  };
}
