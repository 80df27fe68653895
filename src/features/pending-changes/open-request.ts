/** The request of a change that waits, as it is sealed. */
import type { Scope } from '../../db/scope.ts';
import type { Cipher } from '../../encryption.ts';
import type { SentRequest } from '../../http/held-back.ts';

export interface KeptRequest extends SentRequest {
  /** What each field was when the change was asked for. */
  before: Record<string, string>;
}

const placeOf = ({ tenantId, environment }: Scope, id: string): readonly string[] => [
  'pending_change',
  tenantId,
  environment,
  id,
  'request',
];

export function sealRequest(cipher: Cipher, scope: Scope, id: string, request: KeptRequest): Buffer {
  return cipher.encrypt(Buffer.from(JSON.stringify(request)), placeOf(scope, id));
}

export function openRequest(cipher: Cipher, scope: Scope, id: string, sealed: Buffer): KeptRequest {
  return JSON.parse(cipher.decrypt(sealed, placeOf(scope, id)).toString()) as KeptRequest;
}
