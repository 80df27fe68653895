/** The client secret at the tenant's own provider, which is sealed. */
import type { Scope } from '../../../db/scope.ts';
import type { Sealed } from '../../../house/sealed.ts';

/** What the ciphertext is bound to. */
export function clientSecretPlace({ tenantId, environment }: Scope): readonly string[] {
  return [tenantId, environment, 'staff_provider', 'client_secret'];
}

export const ssoSealed: readonly Sealed[] = [
  { kind: 'settings', table: 'staff_provider', columns: [{ column: 'client_secret_sealed', place: clientSecretPlace }] },
];
