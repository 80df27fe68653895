/**
 * A provider's public keys (JWK Set, RFC 7517), and which of them may sign a token for us. Sources:
 * docs/specification/identity.md#key-set, RFC 8725 §3.
 */
import { createPublicKey, type KeyObject } from 'node:crypto';
import type { JWK } from 'jose';
import { z } from 'zod';

/** Never `none`, and never a shared secret, which a public key could be taken for. */
export const TOKEN_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA'];

const MAX_KEYS = 100;
const MIN_RSA_BITS = 2048;
/** Larger ones only cost us time. */
const MAX_RSA_BITS = 8192;
const CURVES = new Set(['prime256v1', 'secp384r1']);
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

const jwkSet = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

export type KeySetFault = 'not_a_key_set' | 'too_many_keys' | 'symmetric_key' | 'private_key' | 'no_usable_key';

export type KeySet = { fault: KeySetFault } | { keys: JWK[] };

/** The keys that may sign. A set that shows a secret is refused whole: whoever has read it could sign too. */
export function readKeySet(body: unknown): KeySet {
  const parsed = jwkSet.safeParse(body);
  if (!parsed.success) return { fault: 'not_a_key_set' };
  const { keys } = parsed.data;
  if (keys.length > MAX_KEYS) return { fault: 'too_many_keys' };
  if (keys.some((key) => key['kty'] === 'oct')) return { fault: 'symmetric_key' };
  if (keys.some((key) => PRIVATE_MEMBERS.some((member) => member in key))) return { fault: 'private_key' };
  const usable = keys.filter(maySign) as JWK[];
  return usable.length === 0 ? { fault: 'no_usable_key' } : { keys: usable };
}

function maySign(jwk: Record<string, unknown>): boolean {
  if (jwk['use'] !== undefined && jwk['use'] !== 'sig') return false;
  if (jwk['alg'] !== undefined && !(TOKEN_ALGORITHMS as unknown[]).includes(jwk['alg'])) return false;
  if (Array.isArray(jwk['key_ops']) && !jwk['key_ops'].includes('verify')) return false;
  if (jwk['kid'] !== undefined && typeof jwk['kid'] !== 'string') return false;
  const key = importKey(jwk);
  const { modulusLength = 0, namedCurve = '' } = key?.asymmetricKeyDetails ?? {};
  switch (key?.asymmetricKeyType) {
    case 'rsa':
      return modulusLength >= MIN_RSA_BITS && modulusLength <= MAX_RSA_BITS;
    case 'ec':
      return CURVES.has(namedCurve);
    case 'ed25519':
      return true;
    default:
      return false;
  }
}

function importKey(jwk: Record<string, unknown>): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return undefined; // of a kind that does not exist, or not a key at all
  }
}
