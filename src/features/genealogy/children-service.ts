/** One level of the tree. Source: docs/specification/hierarchy.md#children. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { CallContext, Caller } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { holdsRight } from '../../http/rights.ts';
import { foldName } from '../../http/schemas.ts';
import { majorSum } from '../../money.ts';
import { type LevelPlace, type LevelRow, listLevel } from './children-queries.ts';
import { earnedThisMonth } from './commissions-this-month-queries.ts';
import type { listChildren, listRoots } from './genealogy-operations.ts';
import { refuseOthers } from './genealogy-service.ts';
import { maskFor, type Viewer } from './open/mask-person.ts';
import { type LevelMember, type MonthsCommissions, toTreeMember } from './tree-member.ts';
import { membersExist } from './upline-queries.ts';

type ChildrenQuery = z.output<(typeof listChildren)['query'] & {}>;
type RootsQuery = z.output<(typeof listRoots)['query'] & {}>;

export interface ChildrenService {
  /** One page of a member's own recruits. USER_NOT_FOUND; FORBIDDEN where names are asked for that the caller may not see. */
  listChildren(context: CallContext, memberId: string, query: ChildrenQuery): Promise<Page<LevelMember>>;
  /** One page of those without a sponsor; for callers that see all. */
  listRoots(context: CallContext, query: RootsQuery): Promise<Page<LevelMember>>;
}

interface Deps {
  frames: Frames;
  cursors: Cursors;
  viewerOf(scope: Scope): Promise<Viewer>;
}

export function createChildrenService({ frames, cursors, viewerOf }: Deps): ChildrenService {
  /** What is asked for of a level. 400 for a cursor that is not of this list. */
  function open(scope: Scope, operationId: string, { memberId, q, sort, cursor }: RootsQuery & { memberId?: string }) {
    const text = q === undefined ? undefined : foldName(q.trim());
    const list = { scope, operationId, filters: { memberId, sort, text } };
    const opened = cursors.open(cursor, list);
    return { list, level: { memberId, sort, text, from: opened === undefined ? undefined : placeOf(opened) } };
  }

  return {
    async listChildren({ scope }, memberId, { limit, ...query }) {
      const { list, level } = open(scope, 'listChildren', { ...query, limit, memberId });
      const viewer = await viewerOf(scope);
      refuseOthers(viewer, memberId);
      if (viewer.visibility !== 'full' && (query.q !== undefined || query.sort === 'name')) {
        throw new AppError('FORBIDDEN', 'Members see no whole names here, so none is searched or sorted by');
      }
      if (viewer.visibility === 'counts') return { rows: [], nextCursor: null };
      return frames.read(scope, async (db) => {
        const found = await listLevel(db, scope, { ...level, count: limit + 1 });
        if (found.length === 0 && !(await db.row(membersExist(scope, { ids: [memberId] })))) {
          throw new AppError('USER_NOT_FOUND', 'No such member');
        }
        const page = cursors.page(found, limit, list, positionOf);
        const members = await shown(db, scope, page.rows, query.with);
        return { ...page, rows: members.map((member) => maskFor(viewer, member)) };
      });
    },

    async listRoots({ scope }, { limit, ...query }) {
      const { list, level } = open(scope, 'listRoots', { ...query, limit });
      return frames.read(scope, async (db) => {
        const found = await listLevel(db, scope, { ...level, count: limit + 1 });
        const page = cursors.page(found, limit, list, positionOf);
        return { ...page, rows: await shown(db, scope, page.rows, query.with) };
      });
    },
  };
}

/** The rows as members; with what they earned this month where that is asked for. */
async function shown(db: Db, scope: Caller, rows: readonly LevelRow[], more: RootsQuery['with']): Promise<LevelMember[]> {
  const members = rows.map((row): LevelMember => ({ ...toTreeMember(row), activeDownline: row.active }));
  if (more === undefined || members.length === 0) return members;
  // A bearer token sees the lines of its own member alone, and its own member is on none of its levels.
  if (scope.member || !holdsRight(scope, 'commissions:read')) {
    return members.map((member) => ({ ...member, commissionsThisMonth: null }));
  }
  const earned = await db.rows(earnedThisMonth(scope, { ids: members.map(({ id }) => id) }));
  const sums = new Map(
    earned.map(({ id, month, currency, amount }): [string, MonthsCommissions] => [
      id,
      { month, currency, ...majorSum('totalAmount', amount, currency) },
    ]),
  );
  return members.map((member) => ({ ...member, commissionsThisMonth: sums.get(member.id) ?? null }));
}

/** As a cursor holds it. The key is last, for it may be any text. */
function positionOf({ part, id, key }: LevelPlace): string {
  return `${part} ${id} ${key}`;
}

function placeOf(position: string): LevelPlace {
  const [part = '', id = ''] = position.split(' ', 2);
  return { part: Number(part), id, key: position.slice(part.length + id.length + 2) };
}
