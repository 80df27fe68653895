/** A caller of a service that is called without HTTP. */
import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../src/db/scope.ts';
import type { Caller, CallersKey } from '../../../src/http/operation.ts';

export type KeyCaller = Caller & { key: CallersKey };

export function testCaller({ tenantId, environment }: Scope, keyId: string = randomUUID()): KeyCaller {
  const provenance = { actor: { kind: 'api_key', id: keyId }, operationId: 'test', requestId: 'of-a-test', ip: null } as const;
  return {
    tenantId,
    environment,
    key: { id: keyId, familyId: keyId, rateLimit: undefined, allowedIps: null },
    rights: ['*'],
    root: `api_key:${keyId}`,
    provenance,
  };
}
