/** Recovery codes as texts, and by what they are known again. Source: docs/specification/people-factors.md#recovery. */
import { createHmac, createSecretKey, hkdfSync, randomInt } from 'node:crypto';

export const RECOVERY_CODES = 10;

/** Without letters and digits that are taken for one another. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const GROUPS = 3;
const GROUP = 4;

/** Twelve characters of 31: 59 bits, behind the limits on guessing. */
function draw(): string {
  const group = (): string => Array.from({ length: GROUP }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** A set of new ones, all different. */
export function drawRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) codes.add(draw());
  return [...codes];
}

/** The stored form, keyed: the database alone does not tell a code. Case, spaces and hyphens of what was typed do not count. */
export function createRecoveryDigests(pepper: Buffer): (staffId: string, code: string) => Buffer {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', 'staff-recovery-code', 32)));
  return (staffId, code) => {
    const plain = code.toLowerCase().replace(/[\s-]/g, '');
    return createHmac('sha256', key)
      .update(JSON.stringify([staffId, plain]))
      .digest();
  };
}
