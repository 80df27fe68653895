/** What the safeguard of an invitation is called: one for each address, of which it tells nothing. Source: docs/specification/two-hands.md#effects. */
import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { Scope } from '../../db/scope.ts';
import { normaliseEmail } from '../../http/schemas.ts';

const DIGEST_BYTES = 12;

export type FieldOfInvite = (scope: Scope, email: string) => string;

/** The address is nowhere to be found by it without the pepper, as the addresses that somebody tried to sign in with. */
export function createFieldOfInvite(pepper: Buffer): FieldOfInvite {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', 'staff-invites', 32)));
  return ({ tenantId }, email) => {
    const digest = createHmac('sha256', key)
      .update(`${tenantId}\0${normaliseEmail(email)}`)
      .digest();
    return `staff.invite.${digest.subarray(0, DIGEST_BYTES).toString('base64url')}`;
  };
}
