/** Referral codes: drawn ones of ten random characters that are not mistaken for each other when read aloud, and those of one's own. */
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { violates } from '../../../db/constraints.ts';

const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 10;
const MAX_DRAWS = 3;

const CUSTOM_CODE = '^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$';

/** Its letters are ASCII before they become upper case: other letters would become some of these. */
export const customCode = z
  .string()
  .min(3, 'must have at least 3 characters')
  .max(32, 'must have at most 32 characters')
  .regex(new RegExp(CUSTOM_CODE), 'must be of letters A to Z, digits and single hyphens between them')
  .transform((code) => code.toUpperCase())
  .meta({ override: { type: 'string', minLength: 3, maxLength: 32, pattern: CUSTOM_CODE } });

/** 30^10 codes: a clash within a tenant is rare, found by the unique key, and answered by another draw. */
export function drawReferralCode(): string {
  let code = '';
  for (let i = 0; i < LENGTH; i++) code += ALPHABET[randomInt(ALPHABET.length)];
  return code;
}

/** Runs a transaction that draws a code, again when the code that it drew is taken. */
export async function withFreshCode<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let draw = 1; ; draw++) {
    try {
      return await write();
    } catch (error) {
      if (!violates(error, 'referral_code_code_key') || draw === MAX_DRAWS) throw error;
    }
  }
}
