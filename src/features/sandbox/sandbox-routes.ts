import { type Route, route } from '../../http/route.ts';
import { getSandboxClock, moveSandboxClock, resetSandbox } from './sandbox-operations.ts';
import type { SandboxService } from './sandbox-service.ts';

export function sandboxRoutes(sandbox: SandboxService): Route[] {
  return [
    route(getSandboxClock, (context) => sandbox.readClock(context)),
    route(moveSandboxClock, ({ body, ...context }) => sandbox.moveClock(context, body)),
    route(resetSandbox, (context) => sandbox.reset(context)),
  ];
}
