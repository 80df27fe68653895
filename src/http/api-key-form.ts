/** What an API key looks like. Source: docs/specification/tenancy.md#stored-keys. */
import { crc32 } from 'node:zlib';
import type { Environment } from '../db/scope.ts';

const PREFIX: Record<Environment, string> = { LIVE: 'svc_live_', SANDBOX: 'svc_sandbox_' };

/** 256 bits in base64url, and behind them the checksum, which keys made before there was one do not have. */
const FORM = /^svc_(?:live|sandbox)_[A-Za-z0-9_-]{43}([0-9A-Za-z]{6})?$/;

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_LENGTH = 6;

/** The key of so many random bytes. */
export function spellApiKey(environment: Environment, random: Buffer): string {
  const body = PREFIX[environment] + random.toString('base64url');
  return body + checksumOf(body);
}

/** Whether it can be a key at all. One that was mistyped or cut is told without asking the database. */
export function isApiKeyForm(text: string): boolean {
  const form = FORM.exec(text);
  if (!form) return false;
  const [, checksum] = form;
  return checksum === undefined || checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === checksum;
}

/** CRC-32 of what stands before, as six digits of base 62. */
function checksumOf(body: string): string {
  const digits: string[] = [];
  for (let rest = crc32(body); digits.length < CHECKSUM_LENGTH; rest = Math.floor(rest / DIGITS.length)) {
    digits.unshift(DIGITS.charAt(rest % DIGITS.length));
  }
  return digits.join('');
}
