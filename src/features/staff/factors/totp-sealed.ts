/** The secrets of authenticator apps, which are sealed. */
import type { Scope } from '../../../db/scope.ts';
import type { Sealed } from '../../../house/sealed.ts';

/** What the ciphertext of a row is bound to. */
export function totpPlace({ tenantId, environment }: Scope, id: string): readonly string[] {
  return [tenantId, environment, 'staff_totp', id];
}

export const factorsSealed: readonly Sealed[] = [
  { kind: 'rows', table: 'staff_totp', id: 'id', column: 'secret_sealed', place: totpPlace },
];
