/** What of an endpoint is sealed: the secrets that sign, as `whsec_…`, and its own headers, as JSON. */
import type { Scope } from '../../../db/scope.ts';
import type { Sealed } from '../../../house/sealed.ts';

const TABLE = 'webhook_endpoint';

const placeOf =
  (what: string) =>
  ({ tenantId, environment }: Scope, id: string): readonly string[] => [tenantId, environment, TABLE, id, what];

/** The same for the old secret: a rotation moves the ciphertext. */
export const endpointSecretPlace = placeOf('secret');
export const endpointHeadersPlace = placeOf('headers');

export const endpointsSealed: readonly Sealed[] = [
  { kind: 'rows', table: TABLE, id: 'id', column: 'secret_sealed', place: endpointSecretPlace },
  { kind: 'rows', table: TABLE, id: 'id', column: 'old_secret_sealed', place: endpointSecretPlace },
  { kind: 'rows', table: TABLE, id: 'id', column: 'headers_sealed', place: endpointHeadersPlace },
];
