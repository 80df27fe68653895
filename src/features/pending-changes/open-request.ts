/** The request of a change that waits, as it is sealed. */
import type { Scope } from '../../db/scope.ts';
import type { Cipher } from '../../encryption.ts';
import type { SentRequest, ShownValues } from '../../http/held-back.ts';
import type { PendingChange, PendingField } from './open/pending-change.ts';

export interface KeptRequest extends SentRequest {
  /** What each field was when the change was asked for. */
  before: Record<string, string>;
  /** What is shown of fields while the change waits, in place of what is stored in the clear. */
  shown?: Record<string, ShownValues>;
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

/** The change with what is kept sealed of its fields, while it waits; once it is decided that is gone. */
export function withSealed<Change extends PendingChange & { sealed: Buffer | null }>(
  cipher: Cipher,
  scope: Scope,
  change: Change,
): Change {
  if (change.sealed === null || change.status !== 'open') return change;
  return { ...change, fields: withShown(change.fields, openRequest(cipher, scope, change.id, change.sealed).shown) };
}

export const withShown = (fields: readonly PendingField[], shown: Record<string, ShownValues> = {}): PendingField[] =>
  fields.map((one) => ({ ...one, ...shown[one.field] }));
