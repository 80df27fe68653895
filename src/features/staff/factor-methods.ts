import type { FactorMethod } from './open/sign-in.ts';
import type { LockedPerson } from './staff-queries.ts';

/** The second factors that a person may give. */
export function methodsOf({ hasPasskey, hasTotp }: Pick<LockedPerson, 'hasPasskey' | 'hasTotp'>): FactorMethod[] {
  const own: FactorMethod[] = [...(hasPasskey ? (['passkey'] as const) : []), ...(hasTotp ? (['totp'] as const) : [])];
  return own.length > 0 ? [...own, 'recovery_code'] : [];
}
