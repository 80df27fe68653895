import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { sendVendorEvent } from './sandbox-events-operations.ts';
import type { SandboxEventsService } from './sandbox-events-service.ts';

export function mountSandboxEvents(router: Router, mount: Mount, events: SandboxEventsService): void {
  mount(router, sendVendorEvent, ({ body, ...context }) => events.send(context, body));
}
