/** Money that was paid outside the service. Source: docs/specification/payouts.md#settlements. */
import type { z } from 'zod';
import { violates } from '../../../db/constraints.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Db, WriteDb } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import type { CallContext, RequestContext } from '../../../http/operation.ts';
import type { Cursors, Page } from '../../../http/pagination.ts';
import { minorSum } from '../../../money.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { memberExists } from '../accounts/payout-accounts-queries.ts';
import { payoutsErrors } from '../open/payouts-errors.ts';
import { postMoves } from '../payouts/payout-changes-queries.ts';
import { findPayout, type Payout } from '../payouts/payouts-queries.ts';
import { amountOf, type PayoutBooks, settlePayout } from '../payouts/settle-payout.ts';
import type { PayoutFreeze } from '../reconcile/freeze.ts';
import { lockDraftsOf } from '../runs/draft-queries.ts';
import type { createSettlement, listSettlements as listOperation } from './settlements-operations.ts';
import {
  findSettlement,
  hasChanged,
  type Inserted,
  insertSettlement,
  listSettlements,
  lockMemberToSettle,
  type NewSettlement,
} from './settlements-queries.ts';

type Create = z.output<(typeof createSettlement)['body'] & {}>;
type List = z.output<(typeof listOperation)['query'] & {}>;

export interface SettlementsService {
  /** USER_NOT_FOUND, STATE_CONFLICT, AMOUNT_NOT_SETTLEABLE, PAYOUTS_FROZEN. */
  create(context: CallContext, memberId: string, input: Create): Promise<Payout>;
  /** USER_NOT_FOUND. */
  list(context: RequestContext, memberId: string, query: List): Promise<Page<Payout>>;
}

export function createSettlementsService({
  frames,
  cursors,
  books,
  freeze,
}: {
  frames: Frames;
  cursors: Cursors;
  books: PayoutBooks;
  freeze: Pick<PayoutFreeze, 'refuse'>;
}): SettlementsService {
  /** Executed and settled as a payout by hand, in one transaction. */
  async function pay(db: WriteDb, { scope }: CallContext, payoutId: string, settlement: NewSettlement): Promise<void> {
    // In one go, yet in this order: lines before debts, as refunds take them; what is judged is read behind the locks.
    const [, , changed] = await Promise.all([
      books.lines.lock(db, scope, [payoutId]),
      books.debts.lock(db, scope, [settlement]),
      hasChanged(db, scope, payoutId, settlement),
    ]);
    if (changed) throw beingChanged();
    const move = { cause: 'payout_processing', from: 'member:cleared', to: 'member:processing' } as const;
    await Promise.all([
      books.lines.move(db, scope, [payoutId], { from: 'cleared', to: 'processing' }),
      postMoves(db, scope, [payoutId], move),
    ]);
    const { reference } = settlement;
    await settlePayout(books, db, scope, { payoutId, outcome: 'paid', reference, by: scope.provenance });
  }

  return {
    create: (context, memberId, input) =>
      frames.write(
        context.scope,
        async (db) => {
          const { scope } = context;
          await freeze.refuse(db);
          // In this order: drafts hold the first while they write rows of members.
          const [, member] = await Promise.all([
            lockDraftsOf(db, scope, input.currency),
            lockMemberToSettle(db, scope, memberId),
          ]);
          if (!member) throw noSuchMember();
          if (member.isTestUser && scope.environment === 'LIVE') {
            throw conflict('A test member is paid nothing in LIVE', { reason: 'TEST_USER' });
          }
          const known = await findSettlement(db, scope, memberId, input.reference);
          if (known) throw conflict('A settlement of the member has this reference', { payoutId: known.id });
          const settlement = { ...input, memberId, by: scope.provenance.actor };
          const inserted = await insertUnlessTaken(db, scope, settlement);
          const { payoutId } = inserted;
          if (payoutId === null) throw notSettleable(inserted);
          await pay(db, context, payoutId, settlement);
          await recordAudit(db, scope, {
            action: 'member.settled',
            by: scope.provenance,
            objectKind: 'member',
            objectId: memberId,
            details: { payoutId, ...amountOf(input) },
          });
          const payout = await findPayout(db, scope, payoutId);
          if (!payout) throw new Error('a settlement vanished');
          return payout;
        },
        { guard: context.guard, shape: context.shape },
      ),

    async list({ scope }, memberId, { limit, cursor }) {
      const identity = { scope, operationId: 'listSettlements', filters: { memberId } };
      const beforeId = cursors.open(cursor, identity);
      const [exists, rows] = await frames.read(scope, (db) =>
        Promise.all([memberExists(db, scope, memberId), listSettlements(db, scope, memberId, beforeId, limit + 1)]),
      );
      if (!exists) throw noSuchMember();
      return cursors.page(rows, limit, identity, ({ id }) => id);
    },
  };
}

async function insertUnlessTaken(db: Db, ...settlement: Rest<typeof insertSettlement>): Promise<Inserted> {
  try {
    return await insertSettlement(db, ...settlement);
  } catch (error) {
    if (!violates(error, 'payout_line_live_key')) throw error;
    throw beingChanged(error);
  }
}

type Rest<Fn> = Fn extends (first: Db, ...rest: infer Others) => unknown ? Others : never;

function notSettleable({ clearedMinor, nearestBelowMinor, nearestAboveMinor }: Inserted): AppError {
  const nearest = (name: string, amount: bigint | null) => (amount === null ? { [name]: null } : minorSum(name, amount));
  return new AppError(payoutsErrors.AMOUNT_NOT_SETTLEABLE, 'Whole cleared commissions do not come to the amount', {
    details: {
      ...minorSum('clearedMinor', clearedMinor),
      ...nearest('nearestBelowMinor', nearestBelowMinor),
      ...nearest('nearestAboveMinor', nearestAboveMinor),
    },
  });
}

function beingChanged(cause?: unknown): AppError {
  return new AppError('STATE_CONFLICT', 'The commissions of the member are being changed; try again', { cause });
}

function conflict(message: string, details: Record<string, unknown>): AppError {
  return new AppError('STATE_CONFLICT', message, { details });
}

function noSuchMember(): AppError {
  return new AppError('USER_NOT_FOUND', 'No such member');
}
