import type { Router } from 'express';
import type { MountReceiver } from '../../http/mount.ts';
import type { EventReceiver } from './receive-event.ts';
import { receiveKycEvent } from './receiver-operations.ts';

export function mountKycReceiver(router: Router, mountReceiver: MountReceiver, receiver: EventReceiver): void {
  mountReceiver(router, receiveKycEvent, async ({ query, rawBody, header, ranIn }) => {
    await receiver.receive({
      tenantId: query.tenant_id,
      rawBody,
      digest: header('x-payload-digest'),
      algorithm: header('x-payload-digest-alg'),
      ranIn,
    });
    return { message: 'Event received' as const };
  });
}
