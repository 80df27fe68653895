import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { getSandboxClock, moveSandboxClock, resetSandbox } from './sandbox-operations.ts';
import type { SandboxService } from './sandbox-service.ts';

export function mountSandbox(router: Router, mount: Mount, sandbox: SandboxService): void {
  mount(router, getSandboxClock, (context) => sandbox.readClock(context));
  mount(router, moveSandboxClock, ({ body, ...context }) => sandbox.moveClock(context, body));
  mount(router, resetSandbox, (context) => sandbox.reset(context));
}
