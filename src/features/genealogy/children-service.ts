/** One level of the tree. Source: docs/specification/hierarchy.md#children. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { Scope } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { foldName } from '../../http/schemas.ts';
import { type LevelPlace, listLevel } from './children-queries.ts';
import type { listChildren, listRoots } from './genealogy-operations.ts';
import { refuseOthers } from './genealogy-service.ts';
import { maskFor, type Viewer } from './open/mask-person.ts';
import { type TreeMember, toTreeMember } from './tree-member.ts';
import { membersExist } from './upline-queries.ts';

type ChildrenQuery = z.output<(typeof listChildren)['query'] & {}>;
type RootsQuery = z.output<(typeof listRoots)['query'] & {}>;

export interface ChildrenService {
  /** One page of a member's own recruits. USER_NOT_FOUND; FORBIDDEN where names are asked for that the caller may not see. */
  listChildren(context: RequestContext, memberId: string, query: ChildrenQuery): Promise<Page<TreeMember>>;
  /** One page of those without a sponsor; for callers that see all. */
  listRoots(context: RequestContext, query: RootsQuery): Promise<Page<TreeMember>>;
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
      const rows = await frames.read(scope, async (db) => {
        const found = await listLevel(db, scope, { ...level, count: limit + 1 });
        if (found.length > 0 || (await db.row(membersExist(scope, { ids: [memberId] })))) return found;
        throw new AppError('USER_NOT_FOUND', 'No such member');
      });
      const page = cursors.page(rows, limit, list, positionOf);
      return { ...page, rows: page.rows.map((row) => maskFor(viewer, toTreeMember(row))) };
    },

    async listRoots({ scope }, { limit, ...query }) {
      const { list, level } = open(scope, 'listRoots', { ...query, limit });
      const rows = await frames.read(scope, (db) => listLevel(db, scope, { ...level, count: limit + 1 }));
      const page = cursors.page(rows, limit, list, positionOf);
      return { ...page, rows: page.rows.map(toTreeMember) };
    },
  };
}

/** As a cursor holds it. The key is last, for it may be any text. */
function positionOf({ part, id, key }: LevelPlace): string {
  return `${part} ${id} ${key}`;
}

function placeOf(position: string): LevelPlace {
  const [part = '', id = ''] = position.split(' ', 2);
  return { part: Number(part), id, key: position.slice(part.length + id.length + 2) };
}
