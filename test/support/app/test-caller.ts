/** A caller of a service that is called without HTTP. */
import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../src/db/scope.ts';
import type { Caller } from '../../../src/http/operation.ts';

export function testCaller({ tenantId, environment }: Scope, keyId: string = randomUUID()): Caller {
  const provenance = { actor: { kind: 'api_key', id: keyId }, operationId: 'test', requestId: 'of-a-test', ip: null } as const;
  return {
    tenantId,
    environment,
    keyId,
    keyFamilyId: keyId,
    keyScopes: ['*'],
    rateLimit: undefined,
    allowedIps: null,
    root: `api_key:${keyId}`,
    provenance,
  };
}
