/** Events: each kind recorded exactly once, read, listed, explained. Source: docs/specification/events.md. */
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { ActingScope } from '../../actor.ts';
import { violates } from '../../db/constraints.ts';
import type { Frames } from '../../db/frame.ts';
import { isShownTo, type Scope, type WriteDb } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { CallContext, RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { holdsRight } from '../../http/rights.ts';
import type { CommissionsOffers } from '../commissions/commissions-feature.ts';
import type { PendingChangesOffers } from '../pending-changes/pending-changes-feature.ts';
import { writeOffDebts } from './debts/write-off-debts.ts';
import type { listEvents } from './events-operations.ts';
import { eventByIdStatement, listEvents as listEventRows, type StoredEvent, toStoredEvent } from './events-queries.ts';
import { explanationOf } from './explain/explain-event.ts';
import type { ExplainAnswer } from './explain/explain-operations.ts';
import { readExplainExtras } from './explain/explain-queries.ts';
import type { ManualInput } from './manual/manual-operations.ts';
import { type HoldManual, recordManual } from './manual/record-manual.ts';
import type { Purchase } from './open/purchase.ts';
import { type Coalescing, createCoalescing } from './purchases/coalesce/coalesce-purchases.ts';
import { fixSaleTime } from './purchases/purchase-facts-queries.ts';
import { type PurchaseDeps, recordPurchase } from './purchases/record-purchase.ts';
import type { Recorded } from './recorded-event.ts';
import { type PreviewInput, READ_BALANCES } from './reversals/preview-operations.ts';
import { previewReversal, type ReversalPreview } from './reversals/preview-reversal.ts';
import { type ReversalDeps, recordChargeback, recordRefund } from './reversals/record-reversal.ts';
import type { ChargebackInput, RefundInput } from './reversals/reversal-operations.ts';
import { settleLadders } from './settling/settle-ladders.ts';

export type EventToRecord =
  | { kind: 'purchase'; purchase: Purchase }
  | { kind: 'refund'; input: RefundInput }
  | { kind: 'chargeback'; input: ChargebackInput }
  | { kind: 'commission'; input: ManualInput };

type List = z.output<(typeof listEvents)['query'] & {}>;

export interface EventsService {
  /** Stores an event of any kind with its lines and journal. A repeat gets the first receipt; EVENT_ID_REUSED on other content. One by hand may wait. */
  record(context: CallContext, event: EventToRecord): Promise<Recorded>;
  /**
   * The same inside the caller's transaction, which may have to undo and repeat it: see `isTakenId`. The caller has
   * fixed the time of sales that have none. `hold` is asked of one by hand.
   */
  recordWithin(db: WriteDb, scope: ActingScope, event: EventToRecord, hold: HoldManual): Promise<Recorded>;
  /** What a refund or a stage of a dispute of that purchase would do, with nothing stored. NOT_FOUND, and the refusals of the event. */
  previewReversal(context: CallContext, purchaseId: string, input: PreviewInput): Promise<ReversalPreview>;
  /** An event with its commissions as they stand. NOT_FOUND. */
  readEvent(context: RequestContext, eventId: string): Promise<StoredEvent>;
  listEvents(context: RequestContext, query: List): Promise<Page<StoredEvent>>;
  /** NOT_FOUND. */
  explain(context: RequestContext, eventId: string): Promise<ExplainAnswer>;
  /** One batch of the sweep that settles ladders over whole periods; returns how many members and periods it settled. */
  settleLadders(db: WriteDb, scope: Scope, limit: number): Promise<number>;
  /** One batch of the sweep that forgives debts in time; returns how many clawbacks it dealt with. */
  writeOffDue(db: WriteDb, scope: Scope, limit: number): Promise<number>;
}

export interface EventsDeps extends Omit<ReversalDeps & PurchaseDeps, 'parsePlan'> {
  frames: Frames;
  plans: CommissionsOffers['plans'];
  cursors: Cursors;
  holdBack: PendingChangesOffers['holdBack'];
  coalescing: Coalescing;
  logger: Logger;
}

export function createEventsService(deps: EventsDeps): EventsService {
  const { frames, plans, cursors, holdBack } = deps;
  const parts = { ...deps, parsePlan: plans.parse };
  const coalesce = createCoalescing({ frames, logger: deps.logger, mode: deps.coalescing }, parts);

  function recordWithin(db: WriteDb, scope: ActingScope, event: EventToRecord, hold: HoldManual): Promise<Recorded> {
    if (event.kind === 'purchase') return recordPurchase(db, scope, event.purchase, parts);
    if (event.kind === 'refund') return recordRefund(db, scope, event.input, parts);
    if (event.kind === 'chargeback') return recordChargeback(db, scope, event.input, parts);
    return recordManual(db, scope, event.input, { ...parts, hold });
  }

  /** A sale's time is fixed in front of what it reads; both travel together. */
  async function recordAlone(db: WriteDb, context: CallContext, event: EventToRecord): Promise<Recorded> {
    const { scope } = context;
    const [, recorded] = await Promise.all([
      event.kind === 'purchase' && db.rows(fixSaleTime(scope)),
      recordWithin(db, scope, event, (within, effects) => holdBack(within, context, effects)),
    ]);
    return recorded;
  }

  async function recordOnce(context: CallContext, event: EventToRecord): Promise<Recorded> {
    const { scope, guard, shape } = context;
    const options = { guard, shape, repeatable: true, plans: event.kind === 'purchase' ? 'kept' : 'any' } as const;
    const record = () => frames.write(scope, (db) => recordAlone(db, context, event), options);
    try {
      return await record();
    } catch (error) {
      if (!isTakenId(error)) throw error;
      return record(); // the same id was recorded meanwhile and is known now
    }
  }

  return {
    recordWithin,

    record(context, event) {
      const alone = () => recordOnce(context, event);
      return event.kind === 'purchase' ? coalesce(context, event.purchase, alone) : alone();
    },

    async previewReversal({ scope, guard, shape }, purchaseId, input) {
      const given = { purchaseId, input };
      const options = { balances: holdsRight(scope, READ_BALANCES) };
      const preview = () =>
        frames.write(scope, (db) => previewReversal(db, scope, given, parts, options), { guard, shape, repeatable: true });
      return preview().catch((error: unknown) => {
        if (!isTakenId(error)) throw error;
        return preview(); // as when it is recorded
      });
    },

    async readEvent({ scope }, eventId) {
      const [row] = await frames.readOnce(scope, eventByIdStatement(scope, { eventId }));
      const event = row && toStoredEvent(row);
      const isTheirs = scope.member === undefined || event?.lines.some((line) => isShownTo(scope, line.beneficiaryId)) === true;
      if (!event || !isTheirs) throw new AppError('NOT_FOUND', 'No such event');
      return event;
    },

    async listEvents({ scope }, { limit, cursor, ...query }) {
      const { sort } = query;
      const filters = {
        kind: query.kind,
        type: query.type,
        status: query.status,
        userId: query.user_id,
        currency: query.currency,
        customerExternalId: query.customer_external_id,
        purchaseId: query.purchase_event_id,
        occurredFrom: query.occurred_from,
        occurredTo: query.occurred_to,
        externalEventId: query.external_event_id,
      };
      const list = { scope, operationId: 'listEvents', filters: { ...filters, sort } };
      const afterId = cursors.open(cursor, list);
      const rows = await frames.read(scope, (db) => listEventRows(db, scope, filters, { sort, afterId }, limit + 1));
      return cursors.page(rows, limit, list, (event) => event.eventId);
    },

    explain({ scope }, eventId) {
      return frames.read(scope, async (db) => {
        const row = await db.row(eventByIdStatement(scope, { eventId }));
        if (!row) throw new AppError('NOT_FOUND', 'No such event');
        const event = toStoredEvent(row);
        const extras = await readExplainExtras(
          db,
          scope,
          eventId,
          event.planVersionId,
          (event.evaluation?.choice?.passedOver ?? []).map(({ versionId }) => versionId),
        );
        return explanationOf(event, extras, extras.plan ? plans.parse(extras.plan.versionId, extras.plan.definition) : undefined);
      });
    },

    settleLadders: (db, scope, limit) => settleLadders(db, scope, limit, deps),

    writeOffDue: (db, scope, limit) => writeOffDebts(db, scope, limit, deps),
  };
}

/** Whether recording lost a race for its external id, which is known now: run again, it finds the first answer. */
export function isTakenId(error: unknown): boolean {
  return violates(error, 'event_external_id_key') || violates(error, 'event_dispute_stage_key');
}
