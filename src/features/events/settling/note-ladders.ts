/** Which periods a purchase leaves to be settled. Source: docs/specification/rates.md#whole-period. */
import type { Db, Scope } from '../../../db/scope.ts';
import { settledLadders } from '../../commissions/open/plan-ladders.ts';
import type { DecidedPurchase } from '../purchases/decide-purchase.ts';
import { noteLadders } from './settling-queries.ts';
import { laddersOf } from './top-up-due.ts';

/** No statement where no ladder that is settled over whole periods pays. */
export async function notePaidByLadders(
  db: Db,
  scope: Scope,
  { occurredAt }: { occurredAt: Date },
  { plan, evaluation }: Pick<DecidedPurchase, 'plan' | 'evaluation'>,
): Promise<void> {
  const settled = new Map(settledLadders(plan?.definition.ladders ?? []).map((ladder) => [ladder.id, ladder]));
  if (!plan || settled.size === 0) return;
  const paid = evaluation.lines.flatMap((share) =>
    laddersOf(share).map((id) => ({ memberId: share.beneficiaryId, ladder: settled.get(id) })),
  );
  const once = new Map(
    paid.flatMap(({ memberId, ladder }) => (ladder ? [[`${memberId} ${ladder.id}`, { memberId, ladder }]] : [])),
  );
  if (once.size > 0) await noteLadders(db, scope, { versionId: plan.id, occurredAt, paid: [...once.values()] });
}
