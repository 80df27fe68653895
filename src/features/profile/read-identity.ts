/** Who a member is, for a provider that has to know and for what is verified: the readers of the whole ID number beside the data export. */
import type { Frames } from '../../db/frame.ts';
import type { Cipher } from '../../encryption.ts';
import { idNumberPlace } from './open/id-number.ts';
import type { IdentityDigester } from './open/identity-digest.ts';
import type { DigestIdentity, ReadIdentity } from './open/profile.ts';
import { identityStatement } from './profile-queries.ts';

/** Undefined: no such member. */
export function createIdentityReader({ frames, cipher }: { frames: Frames; cipher: Cipher }): ReadIdentity {
  return async (scope, memberId) => {
    const [row] = await frames.readOnce(scope, identityStatement(scope, { memberId }));
    if (!row) return undefined;
    const { idNumberSealed, ...identity } = row;
    const idNumber = idNumberSealed && cipher.decrypt(idNumberSealed, idNumberPlace(scope, memberId)).toString();
    return { ...identity, idNumber };
  };
}

export function createIdentityDigest({ cipher, digester }: { cipher: Cipher; digester: IdentityDigester }): DigestIdentity {
  return async (db, scope, memberId) => {
    const row = await db.row(identityStatement(scope, { memberId }));
    if (!row) throw new Error('a verified member vanished');
    const { idNumberSealed } = row;
    const idNumber = idNumberSealed && cipher.decrypt(idNumberSealed, idNumberPlace(scope, memberId)).toString();
    return digester.digest(scope, memberId, { ...row, idNumber });
  };
}
