/** Events: each kind recorded exactly once, read, listed, explained. Source: api-decisions §3. */
import type { z } from 'zod';
import { violates } from '../../db/constraints.ts';
import type { Frames, Scope, WriteDb } from '../../db/frame.ts';
import { AppError } from '../../errors.ts';
import type { RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import type { PlansService } from '../commissions/plans-service.ts';
import type { listEvents } from './events-operations.ts';
import { eventByIdStatement, listEvents as listEventRows, type StoredEvent, toStoredEvent } from './events-queries.ts';
import { explanationOf } from './explain-event.ts';
import type { ExplainAnswer } from './explain-operations.ts';
import { readExplainExtras } from './explain-queries.ts';
import type { ManualInput } from './manual-operations.ts';
import type { PurchaseInput } from './purchase-operations.ts';
import { recordManual } from './record-manual.ts';
import { type PurchaseDeps, recordPurchase } from './record-purchase.ts';
import { type ReversalDeps, recordChargeback, recordRefund } from './record-reversal.ts';
import type { Recorded } from './recorded.ts';
import type { ChargebackInput, RefundInput } from './reversal-operations.ts';
import { writeOffDebts } from './write-off-debts.ts';

export type EventToRecord =
  | { kind: 'purchase'; input: PurchaseInput }
  | { kind: 'refund'; input: RefundInput }
  | { kind: 'chargeback'; input: ChargebackInput }
  | { kind: 'commission'; input: ManualInput };

type List = z.output<(typeof listEvents)['query'] & {}>;

export interface EventsService {
  /** Stores an event of any kind with its lines and journal. A repeat gets the first receipt; EVENT_ID_REUSED on other content. */
  record(context: RequestContext, event: EventToRecord): Promise<Recorded>;
  /** The same inside the caller's transaction, which may have to undo and repeat it: see `isTakenId`. */
  recordWithin(db: WriteDb, scope: Scope, event: EventToRecord): Promise<Recorded>;
  /** An event with its commissions as they stand. NOT_FOUND. */
  readEvent(context: RequestContext, eventId: string): Promise<StoredEvent>;
  listEvents(context: RequestContext, query: List): Promise<Page<StoredEvent>>;
  /** NOT_FOUND. */
  explain(context: RequestContext, eventId: string): Promise<ExplainAnswer>;
  /** One batch of the sweep that forgives debts in time; returns how many clawbacks it dealt with. */
  writeOffDue(db: WriteDb, scope: Scope): Promise<number>;
}

export interface EventsDeps extends Omit<ReversalDeps & PurchaseDeps, 'parsePlan'> {
  frames: Frames;
  plans: PlansService;
  cursors: Cursors;
}

export function createEventsService(deps: EventsDeps): EventsService {
  const { frames, plans, cursors } = deps;
  const parts = { ...deps, parsePlan: plans.parse };

  function recordWithin(db: WriteDb, scope: Scope, event: EventToRecord): Promise<Recorded> {
    if (event.kind === 'purchase') return recordPurchase(db, scope, event.input, parts);
    if (event.kind === 'refund') return recordRefund(db, scope, event.input, parts);
    if (event.kind === 'chargeback') return recordChargeback(db, scope, event.input, parts);
    return recordManual(db, scope, event.input, parts);
  }

  return {
    recordWithin,

    async record({ scope, guard }, event) {
      const record = () => frames.write(scope, (db) => recordWithin(db, scope, event), { guard, repeatable: true });
      try {
        return await record();
      } catch (error) {
        if (!isTakenId(error)) throw error;
        return record(); // the same id was recorded meanwhile and is known now
      }
    },

    async readEvent({ scope }, eventId) {
      const [row] = await frames.readOnce(scope, eventByIdStatement(scope.tenantId, scope.environment, eventId));
      if (!row) throw new AppError('NOT_FOUND', 'No such event');
      return toStoredEvent(row);
    },

    async listEvents({ scope }, { limit, cursor, ...query }) {
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
      };
      const list = { scope, operationId: 'listEvents', filters };
      const afterId = cursors.open(cursor, list);
      const rows = await frames.read(scope, (db) => listEventRows(db, scope, filters, afterId, limit + 1));
      return cursors.page(rows, limit, list, (event) => event.eventId);
    },

    explain({ scope }, eventId) {
      return frames.read(scope, async (db) => {
        const row = await db.row(eventByIdStatement(scope.tenantId, scope.environment, eventId));
        if (!row) throw new AppError('NOT_FOUND', 'No such event');
        const event = toStoredEvent(row);
        const extras = await readExplainExtras(db, scope, eventId, event.planVersionId);
        return explanationOf(event, extras, extras.plan ? plans.parse(extras.plan.versionId, extras.plan.definition) : undefined);
      });
    },

    writeOffDue: (db, scope) => writeOffDebts(db, scope, deps),
  };
}

/** Whether recording lost a race for its external id, which is known now: run again, it finds the first answer. */
export function isTakenId(error: unknown): boolean {
  return violates(error, 'event_external_id_key') || violates(error, 'event_dispute_stage_key');
}
