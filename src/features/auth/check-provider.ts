/** Asks a provider who it is and which keys it signs with. Source: OpenID Connect Discovery 1.0 §4. */
import type { JWK } from 'jose';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import type { OutgoingClient } from '../../outgoing/outgoing-client.ts';
import { OutgoingFault, type OutgoingReason } from '../../outgoing/outgoing-fault.ts';
import { type KeySetFault, readKeySet } from './key-set.ts';

const JSON_TYPES = ['application/json'];
const KEY_SET_TYPES = ['application/json', 'application/jwk-set+json'];

const discoveryDocument = z.object({ issuer: z.string(), jwks_uri: z.string() });

type Reason = OutgoingReason | KeySetFault | 'not_a_discovery_document' | 'other_issuer';

const messages: Record<KeySetFault | 'not_a_discovery_document' | 'other_issuer', string> = {
  not_a_discovery_document: 'The answer is no discovery document',
  other_issuer: 'The issuer that the provider names is not exactly issuerUrl',
  not_a_key_set: 'The answer is no JWK Set',
  too_many_keys: 'The JWK Set has more than 100 keys',
  symmetric_key: 'The JWK Set has a symmetric key',
  private_key: 'The JWK Set shows a private key',
  no_usable_key: 'The JWK Set has no key that may sign: RSA from 2048 bits, P-256, P-384 or Ed25519',
};

export interface CheckedProvider {
  /** As given, or the provider's own. */
  jwksUri: string;
  keys: JWK[];
}

/** PROVIDER_CONFIGURATION or PROVIDER_UNAVAILABLE with details {reason, at} when the provider cannot be used. */
export async function checkProvider(
  outgoing: OutgoingClient,
  { issuerUrl, jwksUri }: { issuerUrl: string; jwksUri: string | undefined },
): Promise<CheckedProvider> {
  const address = `${issuerUrl.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const body = await fetchFrom(outgoing, address, JSON_TYPES, 'discovery');
  const document = discoveryDocument.safeParse(body);
  if (!document.success) throw unusable('not_a_discovery_document', 'discovery');
  if (document.data.issuer !== issuerUrl) throw unusable('other_issuer', 'discovery');
  const keysAt = jwksUri ?? document.data.jwks_uri;
  return { jwksUri: keysAt, keys: await fetchKeys(outgoing, keysAt) };
}

/** The keys at an address that may sign. Throws as `checkProvider` does. */
export async function fetchKeys(outgoing: OutgoingClient, jwksUri: string): Promise<JWK[]> {
  const read = readKeySet(await fetchFrom(outgoing, jwksUri, KEY_SET_TYPES, 'jwks'));
  if ('fault' in read) throw unusable(read.fault, 'jwks');
  return read.keys;
}

type Place = 'discovery' | 'jwks';

async function fetchFrom(outgoing: OutgoingClient, address: string, types: readonly string[], at: Place): Promise<unknown> {
  try {
    return await outgoing.fetchJson(address, types);
  } catch (error) {
    if (!(error instanceof OutgoingFault)) throw error;
    throw refusal(error.unreachable ? 'PROVIDER_UNAVAILABLE' : 'PROVIDER_CONFIGURATION', error.message, error.reason, at, error);
  }
}

function unusable(reason: keyof typeof messages, at: Place): AppError {
  return refusal('PROVIDER_CONFIGURATION', messages[reason], reason, at);
}

function refusal(
  code: 'PROVIDER_CONFIGURATION' | 'PROVIDER_UNAVAILABLE',
  what: string,
  reason: Reason,
  at: Place,
  cause?: unknown,
): AppError {
  const where = at === 'discovery' ? 'of its discovery document' : 'of its keys';
  return new AppError(code, `The provider cannot be used: ${what} (${where})`, { details: { reason, at }, cause });
}
