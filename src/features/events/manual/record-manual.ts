/** Recording a bonus, an adjustment, a correction or the write-off of a debt inside the caller's transaction. */
import { createHash } from 'node:crypto';
import { type ActingScope, actorRef } from '../../../actor.ts';
import type { WriteDb } from '../../../db/scope.ts';
import { AppError, invalidField } from '../../../errors.ts';
import type { FieldEffect, HandsDetails } from '../../../http/held-back.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { NewLine } from '../../commissions/open/commission-line.ts';
import { passesManualLimit, takesSecondPair } from '../../commissions/open/manual-limits.ts';
import { toldLines } from '../../commissions/open/told-lines.ts';
import { refuseBeyondLimit } from '../../ledger/ledger-service.ts';
import { postLines } from '../../ledger/open/journal.ts';
import { ledgerErrors } from '../../ledger/open/ledger-errors.ts';
import { tell } from '../../webhooks/webhooks-service.ts';
import { insertEvent, type NewEvent, PLAIN_EVENT } from '../event-insert-queries.ts';
import { refuseTimeOutOfBounds } from '../purchases/decide-purchase.ts';
import { debtKey, lockInOrder } from '../purchases/plan-limits-queries.ts';
import { type Recorded, type RecorderDeps, recordedOf, repeatOf } from '../recorded-event.ts';
import type { ManualInput } from './manual-operations.ts';
import { readManualFacts } from './manual-queries.ts';

/** Returns when a commission by hand may be recorded now, with what its audit entry adds. */
export type HoldManual = (db: WriteDb, effects: readonly FieldEffect[]) => Promise<HandsDetails>;

/** The event, and the line that it made. */
export function tellManual(db: WriteDb, scope: ActingScope, eventId: string): void {
  tell(db, scope.provenance, 'event.commission_recorded', eventId);
  tell(db, scope.provenance, 'commissions.created', eventId, toldLines({ eventId, isNew: true }));
}

/**
 * A positive amount is held like any line, by the plan in force; a negative one counts at once, and
 * so does a write-off, which may not exceed what the member owes. One that
 * takes two pairs of hands leaves an audit entry too. Source: docs/specification/events.md#manual.
 */
export async function recordManual(
  db: WriteDb,
  scope: ActingScope,
  input: ManualInput,
  { hold, ...deps }: RecorderDeps & { hold: HoldManual },
): Promise<Recorded> {
  const { type } = input;
  db.listen();
  if (type === 'write_off') await lockInOrder(db, scope, [debtKey(input.user_id, input.currency)]);
  const facts = await readManualFacts(db, scope, {
    externalEventId: input.external_event_id,
    userId: input.user_id,
    currency: input.currency,
    occurredAt: input.occurred_at ?? null,
    actor: actorRef(scope.provenance.actor),
  });
  if (facts.knownEventId !== null) return repeatOf(db, scope, { externalEventId: input.external_event_id, content: input }, deps);
  if (!facts.memberExists) throw invalidField('user_id', 'is not a member of this tenant and environment');
  refuseTimeOutOfBounds(facts.occurredAt, facts.now);
  if ((type === 'bonus' || type === 'write_off') && input.amount_minor < 0n) {
    throw invalidField('amount_minor', `must be positive for a ${type}`);
  }
  if (passesManualLimit(input.amount_minor, input.currency, facts.limits)) {
    const message = 'is more than is credited or charged by hand at once; the setting commissions.manualLimitMinor says how much';
    throw new AppError(ledgerErrors.BALANCE_LIMIT, `The amount ${message}`, {
      details: { fields: [{ field: 'amount_minor', message }] },
    });
  }
  const owedMinor = facts.clearedMinor < 0n ? -facts.clearedMinor : 0n;
  if (type === 'write_off' && input.amount_minor > owedMinor) {
    throw new AppError('STATE_CONFLICT', `The member owes ${owedMinor} ${input.currency}; no more can be written off`);
  }
  const event = manualEvent(input, facts, deps);
  await refuseBeyondLimit(db, scope, event.postings, 'amount_minor');
  const effects = takesSecondPair(input.amount_minor, facts.limits) ? [effectOf(input, deps)] : [];
  const hands = await hold(db, effects);
  // The commit may not travel behind the event: who hears of it is told, and its entry follows.
  const inserted = await insertEvent({ ...db, lastRow: (statement) => db.row(statement) }, scope, event);
  tellManual(db, scope, inserted.eventId);
  if (effects.length === 0) return recordedOf(event, inserted, { createdBy: facts.createdBy });
  await recordAudit(db, scope, {
    action: 'manual_commission.recorded',
    by: scope.provenance,
    objectKind: 'event',
    objectId: inserted.eventId,
    details: { type, userId: input.user_id, amountMinor: `${input.amount_minor}`, currency: input.currency, ...hands },
  });
  return recordedOf(event, inserted, { createdBy: facts.createdBy });
}

/** By the id of the event, of which there is none yet; the id itself may be anything, so its digest stands for it. */
function effectOf(input: ManualInput, { digester }: RecorderDeps): FieldEffect {
  const { external_event_id } = input;
  return {
    field: `manualCommissions.${digester.digest({ external_event_id })['external_event_id']}`,
    direction: 'weakens',
    before: 'none',
    shown: {
      from: null,
      to: {
        type: input.type,
        userId: input.user_id,
        amountMinor: `${input.amount_minor}`,
        currency: input.currency,
        occurredAt: input.occurred_at ?? null,
      },
    },
  };
}

/** The event of a manual commission with its one line, once nothing speaks against it. */
export function manualEvent(
  input: ManualInput,
  { occurredAt, clearsAt }: { occurredAt: Date; clearsAt: Date },
  deps: RecorderDeps,
): NewEvent {
  const { type } = input;
  const atOnce = type === 'write_off' || input.amount_minor < 0n;
  const line: NewLine = {
    beneficiaryId: input.user_id,
    kind: type,
    source: 'manual',
    level: 0,
    legId: null,
    paidLevel: 0,
    rateBps: 0,
    flatMinor: null,
    multiplierMilli: 1000,
    baseMinor: 0n,
    amountMinor: input.amount_minor,
    currency: input.currency,
    conversion: null,
    cappedMinor: 0n,
    cap: null,
    status: atOnce ? 'cleared' : 'pending',
    holdCause: null,
    clearsAt: atOnce ? occurredAt : clearsAt,
    occurredAt,
    planVersionId: null,
    paySource: null,
    calculationHash: createHash('sha256')
      .update(JSON.stringify([type, input.user_id, `${input.amount_minor}`, input.currency]))
      .digest(),
    reversesLineId: null,
    aboutEventId: null,
  };
  return {
    ...PLAIN_EVENT,
    kind: 'commission',
    externalEventId: input.external_event_id,
    type,
    occurredAt,
    // An event's own amount is never negative; its line has the sign.
    amountMinor: input.amount_minor < 0n ? -input.amount_minor : input.amount_minor,
    currency: input.currency,
    attributedId: input.user_id,
    contentDigests: deps.digester.digest(input),
    evaluation: { firstStatuses: [line.status] },
    description: input.description,
    actor: input.actor,
    lines: [line],
    postings: postLines([{ ...line, account: atOnce ? 'member:cleared' : 'member:pending' }], {
      against: type === 'write_off' ? 'company:write_off' : 'company:commission_expense',
    }),
  };
}
