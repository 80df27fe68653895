/**
 * One-time codes of an authenticator app. Sources: RFC 6238, RFC 4226 §5.3,
 * docs/specification/people-factors.md#codes.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
const DIGITS = 6;
/** So many steps a phone's clock may be off, either way. */
const DRIFT = 1;

/** As long as the hash is: RFC 4226 §4, R6. */
const SECRET_BYTES = 20;

export function newSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** The number of the time step that a moment lies in. */
export function stepAt(at: Date): number {
  return Math.floor(at.getTime() / STEP_MS);
}

/** The code of a step. `digits` is another number in the vectors of RFC 6238 only. */
export function codeOf(secret: Buffer, step: number, digits: number = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest[digest.length - 1] ?? 0) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

export interface Tried {
  secret: Buffer;
  /** As it was typed; spaces do not count. */
  code: string;
  at: Date;
  /** The step of the code that was taken last: it and those before are used up. */
  lastStep: number | null;
}

/** The step that the code is of, when it is good now and was not used; undefined otherwise. */
export function matchStep({ secret, code, at, lastStep }: Tried): number | undefined {
  const typed = Buffer.from(code.replace(/\s/g, ''));
  if (typed.length !== DIGITS) return undefined;
  const now = stepAt(at);
  let found: number | undefined;
  // All are compared, whichever matches: the time tells nothing.
  for (let step = now - DRIFT; step <= now + DRIFT; step++) {
    const same = timingSafeEqual(Buffer.from(codeOf(secret, step)), typed);
    if (same && step > (lastStep ?? -1)) found ??= step;
  }
  return found;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 without padding, as apps take a secret that is typed. Source: RFC 4648 §6. */
export function base32Of(bytes: Buffer): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(held >> (bits - 5)) & 31];
  }
  return bits === 0 ? text : text + ALPHABET[(held << (5 - bits)) & 31];
}

/** What an app reads from the QR code. `issuer` is the tenant, `account` the person's address. */
export function otpauthUri({ secret, issuer, account }: { secret: Buffer; issuer: string; account: string }): string {
  // A colon parts the two of the label.
  const label = [issuer, account].map((part) => encodeURIComponent(part.replaceAll(':', ' '))).join(':');
  const said = { secret: base32Of(secret), issuer, algorithm: 'SHA1', digits: String(DIGITS), period: String(STEP_MS / 1_000) };
  const query = Object.entries(said).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `otpauth://totp/${label}?${query.join('&')}`;
}
