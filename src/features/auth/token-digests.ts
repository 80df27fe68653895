/** By what a token of a provider is known again. Source: docs/specification/identity.md#one-token. */
import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';

/** What tells one token of a provider from another. */
export interface TokenMark {
  subject: string;
  /** The token's own id (`jti`), or what was signed, where it has none. */
  mark: string;
}

/** Keyed, so that the database alone does not tell whose token it was. The parts are JSON, so none can run into another. */
export function createTokenDigests(pepper: Buffer): (providerId: string, token: TokenMark) => Buffer {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', 'exchanged-token', 32)));
  return (providerId, { subject, mark }) =>
    createHmac('sha256', key)
      .update(JSON.stringify([providerId, subject, mark]))
      .digest();
}
