/** Whose webhook secret a delivery of the KYC vendor was signed with. Source: docs/specification/webhooks.md#kyc-signature. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Environment } from '../../../db/scope.ts';
import type { DigestAlg, WebhookSecrets } from './kyc-settings.ts';

const HASHES: Readonly<Record<DigestAlg, string>> = {
  HMAC_SHA256_HEX: 'sha256',
  HMAC_SHA512_HEX: 'sha512',
  HMAC_SHA1_HEX: 'sha1',
};

/** What the vendor signs with unless it says otherwise. */
const USUAL: DigestAlg = 'HMAC_SHA256_HEX';

/** Two environments, a present and a previous secret each: as many digests are made whoever is named. */
const MOST_SECRETS = 4;
const STAND_IN = randomBytes(32).toString('hex');

export interface SignedDelivery {
  rawBody: Buffer;
  /** The header x-payload-digest: hex, in either case. */
  digest: string | undefined;
  /** The header x-payload-digest-alg. */
  algorithm: string | undefined;
}

/**
 * The environments that have a secret which signed the delivery; none for a tenant without secrets.
 * The header never chooses an algorithm that the environment does not allow.
 */
export function findSigners(candidates: readonly WebhookSecrets[], delivery: SignedDelivery): Environment[] {
  const algorithm = toDigestAlg(delivery.algorithm ?? USUAL);
  const expected = candidates.flatMap(({ environment, secrets, allowedDigestAlgs }) => {
    const allowed = algorithm !== undefined && allowedDigestAlgs.includes(algorithm);
    return secrets.map((secret) => ({ environment, secret, allowed }));
  });
  const signers = new Set<Environment>();
  const given = toBytes(delivery.digest);
  for (let i = 0; i < Math.max(MOST_SECRETS, expected.length); i++) {
    const { environment, secret, allowed } = expected[i] ?? { secret: STAND_IN, allowed: false };
    const made = createHmac(HASHES[algorithm ?? USUAL], secret)
      .update(delivery.rawBody)
      .digest();
    const equal = given.length === made.length && timingSafeEqual(given, made);
    if (equal && allowed && environment !== undefined) signers.add(environment);
  }
  return [...signers];
}

function toDigestAlg(name: string): DigestAlg | undefined {
  return Object.hasOwn(HASHES, name) ? (name as DigestAlg) : undefined;
}

/** Empty for what is not hex as a whole: Buffer.from would stop at the first other character. */
function toBytes(digest: string | undefined): Buffer {
  return digest !== undefined && /^(?:[0-9a-f]{2})+$/i.test(digest) ? Buffer.from(digest, 'hex') : Buffer.alloc(0);
}
