import { camelList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import type { OwnService } from './own-service.ts';
import * as operations from './staff-operations.ts';
import type { StaffService } from './staff-service.ts';

export function staffRoutes(people: StaffService, own: OwnService): Route[] {
  return [
    route(operations.listStaff, ({ query, ...context }) => people.list(context, query), camelList()),
    route(operations.listStaffInvites, ({ query, ...context }) => people.listInvites(context, query), camelList()),
    route(operations.inviteStaff, ({ body, ...context }) => people.invite(context, body)),
    route(operations.revokeStaffInvite, ({ params, ...context }) => people.revokeInvite(context, params.inviteId)),
    route(operations.listStaffTies, ({ query, ...context }) => people.listTies(context, query), camelList()),
    route(operations.confirmStaffTie, ({ params, ...context }) => people.confirmTie(context, params.tieId)),
    route(operations.getStaffMember, ({ params, ...context }) => people.get(context, params.staffId)),
    route(operations.updateStaffMember, ({ params, body, ...context }) => people.change(context, params.staffId, body)),
    route(operations.removeStaffMember, ({ params, ...context }) => people.remove(context, params.staffId)),
    route(operations.resetStaffPassword, ({ params, ...context }) => people.resetPassword(context, params.staffId)),
    route(
      operations.listStaffSessions,
      ({ params, query, ...context }) => people.listSessions(context, params.staffId, query),
      camelList(),
    ),
    route(operations.endStaffSessions, ({ params, ...context }) => people.endSessions(context, params.staffId)),
    route(operations.endStaffSession, ({ params, ...context }) => people.endSessions(context, params.staffId, params.sessionId)),
    route(operations.getOwnAccount, (context) => own.get(context)),
    route(operations.updateOwnAccount, ({ body, ...context }) => own.rename(context, body.name)),
    route(operations.changeOwnPassword, ({ body, ...context }) => own.changePassword(context, body)),
    route(operations.listOwnSessions, ({ query, ...context }) => own.listSessions(context, query), camelList()),
    route(operations.endOwnSessions, ({ body, ...context }) => own.endSessions(context, body.which)),
    route(operations.endOwnSession, ({ params, ...context }) => own.endSession(context, params.sessionId)),
  ];
}
