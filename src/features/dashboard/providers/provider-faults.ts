/** Why a provider cannot be used, in words, with what to do about it. */
import { AppError, invalidField } from '../../../errors.ts';

const REACH = 'It may pass by itself: test again in a minute. Otherwise look whether the address is typed right.';

/** By the reason that the operation names. */
const ADVICE: Readonly<Record<string, string>> = {
  blocked_address: 'Providers are asked on the public internet. Whoever operates this service can allow a host of your own.',
  unknown_host: 'Look whether the name is typed right, and whether it is public.',
  connection: REACH,
  timeout: REACH,
  server_error: REACH,
  certificate: 'Its certificate must be of a public authority, and not out of date.',
  redirect: 'Type the address that it leads to: redirects are not followed.',
  status: 'Open the address in a browser: it must answer without anybody signed in.',
  content_type: 'It must answer as application/json.',
  encoded: 'It must answer without compression, for it is not asked for any.',
  too_large: 'Is the address that of a page in place of the document?',
  not_json: 'Is the address that of a page in place of the document?',
  not_a_discovery_document: 'The issuer is the address in front of /.well-known/openid-configuration.',
  other_issuer: 'Type the issuer exactly as the document names it, with or without the slash at its end.',
  not_a_key_set: 'The address of the keys must be that of a JWK Set.',
  symmetric_key: 'Have the provider sign with RSA, ECDSA or EdDSA: a shared secret would let anybody sign who can check.',
  private_key: 'Tell whoever runs the provider at once: its private key is public.',
  no_usable_key: 'Have the provider sign with RSA from 2048 bits, P-256, P-384 or Ed25519.',
};

export interface ProviderFault {
  /** What was found. */
  message: string;
  advice: string | undefined;
  /** The field of the form that it is about. */
  field: 'issuerUrl' | 'jwksUri';
}

/** Of an error that the provider is the cause of; undefined of any other. */
export function providerFault(thrown: unknown): ProviderFault | undefined {
  if (!(thrown instanceof AppError)) return undefined;
  if (thrown.code !== 'PROVIDER_CONFIGURATION' && thrown.code !== 'PROVIDER_UNAVAILABLE') return undefined;
  const { reason, at } = thrown.details ?? {};
  const advice = typeof reason === 'string' ? ADVICE[reason] : undefined;
  return { message: thrown.message, advice, field: at === 'jwks' ? 'jwksUri' : 'issuerUrl' };
}

/** What the form says beside its field; any other error as it is. */
export async function besideField<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (thrown) {
    const fault = providerFault(thrown);
    if (!fault) throw thrown;
    throw invalidField(fault.field, fault.advice === undefined ? fault.message : `${fault.message}. ${fault.advice}`);
  }
}
