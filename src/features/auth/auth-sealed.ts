/** The keys that sign access tokens, which are sealed. */
import type { Sealed } from '../../house/sealed.ts';

/** What the ciphertext of a key is bound to. */
export function signingKeyPlace(kid: string): readonly string[] {
  return ['signing_key', kid];
}

export const authSealed: readonly Sealed[] = [
  { kind: 'keys', table: 'signing_key', id: 'kid', column: 'private_sealed', place: signingKeyPlace },
];
