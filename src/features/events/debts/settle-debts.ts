/** Settling what members owe, inside the transaction of the event that claws back or reinstates. */
import type { Db, Scope } from '../../../db/scope.ts';
import type { PlanDefinition } from '../../commissions/open/plan-definition.ts';
import { debtKey, lockInOrder } from '../purchases/plan-limits-queries.ts';
import type { TakeBack } from '../reversals/take-back.ts';
import { carryDebts, type Moment } from './carry-debts.ts';
import { endWriteOffs, readDebts, readPlanDefinitions } from './debt-queries.ts';

export interface SettleDeps {
  parsePlan(versionId: string, definition: unknown): PlanDefinition;
}

/**
 * Adds what is forgiven and recovered. An event that touches no commission that was paid out takes
 * no lock and runs no statement. `undoneEventId`: the stage that lost the dispute which this one wins.
 */
export async function settleDebts(
  db: Db,
  scope: Scope,
  takeBack: TakeBack,
  { undoneEventId, ...moment }: Moment & { undoneEventId: string | undefined },
  { parsePlan }: SettleDeps,
): Promise<TakeBack> {
  const { afterPayout } = takeBack;
  if (afterPayout.length === 0) return takeBack;
  const owed = new Map(
    afterPayout.map(({ beneficiaryId, currency }) => [debtKey(beneficiaryId, currency), { memberId: beneficiaryId, currency }]),
  );
  const versionIds = new Set(afterPayout.flatMap(({ planVersionId }) => (planVersionId === null ? [] : [planVersionId])));
  // In one go, yet in this order: the debts are read behind their locks.
  const [, debts, definitions] = await Promise.all([
    lockInOrder(db, scope, [...owed.keys()]),
    readDebts(db, scope, [...owed.values()]),
    readPlanDefinitions(db, scope, [...versionIds]),
    undoneEventId === undefined ? undefined : endWriteOffs(db, scope, undoneEventId),
  ]);
  const policies = new Map(definitions.map(({ id, definition }) => [id, parsePlan(id, definition).reversal]));
  return carryDebts(takeBack, debts, policies, moment);
}
