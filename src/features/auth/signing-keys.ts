/**
 * The keys that sign access tokens: Ed25519, made at first use, the private half stored sealed. A new
 * key signs at once where it is made and within a minute on every other instance; the one before it
 * stays published for a day. Source: docs/specification/identity.md#signing-keys.
 */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Frames } from '../../db/frame.ts';
import type { Cipher } from '../../encryption.ts';
import { signingKeyPlace } from './auth-sealed.ts';
import {
  insertFirstKeyStatement,
  type NewKey,
  type PublicJwk,
  publishedKeysStatement,
  replaceKeyStatement,
  type SigningKeyRow,
} from './signing-keys-queries.ts';

export interface SigningKeys {
  /** The key that signs now. */
  signer(): Promise<{ kid: string; key: KeyObject }>;
  /** The public half of a published key. */
  find(kid: string): Promise<KeyObject | undefined>;
  /** All published keys, the newest first. */
  list(): Promise<PublicJwk[]>;
  /** Makes a new key the signing one; returns the kid of the key that signs then. */
  rotate(): Promise<string>;
}

interface KeySet {
  active: { kid: string; key: KeyObject };
  published: PublicJwk[];
  byKid: Map<string, KeyObject>;
}

const CACHE_MS = 60_000;
/** A token of a key that was just made elsewhere is looked up anew; tokens of no key at all must not be, each time. */
const UNKNOWN_KID_MS = 1_000;

export function createSigningKeys({ frames, cipher }: { frames: Frames; cipher: Cipher }): SigningKeys {
  let cached: { at: number; keys: Promise<KeySet> } | undefined;

  function keys(maxAgeMs: number): Promise<KeySet> {
    const now = performance.now();
    if (cached && now - cached.at < maxAgeMs) return cached.keys;
    const reading = read();
    cached = { at: now, keys: reading };
    reading.catch(() => {
      if (cached?.keys === reading) cached = undefined;
    });
    return reading;
  }

  async function read(): Promise<KeySet> {
    let rows = await frames.unscoped(publishedKeysStatement());
    if (!rows.some((row) => row.active)) {
      await frames.unscoped(insertFirstKeyStatement(newKey()));
      rows = await frames.unscoped(publishedKeysStatement());
    }
    const active = rows.find((row) => row.active);
    if (!active) throw new Error('there is no signing key');
    return {
      active: { kid: active.kid, key: open(active) },
      published: rows.map((row) => row.public_jwk),
      byKid: new Map(rows.map((row) => [row.kid, createPublicKey({ key: { ...row.public_jwk }, format: 'jwk' })])),
    };
  }

  function open({ kid, private_sealed: sealed }: SigningKeyRow): KeyObject {
    return createPrivateKey({ key: cipher.decrypt(sealed, signingKeyPlace(kid)), format: 'der', type: 'pkcs8' });
  }

  function newKey(): NewKey {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { x = '' } = publicKey.export({ format: 'jwk' });
    const kid = thumbprintOf(x);
    const jwk: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
    const sealed = cipher.encrypt(privateKey.export({ format: 'der', type: 'pkcs8' }), signingKeyPlace(kid));
    return { kid, publicJwk: JSON.stringify(jwk), privateSealed: sealed };
  }

  return {
    async signer() {
      return (await keys(CACHE_MS)).active;
    },
    async find(kid) {
      return (await keys(CACHE_MS)).byKid.get(kid) ?? (await keys(UNKNOWN_KID_MS)).byKid.get(kid);
    },
    async list() {
      return (await keys(CACHE_MS)).published;
    },
    async rotate() {
      await frames.unscoped(replaceKeyStatement(newKey()));
      cached = undefined;
      return (await keys(CACHE_MS)).active.kid;
    },
  };
}

/** RFC 7638, with the members that RFC 8037 names. */
function thumbprintOf(x: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
}
