/** Default referral codes: ten random characters that are not mistaken for each other when read aloud. */
import { randomInt } from 'node:crypto';

const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 10;

/** 30^10 codes: a clash within a tenant is rare, found by the unique key, and answered by another draw. */
export function drawReferralCode(): string {
  let code = '';
  for (let i = 0; i < LENGTH; i++) code += ALPHABET[randomInt(ALPHABET.length)];
  return code;
}
