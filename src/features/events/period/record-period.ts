/**
 * Recording what a member gets for a whole period, inside the caller's transaction: an event that the service makes itself,
 * exactly once, with top-ups of what purchases paid. Source: docs/specification/events.md#period.
 */
import type { ActingScope } from '../../../actor.ts';
import type { WriteDb } from '../../../db/scope.ts';
import { faultPoint } from '../../../fault-points.ts';
import { familiesOf } from '../../commissions/open/adjust-lines.ts';
import type { LineLocks, LockedLine } from '../../commissions/open/line-locks.ts';
import type { Family } from '../../commissions/open/reverse-lines.ts';
import { toldLines } from '../../commissions/open/told-lines.ts';
import { refuseBeyondLimit } from '../../ledger/ledger-service.ts';
import { postLines } from '../../ledger/open/journal.ts';
import { tell } from '../../webhooks/webhooks-service.ts';
import { insertEvent, PLAIN_EVENT } from '../event-insert-queries.ts';
import type { StoredPeriod } from '../event-kinds.ts';
import { OWN_PREFIX } from '../open/sent-event.ts';
import { lockInOrder } from '../purchases/plan-limits-queries.ts';
import { hasOtherOpenDispute, refundedOf } from '../reversals/record-reversal.ts';
import { type PeriodFacts, readPeriodFacts, readSalesToTopUp, type SaleToTopUp } from './period-queries.ts';
import { canBeToppedUp, type NewTopUp, topUpLines } from './top-up-lines.ts';

/** Top-ups of one event: with what is taken back at once its lines are told in one piece. More are more events, each with its own key. */
export const MOST_TOP_UPS = 500;

export interface NewPeriod {
  /** The event is exactly once by it and the member: `<ladder>:<period>:<run>`. */
  key: string;
  memberId: string;
  /** The currency of all purchases that are topped up. */
  currency: string;
  planVersionId: string | null;
  /** From 1 to `MOST_TOP_UPS`, of lines of the member, each line once. */
  topUps: readonly NewTopUp[];
  /** Kept with the event and shown by its explanation. */
  evaluation: { period: StoredPeriod };
}

export interface RecordedPeriod {
  eventId: string;
  /** The top-ups, in their order; of a repeat those of the first time. */
  lineIds: string[];
  /** False where it was recorded before: then nothing has changed. */
  isNew: boolean;
}

export interface PeriodDeps {
  lines: Pick<LineLocks, 'lockLinesToTopUp'>;
}

/**
 * Stores the event with its top-ups, what earlier refunds take back of them, and its journal. Throws on what whoever settles
 * a period must not ask for: a top-up of nothing, of a line of somebody else, of one that is void or wholly reversed.
 */
export async function recordPeriod(
  db: WriteDb,
  scope: ActingScope,
  period: NewPeriod,
  { lines: locks }: PeriodDeps,
): Promise<RecordedPeriod> {
  const externalEventId = externalIdOf(period);
  const lineIds = period.topUps.map(({ lineId }) => lineId);
  refuseOddList(lineIds);
  // In one go, yet in this order: who settles the same waits here, and refunds of the purchases wait for the lines.
  const [, locked, facts, sales] = await Promise.all([
    lockInOrder(db, scope, [externalEventId]),
    locks.lockLinesToTopUp(db, scope, lineIds),
    readPeriodFacts(db, scope, externalEventId, lineIds.length),
    readSalesToTopUp(db, scope, lineIds),
  ]);
  if (facts.known) return repeated(facts.known, externalEventId);
  const families = new Map(familiesOf(locked).map((family) => [family.original.id, family]));
  const made = period.topUps.map((topUp, n) => {
    const family = families.get(topUp.lineId);
    const sale = sales.get(family?.original.eventId ?? '');
    if (!family || !sale) throw refusal(topUp, 'it is no line of a purchase');
    refuseOddTopUp(topUp, family, sale, period);
    const standing = {
      amountMinor: sale.amountMinor,
      refundedMinor: refundedOf(sale.prior),
      inDispute: hasOtherOpenDispute(sale.prior, undefined),
    };
    return topUpLines(topUp, family, standing, { id: facts.ids[n] ?? '', now: facts.now });
  });
  const lines = made.flatMap((one) => one.lines);
  const postings = postLines(made.flatMap((one) => one.posted));
  const total = period.topUps.reduce((sum, { amountMinor, sourceAmountMinor }) => sum + (sourceAmountMinor ?? amountMinor), 0n);
  await refuseBeyondLimit(db, scope, postings);
  // The commit may not travel behind the event's last statement: more follow.
  const { eventId } = await insertEvent({ ...db, lastRow: (statement) => db.row(statement) }, scope, {
    ...PLAIN_EVENT,
    kind: 'period',
    externalEventId,
    occurredAt: facts.now,
    // An event's own amount is never negative; its lines have the sign.
    amountMinor: total < 0n ? -total : total,
    currency: period.currency,
    attributedId: period.memberId,
    status: lines.some(({ status }) => status === 'held') ? 'held' : 'accepted',
    planVersionId: period.planVersionId,
    contentDigests: {},
    evaluation: { period: period.evaluation.period },
    lines,
    postings,
  });
  tell(db, scope.provenance, 'commissions.created', eventId, toldLines({ eventId, isNew: true }));
  await faultPoint('period:written');
  return { eventId, lineIds: facts.ids, isNew: true };
}

function externalIdOf({ key, memberId }: NewPeriod): string {
  return `${OWN_PREFIX}period:${key}:${memberId}`;
}

function repeated({ id, kind, topUpIds }: NonNullable<PeriodFacts['known']>, externalEventId: string): RecordedPeriod {
  // From before the prefix was refused.
  if (kind !== 'period') throw new Error(`${externalEventId} is the name of a ${kind}, which somebody sent`);
  return { eventId: id, lineIds: topUpIds, isNew: false };
}

function refuseOddList(lineIds: readonly string[]): void {
  if (lineIds.length === 0) throw new Error('a period event without top-ups');
  if (lineIds.length > MOST_TOP_UPS) throw new Error(`a period event of more than ${MOST_TOP_UPS} top-ups`);
  if (new Set(lineIds).size < lineIds.length) throw new Error('a period event tops a line up twice');
}

function refuseOddTopUp(topUp: NewTopUp, family: Family<LockedLine>, sale: SaleToTopUp, period: NewPeriod): void {
  const { original } = family;
  const { amountMinor, sourceAmountMinor } = topUp;
  if (original.beneficiaryId !== period.memberId) throw refusal(topUp, 'it is of another member');
  if (sale.currency !== period.currency) throw refusal(topUp, `its purchase is in ${sale.currency}`);
  if (!canBeToppedUp(family)) throw refusal(topUp, 'it is void, wholly reversed, or no commission');
  if (amountMinor === 0n) throw refusal(topUp, 'by nothing');
  if ((original.conversion === null) !== (sourceAmountMinor === null))
    throw refusal(topUp, 'its conversion is not that of the line');
  if (sourceAmountMinor !== null && (sourceAmountMinor === 0n || sourceAmountMinor < 0n !== amountMinor < 0n)) {
    throw refusal(topUp, 'the amount before conversion has another sign');
  }
}

function refusal({ lineId }: NewTopUp, why: string): Error {
  return new Error(`the commission ${lineId} cannot be topped up: ${why}`);
}
