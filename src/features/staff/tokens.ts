/** Values that only their holder knows: 256 random bits, of which the SHA-256 is stored. */
import { createHash, randomBytes } from 'node:crypto';

const FORM = /^[A-Za-z0-9_-]{43}$/;

export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: createHash('sha256').update(token).digest() };
}

/** Undefined of what has no token's form: nobody has to be asked for it. */
export function hashOfToken(token: string): Buffer | undefined {
  return FORM.test(token) ? createHash('sha256').update(token).digest() : undefined;
}
