/** Telling who sends no x-tenant-api-key where the key was put instead. Nothing that was sent is shown, but a header's name. */
import type { Request } from 'express';

const OURS = /\bsvc_(?:live|sandbox)_/;

/** By which other services take keys. */
const NAMES_OF_OTHERS = new Set([
  'x-api-key',
  'api-key',
  'apikey',
  'x-apikey',
  'x-tenant-key',
  'tenant-api-key',
  'x-tenant-apikey',
]);

export const MISSING_KEY = 'The x-tenant-api-key header is missing';

export function describeMissingKey(req: Request): string {
  const { authorization, ...others } = req.headers;
  if (authorization !== undefined && OURS.test(authorization)) {
    return `${MISSING_KEY}. The API key was sent as Authorization: send it in x-tenant-api-key alone, without Bearer`;
  }
  const names = Object.keys(others);
  const name = names.find((one) => OURS.test(String(others[one]))) ?? names.find((one) => NAMES_OF_OTHERS.has(one));
  if (name !== undefined) return `${MISSING_KEY}. The header ${name.slice(0, 60)} is not read: send the key in x-tenant-api-key`;
  if (OURS.test(req.originalUrl)) {
    return `${MISSING_KEY}. A key was sent in the address, which others may have logged: roll it, and send the new one in x-tenant-api-key`;
  }
  return authorization === undefined
    ? MISSING_KEY
    : `${MISSING_KEY}. Authorization takes a member's access token, beside the key and not instead of it`;
}

/** The same of a key that is in the right header and is not one. */
export function describeInvalidKey(key: string): string {
  return /^(?:Bearer|Basic|Token)\s/i.test(key)
    ? 'The API key is not valid: x-tenant-api-key takes the key alone, without a word before it'
    : 'The API key is not valid';
}

/** The same of a bearer token that is an API key. */
export function describeNoToken(authorization: string): string | undefined {
  return OURS.test(authorization)
    ? "Authorization takes a member's access token, and an API key was sent: that goes in x-tenant-api-key alone"
    : undefined;
}
