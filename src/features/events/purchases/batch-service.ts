/** Many events in one transaction, each behind a savepoint of its own. Source: docs/specification/events.md#batch. */
import type { z } from 'zod';
import type { ActingScope } from '../../../actor.ts';
import { type Constraints, fromDatabaseError } from '../../../db/constraints.ts';
import type { Frames } from '../../../db/frame.ts';
import { withSavepoint } from '../../../db/savepoint.ts';
import type { WriteDb } from '../../../db/scope.ts';
import { isTransient } from '../../../db/transaction.ts';
import { AppError, invalidFields } from '../../../errors.ts';
import { inPlainWords, toFieldFaults } from '../../../http/field-faults.ts';
import type { CallContext, Caller, Operation } from '../../../http/operation.ts';
import { requireRight } from '../../../http/rights.ts';
import type { PendingChangesOffers } from '../../pending-changes/pending-changes-feature.ts';
import type { SentKind } from '../event-kinds.ts';
import type { EventsService, EventToRecord } from '../events-service.ts';
import { isTakenId } from '../events-service.ts';
import { manualBody, recordManualCommission } from '../manual/manual-operations.ts';
import type { HoldManual } from '../manual/record-manual.ts';
import { type Purchase, purchaseOf } from '../open/purchase.ts';
import { purchaseBody } from '../open/purchase-body.ts';
import type { Recorded } from '../recorded-event.ts';
import { chargebackBody, recordChargeback, recordRefund, refundBody } from '../reversals/reversal-operations.ts';
import { awaitTurn } from './batch-queries.ts';
import { recordPurchase } from './purchase-operations.ts';

const EVENTS: Record<SentKind, z.ZodType<EventToRecord>> = {
  purchase: purchaseBody.transform((body) => ({ kind: 'purchase', purchase: purchaseOf(body) })),
  refund: refundBody.transform((input) => ({ kind: 'refund', input })),
  chargeback: chargebackBody.transform((input) => ({ kind: 'chargeback', input })),
  commission: manualBody.transform((input) => ({ kind: 'commission', input })),
};

/** What an event of each kind needs, alone and in a batch. Source: docs/specification/identity.md#rights. */
const SCOPES: Record<SentKind, Operation['scope']> = {
  purchase: recordPurchase.scope,
  refund: recordRefund.scope,
  chargeback: recordChargeback.scope,
  commission: recordManualCommission.scope,
};

/** An event that was recorded, or why it was refused. */
export type BatchOutcome = { recorded: Recorded } | { error: AppError };

export type BatchItem = { externalEventId: string | null } & BatchOutcome;

export interface BatchService {
  /** Records events in order; a refused one, also for want of its own right, changes nothing. With `validateOnly` nothing is stored. */
  record(
    context: CallContext,
    batch: { events: readonly ({ kind: SentKind } & Record<string, unknown>)[]; validateOnly: boolean },
  ): Promise<BatchItem[]>;
  /** Purchases in order, inside the caller's transaction, which waits for the scope's other batches. */
  recordWithin(db: WriteDb, scope: ActingScope, purchases: readonly Purchase[]): Promise<BatchOutcome[]>;
}

const NONE_BY_HAND: HoldManual = () => Promise.reject(new Error('a purchase is not recorded by hand'));

/** Thrown to undo a batch that was only to be validated. */
class Undo extends Error {}

export function createBatchService({
  frames,
  events,
  constraints,
  refuseToWait,
}: {
  frames: Frames;
  events: EventsService;
  constraints: Constraints;
  refuseToWait: PendingChangesOffers['refuseToWait'];
}): BatchService {
  async function recordItem(
    db: WriteDb,
    context: CallContext,
    item: { kind: SentKind } & Record<string, unknown>,
  ): Promise<BatchItem> {
    const { scope } = context;
    const { kind, ...fields } = item;
    const externalEventId = typeof fields['external_event_id'] === 'string' ? fields['external_event_id'] : null;
    const missing = findMissingRight(scope, kind);
    if (missing) return { externalEventId, error: missing };
    const parsed = EVENTS[kind].safeParse(fields, inPlainWords);
    if (!parsed.success) return { externalEventId, error: invalidFields(toFieldFaults(parsed.error)) };
    return { externalEventId, ...(await recordEvent(db, scope, parsed.data, refusing(context))) };
  }

  /** An item cannot wait: the others would be taken without it. */
  function refusing({ scope }: CallContext): HoldManual {
    return (db, effects) => refuseToWait(db, scope, effects, 'POST /events/commission');
  }

  async function recordEvent(db: WriteDb, scope: ActingScope, event: EventToRecord, hold: HoldManual): Promise<BatchOutcome> {
    const record = () => withSavepoint(db, () => events.recordWithin(db, scope, event, hold));
    try {
      return { recorded: await record().catch((error: unknown) => again(error, record)) };
    } catch (error) {
      const refusal = error instanceof AppError ? error : fromDatabaseError(error, constraints);
      // Not the event's fault: the whole batch is run again, or answered with a 503 and can be sent again.
      if (isTransient(error) || !refusal || refusal.status >= 500) throw error;
      return { error: refusal };
    }
  }

  return {
    async recordWithin(frameDb, scope, purchases) {
      const db: WriteDb = { ...frameDb, lastRow: (statement) => frameDb.row(statement) };
      await awaitTurn(db, scope);
      const outcomes: BatchOutcome[] = [];
      for (const purchase of purchases) outcomes.push(await recordEvent(db, scope, { kind: 'purchase', purchase }, NONE_BY_HAND));
      return outcomes;
    },

    record: (context, { events: items, validateOnly }) =>
      frames.write(
        context.scope,
        async (frameDb) => {
          // The commit may not travel behind any one event's last statement: more follow.
          const db: WriteDb = { ...frameDb, lastRow: (statement) => frameDb.row(statement) };
          const results: BatchItem[] = [];
          await awaitTurn(db, context.scope);
          const all = async (): Promise<void> => {
            for (const item of items) results.push(await recordItem(db, context, item));
            if (validateOnly) throw new Undo();
          };
          await withSavepoint(db, all).catch((error: unknown) => {
            if (!(error instanceof Undo)) throw error;
          });
          return results;
        },
        { guard: context.guard, shape: context.shape, repeatable: true },
      ),
  };
}

/** The refusal that the event would meet alone. */
function findMissingRight(caller: Caller, kind: SentKind): AppError | undefined {
  try {
    requireRight(caller, SCOPES[kind], `an event of the kind ${kind}`);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function again(error: unknown, record: () => Promise<Recorded>): Promise<Recorded> {
  if (!isTakenId(error)) throw error;
  return record();
}
