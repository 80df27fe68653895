/** The head that dropped blocks leave: from it the verification goes on. Source: docs/specification/conventions.md#audit-retention. */
import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Scope } from '../../db/scope.ts';

/** The last block that was dropped. */
export interface AuditHead {
  seq: bigint;
  /** In hexadecimal. */
  hash: string;
  /** Entries that were dropped, all together. */
  entries: bigint;
  /** When the newest of them was written, in microseconds since 1970. */
  newestAt: bigint;
}

export interface HeadSigner {
  sign(scope: Scope, head: AuditHead): Buffer;
  isSigned(scope: Scope, head: AuditHead, signature: Buffer): boolean;
}

/** By a key made of the deployment's pepper: whoever writes to the database alone cannot make a head. */
export function createHeadSigner(pepper: Buffer): HeadSigner {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', 'audit-head', 32)));
  const sign: HeadSigner['sign'] = ({ tenantId, environment }, { seq, hash, entries, newestAt }) =>
    createHmac('sha256', key)
      .update(JSON.stringify([tenantId, environment, String(seq), hash, String(entries), String(newestAt)]))
      .digest();
  return {
    sign,
    isSigned: (scope, head, signature) => signature.length === 32 && timingSafeEqual(sign(scope, head), signature),
  };
}
