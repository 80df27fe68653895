/**
 * Commission lines: listing, explaining, holding, releasing, voiding, clearing.
 * Source: docs/specification/commissions.md#states.
 */
import type { z } from 'zod';
import { type ActingScope, actorRef, bySystem } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import { type Db, isShownTo, type Scope, type WriteDb } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { ActingContext, RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { refuseBeyondLimit } from '../ledger/ledger-service.ts';
import { postLines } from '../ledger/open/journal.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import type { DerivationAnswer, listCommissions } from './commissions-operations.ts';
import { commissionStatement, listCommissions as listCommissionRows } from './commissions-queries.ts';
import { findLineSale } from './derivation-queries.ts';
import { deriveLine } from './derive-line.ts';
import { clearDueLines, insertAction } from './line-changes-queries.ts';
import { type LineHistory, readLineHistory } from './line-history-queries.ts';
import { changeLineStatuses, isInDispute, lockFamilyOf, readScopeNow } from './line-locks-queries.ts';
import { adjustmentLine, familiesOf, isToppedUpBy, moveAccounts, moveStrays, statusByClock } from './open/adjust-lines.ts';
import { clearedParts } from './open/cleared-parts.ts';
import type { CommissionLine, LineAction, LineStatus, NamedLine } from './open/commission-line.ts';
import type { LockedLine } from './open/line-locks.ts';
import { toNamedLine } from './open/line-rows.ts';
import type { PlanDefinition } from './open/plan-definition.ts';
import { adjustTo, carrierOf, type Family, isPaid, remainingOf } from './open/reverse-lines.ts';
import { toldLines } from './open/told-lines.ts';

type List = z.output<(typeof listCommissions)['query'] & {}>;

export interface ExplainedLine {
  line: NamedLine;
  /** Undefined of a line that no plan calculated. */
  derivation: DerivationAnswer | undefined;
  history: LineHistory;
}

export interface CommissionsService {
  list(context: RequestContext, query: List): Promise<Page<NamedLine>>;
  /** NOT_FOUND. */
  read(context: RequestContext, lineId: string): Promise<NamedLine>;
  /** The line, how it came about, and everything that became of it. NOT_FOUND. */
  explain(context: RequestContext, lineId: string): Promise<ExplainedLine>;
  /** Acts on the line together with what is linked to it; a void takes its top-ups with it. NOT_FOUND, STATE_CONFLICT. */
  act(context: ActingContext, lineId: string, action: LineAction, reason: string | null): Promise<NamedLine>;
  /** One batch of the clearing sweep; returns how many lines it cleared. */
  clearDue(db: WriteDb, scope: Scope, limit: number): Promise<number>;
}

/** Statuses an action can begin from. Source: docs/specification/commissions.md#actions. */
const FROM: Record<LineAction, readonly LineStatus[]> = {
  hold: ['pending', 'cleared'],
  release: ['held'],
  void: ['pending', 'held', 'cleared'],
};

/** Two postings a member and currency at most, below the 32,767 a journal can number; larger batches have fewer sums to post. */
export const CLEARING_BATCH = 15_000;

interface Deps {
  frames: Frames;
  cursors: Cursors;
  /** A published version's definition, checked. */
  parsePlan(versionId: string, definition: unknown): PlanDefinition;
}

export function createCommissionsService({ frames, cursors, parsePlan }: Deps): CommissionsService {
  async function find(scope: Scope, lineId: string): Promise<NamedLine> {
    const [row] = await frames.readOnce(scope, commissionStatement(scope, { lineId }));
    if (!row || !isShownTo(scope, row.beneficiary_id)) throw noSuchLine();
    return toNamedLine(row);
  }

  return {
    async list({ scope }, { limit, cursor, ...filters }) {
      const list = { scope, operationId: 'listCommissions', filters };
      const afterId = cursors.open(cursor, list);
      const { userId, eventId, status, kind, level, currency, period, createdFrom, createdTo, sort } = filters;
      const rows = await frames.read(scope, (db) =>
        listCommissionRows(
          db,
          scope,
          { userId, eventId, status, kind, level, currency, period, createdFrom, createdTo },
          { sort, afterId },
          limit + 1,
        ),
      );
      return cursors.page(rows, limit, list, (line) => line.id);
    },

    read: ({ scope }, lineId) => find(scope, lineId),

    explain: ({ scope }, lineId) =>
      frames.read(scope, async (db) => {
        const [row, sale, history] = await Promise.all([
          db.row(commissionStatement(scope, { lineId })),
          findLineSale(db, scope, lineId),
          readLineHistory(db, scope, lineId),
        ]);
        if (!row || !isShownTo(scope, row.beneficiary_id)) throw noSuchLine();
        const line = toNamedLine(row);
        return { line, derivation: sale && deriveLine(line, sale, parsePlan(sale.versionId, sale.definition)), history };
      }),

    act: ({ scope, guard, shape }, lineId, action, reason) =>
      frames.write(
        scope,
        async (db) => {
          const [lines, now, inDispute] = await Promise.all([
            lockFamilyOf(db, scope, lineId),
            readScopeNow(db, scope),
            action === 'release' && isInDispute(db, scope, lineId),
          ]);
          const families = familiesOf(lines);
          const family = families.find(({ original, linked }) => [original, ...linked].some(({ id }) => id === lineId));
          if (!family) throw noSuchLine();
          const { status: from, holdCause } = carrierOf(family);
          if (!FROM[action].includes(from)) {
            throw new AppError('STATE_CONFLICT', `A ${from} commission cannot be ${PAST[action]}`);
          }
          const members = [family.original, ...family.linked].filter((line) => FROM.void.includes(line.status));
          const acting = { lineId, from, now, reason, createdBy: actorRef(scope.provenance.actor) };
          const lineIds = members.map(({ id }) => id);
          if (action === 'void') {
            lineIds.push(await voidFamily(db, scope, family, acting));
            for (const topUp of topUpsToVoid(family, families)) await voidTopUp(db, scope, topUp, acting);
          } else {
            // Held for something else, it has yet to wait for the dispute; a hold for the dispute itself may be released.
            const cause = action === 'hold' ? 'manual' : inDispute && holdCause !== 'dispute' ? 'dispute' : null;
            await moveFamily(db, scope, members, cause, { ...acting, action });
          }
          const row = await db.row(commissionStatement(scope, { lineId }));
          if (!row) throw new Error('a locked line vanished');
          const line = toNamedLine(row);
          tellMoved(db, scope, action, line, lineIds);
          await audit(db, scope, action, from, line);
          return line;
        },
        { guard, shape },
      ),

    async clearDue(db, scope, limit) {
      const { count, told } = await clearDueLines(db, scope, limit);
      for (const data of clearedParts(told)) {
        tell(db, bySystem('clear-commissions'), 'commissions.cleared', data.userId, { data, heard: true });
      }
      return count;
    },
  };
}

const PAST: Record<LineAction, string> = { hold: 'held', release: 'released', void: 'voided' };

interface Acting {
  lineId: string;
  from: LineStatus;
  now: Date;
  reason: string | null;
  createdBy: string;
}

/** All lines of the family that moved, which are locked, and the one that a void has made. */
function tellMoved(
  db: WriteDb,
  scope: ActingScope,
  action: LineAction,
  { id, eventId }: CommissionLine,
  lineIds: string[],
): void {
  if (action === 'void') {
    tell(db, scope.provenance, 'commission.voided', id);
    tell(db, scope.provenance, 'commissions.reversed', eventId, toldLines({ eventId, lineIds }));
    return;
  }
  for (const lineId of lineIds) tell(db, scope.provenance, `commission.${action === 'hold' ? 'held' : 'released'}`, lineId);
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

/** Takes back all that is left, with a line and a journal of its own; the whole family is reversed. Returns the line's id. */
async function voidFamily(db: WriteDb, scope: Scope, family: Family<LockedLine>, acting: Acting): Promise<string> {
  const adjustment = adjustTo(family, family.original.amountMinor);
  if (!adjustment) throw new AppError('STATE_CONFLICT', 'Nothing is left of this commission');
  const { line, posted } = adjustmentLine(adjustment, acting.now);
  const postings = [
    ...postLines([posted], {
      against: family.original.kind === 'write_off' ? 'company:write_off' : 'company:commission_expense',
    }),
    ...moveStrays(adjustment),
  ];
  await refuseBeyondLimit(db, scope, postings);
  await changeLineStatuses(
    db,
    scope,
    adjustment.nowReversed.map((member) => ({ lineId: member.id, status: 'reversed', holdCause: null, holdReason: null })),
  );
  const madeId = await insertAction(db, scope, {
    ...acting,
    action: 'void',
    fromStatus: acting.from,
    toStatus: 'reversed',
    line: { ...line, eventId: family.original.eventId },
    postings,
  });
  if (madeId === undefined) throw new Error('a void has made no line');
  return madeId;
}

/** What is left of its top-ups: of those that were paid out only charges, which nothing would stand behind. */
function topUpsToVoid({ original }: Family<LockedLine>, families: readonly Family<LockedLine>[]): Family<LockedLine>[] {
  return families.filter(
    (family) =>
      isToppedUpBy(original, family.original) &&
      !family.linked.some(({ isVoid }) => isVoid) &&
      remainingOf(family) !== 0n &&
      (family.original.amountMinor < 0n || FROM.void.includes(carrierOf(family).status)),
  );
}

/** Together with the line that it tops up. */
async function voidTopUp(db: WriteDb, scope: ActingScope, family: Family<LockedLine>, acting: Acting): Promise<void> {
  const { original, linked } = family;
  const { status: from } = carrierOf(family);
  const moved = [original, ...linked].filter((line) => FROM.void.includes(line.status)).map(({ id }) => id);
  const madeId = await voidFamily(db, scope, family, { ...acting, lineId: original.id, from });
  tellMoved(db, scope, 'void', original, [...moved, madeId]);
  await audit(db, scope, 'void', from, { ...original, status: isPaid(from) ? from : 'reversed' });
}

/** Without the reason, which is free text: the action keeps it. */
function audit(db: Db, scope: ActingScope, action: LineAction, from: LineStatus, line: CommissionLine): Promise<void> {
  return recordAudit(db, scope, {
    action: `commission.${PAST[action]}`,
    by: scope.provenance,
    objectKind: 'commission',
    objectId: line.id,
    details: { userId: line.beneficiaryId, from, to: line.status, amountMinor: `${line.amountMinor}`, currency: line.currency },
  });
}

function noSuchLine(): AppError {
  return new AppError('NOT_FOUND', 'No such commission');
}
