import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
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
import type { Commission } from './commissions-queries.ts';
import type { CommissionsService } from './commissions-service.ts';
import { explainCalculation } from './explain-calculation.ts';
import type { LineHistory } from './line-history-queries.ts';

export function mountCommissions(router: Router, mount: Mount, commissions: CommissionsService): void {
  mount(
    router,
    listCommissions,
    ({ query, ...context }) => commissions.list(context, query),
    ({ rows, nextCursor }) => ({
      status: 200,
      body: { data: rows.map(commissionBody), hasMore: nextCursor !== null, nextCursor },
    }),
  );
  mount(
    router,
    getCommission,
    ({ params, ...context }) => commissions.read(context, params.commissionId),
    (line) => ({ status: 200, body: commissionBody(line) }),
  );
  mount(
    router,
    explainCommission,
    ({ params, ...context }) => commissions.readWithHistory(context, params.commissionId),
    ({ line, history }) => ({ status: 200, body: explanationBody(line, history) }),
  );
  mount(
    router,
    holdCommission,
    ({ params, body, ...context }) => commissions.act(context, params.commissionId, 'hold', body.reason ?? null),
    (line) => ({ status: 200, body: commissionBody(line) }),
  );
  mount(
    router,
    releaseCommission,
    ({ params, body, ...context }) => commissions.act(context, params.commissionId, 'release', body.reason ?? null),
    (line) => ({ status: 200, body: commissionBody(line) }),
  );
  mount(
    router,
    voidCommission,
    ({ params, body, ...context }) => commissions.act(context, params.commissionId, 'void', body.reason ?? null),
    (line) => ({ status: 200, body: commissionBody(line) }),
  );
}

function commissionBody(line: Commission): CommissionAnswer {
  const { beneficiaryId, reversesLineId, ...rest } = line;
  return {
    ...rest,
    userId: beneficiaryId,
    flatMinor: line.flatMinor === null ? null : toJsonInteger(line.flatMinor),
    baseMinor: toJsonInteger(line.baseMinor),
    amountMinor: toJsonInteger(line.amountMinor),
    sourceAmountMinor: line.sourceAmountMinor === null ? null : toJsonInteger(line.sourceAmountMinor),
    cappedMinor: toJsonInteger(line.cappedMinor),
    reversesCommissionId: reversesLineId,
  };
}

function explanationBody(line: Commission, history: LineHistory) {
  return {
    commission: commissionBody(line),
    calculation: explainCalculation(line) ?? null,
    netMinor: toJsonInteger(history.linked.reduce((sum, linked) => sum + BigInt(linked.amountMinor), line.amountMinor)),
    linked: history.linked.map(({ at, amountMinor, ...linked }) => ({
      ...linked,
      amountMinor: toJsonInteger(amountMinor),
      createdAt: new Date(at),
    })),
    actions: history.actions.map(({ at, ...action }) => ({ ...action, recordedAt: new Date(at) })),
    ledger: history.ledger.map(({ recordedAt, amountMinor, ...posting }) => ({
      ...posting,
      amountMinor: toJsonInteger(amountMinor),
      recordedAt: new Date(recordedAt),
    })),
  };
}
