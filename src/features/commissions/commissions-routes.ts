import { shownTo } from '../../actor.ts';
import type { Caller } from '../../http/operation.ts';
import { camelList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import { toJsonInteger } from '../../money.ts';
import {
  type CommissionAnswer,
  explainCommission,
  getCommission,
  holdCommission,
  listCommissions,
  releaseCommission,
  voidCommission,
} from './commissions-operations.ts';
import type { CommissionsService, ExplainedLine } from './commissions-service.ts';
import { explainCalculation } from './explain-calculation.ts';
import { commissionBody } from './open/commission-body.ts';
import type { NamedLine } from './open/commission-line.ts';

export function commissionsRoutes(commissions: CommissionsService): Route[] {
  return [
    route(listCommissions, ({ query, ...context }) => commissions.list(context, query), camelList(commissionBodyFor)),
    route(
      getCommission,
      ({ params, ...context }) => commissions.read(context, params.commissionId),
      (line, caller) => ({ status: 200, body: commissionBodyFor(line, caller) }),
    ),
    route(
      explainCommission,
      ({ params, ...context }) => commissions.explain(context, params.commissionId),
      (explained, caller) => ({ status: 200, body: explanationBody(explained, caller) }),
    ),
    route(
      holdCommission,
      ({ params, body, ...context }) => commissions.act(context, params.commissionId, 'hold', body.reason ?? null),
      (line) => ({ status: 200, body: commissionBody(line) }),
    ),
    route(
      releaseCommission,
      ({ params, body, ...context }) => commissions.act(context, params.commissionId, 'release', body.reason ?? null),
      (line) => ({ status: 200, body: commissionBody(line) }),
    ),
    route(
      voidCommission,
      ({ params, body, ...context }) => commissions.act(context, params.commissionId, 'void', body.reason ?? null),
      (line) => ({ status: 200, body: commissionBody(line) }),
    ),
  ];
}

/** Why somebody put it on hold is the tenant's to know. */
function commissionBodyFor(line: NamedLine, { member }: Caller): CommissionAnswer {
  return { ...commissionBody(line), ...(member && { holdReason: null }) };
}

function explanationBody({ line, derivation, history }: ExplainedLine, caller: Caller) {
  const share = derivation?.shares.find(({ paidLevel }) => paidLevel === line.paidLevel);
  return {
    commission: commissionBodyFor(line, caller),
    calculation: explainCalculation(line, share?.parts) ?? null,
    derivation: derivation ?? null,
    netMinor: toJsonInteger(history.linked.reduce((sum, linked) => sum + linked.amountMinor, line.amountMinor)),
    linked: history.linked.map(({ id, eventId, externalEventId, kind, amountMinor, status, createdAt }) => ({
      id,
      eventId,
      externalEventId,
      kind,
      amountMinor: toJsonInteger(amountMinor),
      status,
      createdAt,
    })),
    actions: history.actions.map(({ at, reason, createdBy, ...action }) => ({
      ...action,
      reason: caller.member ? null : reason,
      createdBy: createdBy && shownTo(caller.member, createdBy),
      keyId: caller.member || createdBy?.kind !== 'api_key' ? null : createdBy.id,
      recordedAt: new Date(at),
    })),
    ledger: history.ledger.map(({ recordedAt, amountMinor, ...posting }) => ({
      ...posting,
      amountMinor: toJsonInteger(amountMinor),
      recordedAt: new Date(recordedAt),
    })),
  };
}
