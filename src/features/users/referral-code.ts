/** Default referral codes: ten random characters that are not mistaken for each other when read aloud. */
import { randomInt } from 'node:crypto';
import { violates } from '../../db/constraints.ts';

const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 10;
const MAX_DRAWS = 3;

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
