/** Who a member is, for a provider that has to know: the one reader of the whole ID number beside the data export. */
import type { Frames, Scope } from '../../db/frame.ts';
import type { Cipher } from '../../encryption.ts';
import { idNumberPlace } from './id-number.ts';
import { type IdentityRow, identityStatement } from './profile-queries.ts';

export interface Identity extends Omit<IdentityRow, 'idNumberSealed'> {
  idNumber: string | null;
}

export type ReadIdentity = (scope: Scope, memberId: string) => Promise<Identity | undefined>;

/** Undefined: no such member. */
export function createIdentityReader({ frames, cipher }: { frames: Frames; cipher: Cipher }): ReadIdentity {
  return async (scope, memberId) => {
    const [row] = await frames.readOnce(scope, identityStatement(scope.tenantId, scope.environment, memberId));
    if (!row) return undefined;
    const { idNumberSealed, ...identity } = row;
    const idNumber = idNumberSealed && cipher.decrypt(idNumberSealed, idNumberPlace(scope, memberId)).toString();
    return { ...identity, idNumber };
  };
}
