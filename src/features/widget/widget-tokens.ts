/** The texts that open a session of the widget: 256 random bits, of which the SHA-256 is stored. */
import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'mwt_';
const FORM = /^mwt_[A-Za-z0-9_-]{43}$/;

export function drawWidgetToken(): { token: string; hash: Buffer } {
  const token = PREFIX + randomBytes(32).toString('base64url');
  return { token, hash: hashOf(token) };
}

/** Undefined of what has no token's form: nobody has to be asked for it. */
export function hashOfWidgetToken(token: string): Buffer | undefined {
  return FORM.test(token) ? hashOf(token) : undefined;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
