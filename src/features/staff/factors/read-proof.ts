/** What a form sends as a second factor, read. */
import type { FactorProof } from '../open/factors.ts';
import { type AuthenticationAnswer, authenticationResponse } from './passkey-checks.ts';

export type ReadProof =
  | { method: 'passkey'; response: AuthenticationAnswer }
  | { method: 'totp'; code: string }
  | { method: 'recovery_code'; code: string };

const LONGEST_CODE = 64;

/** Undefined of what is no proof at all: it is neither looked at nor counted as a guess. */
export function readProof({ method, answer }: FactorProof): ReadProof | undefined {
  if (method !== 'passkey') return answer.length > LONGEST_CODE ? undefined : { method, code: answer };
  try {
    const { success, data } = authenticationResponse.safeParse(JSON.parse(answer));
    return success ? { method, response: data } : undefined;
  } catch {
    return undefined; // no JSON
  }
}
