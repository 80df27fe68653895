import { camelList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import type { ConfirmChange } from './confirm-change.ts';
import { confirmPendingChange, getPendingChange, listPendingChanges, rejectPendingChange } from './pending-changes-operations.ts';
import type { PendingChangesService } from './pending-changes-service.ts';

export function pendingChangesRoutes(changes: PendingChangesService, confirm: ConfirmChange): Route[] {
  return [
    route(listPendingChanges, ({ query, ...context }) => changes.list(context, query), camelList()),
    route(getPendingChange, ({ params, ...context }) => changes.read(context, params.pendingChangeId)),
    route(confirmPendingChange, ({ params, ...context }) => confirm(context, params.pendingChangeId)),
    route(rejectPendingChange, ({ params, body, ...context }) =>
      changes.reject(context, params.pendingChangeId, body?.reason ?? null),
    ),
  ];
}
