/** Which periods a purchase leaves to be settled. Source: docs/specification/rates.md#whole-period. */
import type { Db, Scope } from '../../../db/scope.ts';
import { settledLadders } from '../../commissions/open/plan-ladders.ts';
import type { DecidedPurchase } from '../purchases/decide-purchase.ts';
import { noteLadders, type PaidByLadder } from './settling-queries.ts';
import { laddersOf } from './top-up-due.ts';

/** No statement where no ladder that is settled over whole periods pays. */
export async function notePaidByLadders(
  db: Db,
  scope: Scope,
  { occurredAt }: { occurredAt: Date },
  { plan, evaluation }: Pick<DecidedPurchase, 'plan' | 'evaluation'>,
): Promise<void> {
  const paid = paidByLadders({ plan, evaluation });
  if (plan && paid.length > 0) await noteLadders(db, scope, { versionId: plan.id, occurredAt, paid });
}

/** Each member once for each ladder that is settled over whole periods and pays it. */
export function paidByLadders({ plan, evaluation }: Pick<DecidedPurchase, 'plan' | 'evaluation'>): PaidByLadder[] {
  const settled = new Map(settledLadders(plan?.definition.ladders ?? []).map((ladder) => [ladder.id, ladder]));
  if (settled.size === 0) return [];
  const paid = evaluation.lines.flatMap((share) =>
    laddersOf(share).map((id) => ({ memberId: share.beneficiaryId, ladder: settled.get(id) })),
  );
  const once = new Map(
    paid.flatMap(({ memberId, ladder }) => (ladder ? [[`${memberId} ${ladder.id}`, { memberId, ladder }]] : [])),
  );
  return [...once.values()];
}
