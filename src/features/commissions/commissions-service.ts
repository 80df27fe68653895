/** Commission lines: listing, explaining, holding, releasing, voiding, clearing. Source: api-decisions §5 and §6. */
import type { z } from 'zod';
import type { Frames, Scope, WriteDb } from '../../db/frame.ts';
import { AppError } from '../../errors.ts';
import type { CallContext, RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { adjustmentLine, familiesOf, moveAccounts, moveStrays, statusByClock } from './adjust-lines.ts';
import type { LineAction, LineStatus } from './commission-line.ts';
import type { listCommissions } from './commissions-operations.ts';
import {
  type Commission,
  commissionStatement,
  listCommissions as listCommissionRows,
  toCommission,
} from './commissions-queries.ts';
import { postLines } from './journal.ts';
import { clearDueLines, insertAction } from './line-changes-queries.ts';
import { type LineHistory, readLineHistory } from './line-history-queries.ts';
import { changeLineStatuses, isInDispute, type LockedLine, lockFamilyOf, readScopeNow } from './line-locks-queries.ts';
import { adjustTo, carrierOf, type Family } from './reverse-lines.ts';

type List = z.output<(typeof listCommissions)['query'] & {}>;

export interface CommissionsService {
  list(context: RequestContext, query: List): Promise<Page<Commission>>;
  /** NOT_FOUND. */
  read(context: RequestContext, lineId: string): Promise<Commission>;
  /** The line with everything that became of it. NOT_FOUND. */
  readWithHistory(context: RequestContext, lineId: string): Promise<{ line: Commission; history: LineHistory }>;
  /** Acts on the line together with what is linked to it. NOT_FOUND, STATE_CONFLICT. */
  act(context: CallContext, lineId: string, action: LineAction, reason: string | null): Promise<Commission>;
  /** One batch of the clearing sweep; returns how many lines it cleared. */
  clearDue(db: WriteDb, scope: Scope): Promise<number>;
}

/** Statuses an action can begin from. Source: api-decisions §5. */
const FROM: Record<LineAction, readonly LineStatus[]> = {
  hold: ['pending', 'cleared'],
  release: ['held'],
  void: ['pending', 'held', 'cleared'],
};

/** Two postings a member and currency at most, below the 32,767 a journal can number; larger batches have fewer sums to post. */
export const CLEARING_BATCH = 15_000;

export function createCommissionsService({ frames, cursors }: { frames: Frames; cursors: Cursors }): CommissionsService {
  async function find(scope: Scope, lineId: string): Promise<Commission> {
    const [row] = await frames.readOnce(scope, commissionStatement(scope.tenantId, scope.environment, lineId));
    if (!row) throw noSuchLine();
    return toCommission(row);
  }

  return {
    async list({ scope }, { limit, cursor, ...filters }) {
      const list = { scope, operationId: 'listCommissions', filters };
      const afterId = cursors.open(cursor, list);
      const { userId, eventId, status, kind, level, currency, period } = filters;
      const rows = await frames.read(scope, (db) =>
        listCommissionRows(db, scope, { userId, eventId, status, kind, level, currency, period }, afterId, limit + 1),
      );
      return cursors.page(rows, limit, list, (line) => line.id);
    },

    read: ({ scope }, lineId) => find(scope, lineId),

    readWithHistory: ({ scope }, lineId) =>
      frames.read(scope, async (db) => {
        const [row, history] = await Promise.all([
          db.row(commissionStatement(scope.tenantId, scope.environment, lineId)),
          readLineHistory(db, scope, lineId),
        ]);
        if (!row) throw noSuchLine();
        return { line: toCommission(row), history };
      }),

    act: ({ scope, guard }, lineId, action, reason) =>
      frames.write(
        scope,
        async (db) => {
          const [lines, now, inDispute] = await Promise.all([
            lockFamilyOf(db, scope, lineId),
            readScopeNow(db, scope),
            action === 'release' && isInDispute(db, scope, lineId),
          ]);
          const [family] = familiesOf(lines);
          if (!family) throw noSuchLine();
          const { status: from, holdCause } = carrierOf(family);
          if (!FROM[action].includes(from)) {
            throw new AppError('STATE_CONFLICT', `A ${from} commission cannot be ${PAST[action]}`);
          }
          const members = [family.original, ...family.linked].filter((line) => FROM.void.includes(line.status));
          if (action === 'void') await voidFamily(db, scope, family, { lineId, from, now, reason, keyId: scope.keyId });
          else {
            // Held for something else, it has yet to wait for the dispute; a hold for the dispute itself may be released.
            const cause = action === 'hold' ? 'manual' : inDispute && holdCause !== 'dispute' ? 'dispute' : null;
            await moveFamily(db, scope, members, cause, { action, lineId, from, now, reason, keyId: scope.keyId });
          }
          const row = await db.row(commissionStatement(scope.tenantId, scope.environment, lineId));
          if (!row) throw new Error('a locked line vanished');
          return toCommission(row);
        },
        { guard },
      ),

    clearDue: (db, scope) => clearDueLines(db, scope, CLEARING_BATCH),
  };
}

const PAST: Record<LineAction, string> = { hold: 'held', release: 'released', void: 'voided' };

interface Acting {
  lineId: string;
  from: LineStatus;
  now: Date;
  reason: string | null;
  keyId: string;
}

/** On hold for the cause, or back to where the clock has each line. */
async function moveFamily(
  db: WriteDb,
  scope: Scope,
  members: readonly LockedLine[],
  holdCause: 'manual' | 'dispute' | null,
  acting: Acting & { action: 'hold' | 'release' },
): Promise<void> {
  const moves = members.map((line) => ({
    line,
    to: holdCause === null ? statusByClock(line.clearsAt, acting.now) : ('held' as const),
  }));
  await changeLineStatuses(
    db,
    scope,
    moves.map(({ line, to }) => ({
      lineId: line.id,
      status: to,
      holdCause,
      holdReason: holdCause === 'manual' ? acting.reason : null,
    })),
  );
  await insertAction(db, scope, {
    ...acting,
    fromStatus: acting.from,
    toStatus: moves[0]?.to ?? acting.from,
    line: undefined,
    postings: moveAccounts(moves),
  });
}

/** Takes back all that is left, with a line and a journal of its own; the whole family is reversed. */
async function voidFamily(db: WriteDb, scope: Scope, family: Family<LockedLine>, acting: Acting): Promise<void> {
  const adjustment = adjustTo(family, family.original.amountMinor);
  if (!adjustment) throw new AppError('STATE_CONFLICT', 'Nothing is left of this commission');
  const { line, posted } = adjustmentLine(adjustment, acting.now);
  await changeLineStatuses(
    db,
    scope,
    adjustment.nowReversed.map((member) => ({ lineId: member.id, status: 'reversed', holdCause: null, holdReason: null })),
  );
  await insertAction(db, scope, {
    ...acting,
    action: 'void',
    fromStatus: acting.from,
    toStatus: 'reversed',
    line: { ...line, eventId: family.original.eventId },
    postings: [
      ...postLines([posted], {
        against: family.original.kind === 'write_off' ? 'company:write_off' : 'company:commission_expense',
      }),
      ...moveStrays(adjustment),
    ],
  });
}

function noSuchLine(): AppError {
  return new AppError('NOT_FOUND', 'No such commission');
}
