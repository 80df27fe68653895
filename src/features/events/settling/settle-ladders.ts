/**
 * The sweep that settles ladders over whole periods: some days after a period has ended, each member gets for all its sales
 * what the last step pays that it has reached. Source: docs/specification/rates.md#whole-period.
 */
import { type ActingScope, bySystem } from '../../../actor.ts';
import type { Scope, WriteDb } from '../../../db/scope.ts';
import { faultPoint } from '../../../fault-points.ts';
import { toJsonInteger } from '../../../money.ts';
import type { CommissionsOffers } from '../../commissions/commissions-feature.ts';
import { familiesOf } from '../../commissions/open/adjust-lines.ts';
import type { LineLocks, LockedLine } from '../../commissions/open/line-locks.ts';
import type { PlanDefinition } from '../../commissions/open/plan-definition.ts';
import type { Ladder } from '../../commissions/open/plan-ladders.ts';
import type { Family } from '../../commissions/open/reverse-lines.ts';
import { tell } from '../../webhooks/webhooks-service.ts';
import { readPlanDefinitions } from '../debts/debt-queries.ts';
import type { SettledPeriod } from '../open/settled-period.ts';
import { MOST_TOP_UPS, recordPeriod } from '../period/record-period.ts';
import { canBeToppedUp } from '../period/top-up-lines.ts';
import { ladderSum } from '../purchases/sold-before.ts';
import { readSalesOfDays } from '../sales-sums/read-sales.ts';
import { lockSums } from '../sales-sums/sales-sums-queries.ts';
import {
  readLinesOfPeriods,
  readSettled,
  readSoldLines,
  type Settlement,
  type SoldLine,
  storeSettled,
  takeDueSettlements,
} from './settling-queries.ts';
import { reach, type SettledBy, type TopUpDue, topUpDue } from './top-up-due.ts';

/** Periods of members in one transaction. */
export const SETTLE_BATCH = 50;

/** Lines of one transaction, but for a period that has more of them alone. */
const MOST_LINES = 500;

export interface SettleLaddersDeps {
  lines: Pick<LineLocks, 'lockLinesToTopUp'>;
  plans: Pick<CommissionsOffers['plans'], 'parse'>;
}

/** A member in a period of a ladder, with the lines that sales of it have paid. */
interface Period {
  settlement: Settlement;
  plan: PlanDefinition;
  ladder: Ladder;
  families: readonly Family<LockedLine>[];
}

/**
 * One batch of at most `limit` members and periods; returns how many it settled. What is committed by then counts: a sale
 * that is recorded later has the period settled once more. It waits for a fold of the sums of sales: that looks for periods
 * that were settled, so both never run at once.
 */
export async function settleLadders(db: WriteDb, scope: Scope, limit: number, deps: SettleLaddersDeps): Promise<number> {
  const found = await takeDueSettlements(db, scope, limit);
  if (found.length === 0) return 0;
  await db.rows(lockSums(scope));
  const [settled, definitions, lineIds] = await Promise.all([
    readSettled(db, scope, found),
    readPlanDefinitions(db, scope, [...new Set(found.map(({ versionId }) => versionId))]),
    readLinesOfPeriods(db, scope, found),
  ]);
  const plans = new Map(definitions.map(({ id, definition }) => [id, deps.plans.parse(id, definition)]));
  const due = found.slice(0, fitting(lineIds));
  // All at once and in the order in which refunds lock them.
  const locked = await lockAll(db, scope, [...new Set(lineIds.slice(0, due.length).flat())], deps);
  const known = new Map(settled.map((one) => [nameOf(one), one]));
  for (const [n, settlement] of due.entries()) {
    const plan = plans.get(settlement.versionId);
    const ladder = plan?.ladders.find(({ id }) => id === settlement.ladderId);
    if (!plan || !ladder) throw new Error(`the plan version ${settlement.versionId} has no ladder ${settlement.ladderId}`);
    const families = (lineIds[n] ?? []).flatMap((id) => locked.get(id) ?? []);
    known.set(
      nameOf(settlement),
      await settlePeriod(db, scope, { settlement, plan, ladder, families }, [...known.values()], deps),
    );
  }
  await storeSettled(
    db,
    scope,
    due.flatMap((one) => known.get(nameOf(one)) ?? []),
  );
  await faultPoint('ladders:settled');
  return due.length;
}

/** How many periods one transaction takes, at least one. */
function fitting(lineIds: readonly string[][]): number {
  let lines = 0;
  const first = lineIds.findIndex((ids) => {
    lines += ids.length;
    return lines > MOST_LINES;
  });
  return first === -1 ? lineIds.length : Math.max(first, 1);
}

const nameOf = ({ memberId, versionId, ladderId, fromDay }: Settlement): string =>
  [memberId, versionId, ladderId, fromDay].join(' ');

async function lockAll(db: WriteDb, scope: Scope, ids: readonly string[], { lines }: SettleLaddersDeps) {
  const locked = ids.length === 0 ? [] : await lines.lockLinesToTopUp(db, scope, ids);
  return new Map(familiesOf(locked).map((family) => [family.original.id, family]));
}

/** Records what is missing of the lines, and returns the period as it is settled now. `settled` are other periods that were. */
async function settlePeriod(
  db: WriteDb,
  scope: Scope,
  period: Period,
  settled: readonly Settlement[],
  deps: SettleLaddersDeps,
): Promise<Settlement> {
  const { settlement, plan, ladder, families } = period;
  const { memberId, versionId, fromDay, toDay } = settlement;
  const done = { ...settlement, run: settlement.run + 1, reached: { ...settlement.reached } };
  const others = settled.filter(
    (one) => one.memberId === memberId && one.versionId === versionId && nameOf(one) !== nameOf(done),
  );
  const summed = new Set<string>();
  let events = 0;
  for (let from = 0; from < families.length; from += MOST_TOP_UPS) {
    const part = new Map(families.slice(from, from + MOST_TOP_UPS).map((family) => [family.original.id, family]));
    // Read for each period anew: of a purchase that pays several members, others may just have been topped up.
    const sold = await readSoldLines(db, scope, [...part.keys()]);
    for (const [currency, lines] of Map.groupBy(sold, (line) => line.currency)) {
      if (!summed.has(currency)) {
        summed.add(currency);
        const sums = await readSalesOfDays(db, scope, { memberIds: [memberId], currency, fromDay, toDay });
        const own = sums.get(memberId);
        if (!own) throw new Error('no sums were read of the member');
        done.reached[currency] = reach(ladder, ladderSum(ladder, own), currency, settlement.reached);
      }
      const missing = lines.flatMap((line) => {
        const family = part.get(line.lineId);
        if (!family || !canBeToppedUp(family) || line.isTopUpVoid) return [];
        const due = topUpDue(family.original, line, { plan, ladder, settledBy: settledOn(line, [done, ...others], plan) });
        return due ? [{ family, line, due }] : [];
      });
      if (missing.length === 0) continue;
      await recordMissing(db, scope, { done, ladder, currency, missing, event: events }, deps);
      events += 1;
    }
  }
  return done;
}

/** The ladders that are settled for the day of the sale: a line may be paid by several. */
function settledOn({ day }: SoldLine, settled: readonly Settlement[], { ladders }: PlanDefinition): SettledBy {
  return settled.flatMap(({ ladderId, fromDay, toDay, reached }) => {
    const ladder = ladders.find(({ id }) => id === ladderId);
    return ladder && fromDay <= day && day < toDay ? [{ ladder, reached }] : [];
  });
}

interface Missing {
  family: Family<LockedLine>;
  line: SoldLine;
  due: TopUpDue;
}

/** An event of the member's, in the currency of the purchases. */
async function recordMissing(
  db: WriteDb,
  scope: Scope,
  given: { done: Settlement; ladder: Ladder; currency: string; missing: readonly Missing[]; event: number },
  deps: SettleLaddersDeps,
): Promise<void> {
  const { done, currency, missing, event } = given;
  const { memberId, versionId, ladderId, fromDay, run } = done;
  const acting: ActingScope = { ...scope, provenance: bySystem('settle-ladders') };
  const { eventId } = await recordPeriod(
    db,
    acting,
    {
      key: `${versionId}.${ladderId}.${fromDay}:${run}${event === 0 ? '' : `.${event}`}`,
      memberId,
      currency,
      planVersionId: versionId,
      topUps: missing.map(({ family: { original }, due: { amountMinor, sourceAmountMinor } }) => ({
        lineId: original.id,
        amountMinor,
        sourceAmountMinor,
        clearsAt: original.clearsAt,
      })),
      evaluation: { period: shownPeriod(given) },
    },
    deps,
  );
  tell(db, acting.provenance, 'ladder.settled', eventId);
}

/** What the event's explanation shows. */
function shownPeriod({ done, ladder, currency, missing }: Parameters<typeof recordMissing>[2]): SettledPeriod {
  const { ladderId, fromDay, toDay, run, reached } = done;
  const { step, sum } = reached[currency] ?? { step: 0, sum: '0' };
  return {
    ladder: ladderId,
    from_day: fromDay,
    to_day: toDay,
    run,
    currency,
    measure: ladder.measure,
    sum,
    step,
    rate_bps: ladder.steps[step]?.rateBps ?? 0,
    top_ups: missing.map(({ family: { original }, line, due }) => ({
      commission_id: original.id,
      purchase_event_id: line.purchaseId,
      level: original.level,
      paid_level: original.paidLevel,
      paid: { sum: due.paid.sum.toString(), step: due.paid.step, amount_minor: toJsonInteger(original.amountMinor) },
      settled: { step, amount_minor: toJsonInteger(due.settledMinor) },
      topped_up_before_minor: toJsonInteger(line.toppedUpMinor),
      amount_minor: toJsonInteger(due.amountMinor),
      currency: original.currency,
    })),
  };
}
