/** Tokens by hand, so that they can be wrong in every way; JOSE libraries refuse to make most of these. */
import { generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';

export interface SigningKey {
  kid: string;
  publicJwk: JsonWebKey;
  privateKey: KeyObject;
}

export function newSigningKey(kid: string): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid, privateKey, publicJwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256' } };
}

export const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** Signed with ES256, whatever the header says. Header and payload are objects, or JSON text that need not be sound. */
export function mintToken(header: object | string, payload: object | string, { privateKey }: SigningKey): string {
  const text = (part: object | string): string => base64url(typeof part === 'string' ? part : JSON.stringify(part));
  const input = `${text(header)}.${text(payload)}`;
  return `${input}.${sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}
