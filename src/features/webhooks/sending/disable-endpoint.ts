/** An endpoint that is not there any more is sent nothing; its tenant is told. Source: docs/specification/webhooks.md#disabling. */
import { bySystem } from '../../../actor.ts';
import type { Scope, WriteDb } from '../../../db/scope.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { refreshHearing } from '../log/hearing-queries.ts';
import { tell } from '../webhooks-service.ts';
import { disableEndpoint } from './sending-queries.ts';

/** What waits for it goes on waiting, for the case that somebody enables it again. */
export async function disableBySystem(db: WriteDb, scope: Scope, endpointId: string, reason: 'gone' | 'failing'): Promise<void> {
  if (!(await disableEndpoint(db, scope, endpointId, reason))) return;
  const by = bySystem('send-webhooks');
  await recordAudit(db, scope, {
    action: 'webhook_endpoint.disabled',
    by,
    objectKind: 'webhook_endpoint',
    objectId: endpointId,
    details: { reason },
  });
  await refreshHearing(db, scope);
  tell(db, by, 'webhook_endpoint.disabled', endpointId);
}
