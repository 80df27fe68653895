/** One level of the tree. Source: docs/specification/hierarchy.md#children. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { Scope } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { foldName } from '../../http/schemas.ts';
import { CHILD_PARTS, type ChildRow } from './children-queries.ts';
import type { listChildren } from './genealogy-operations.ts';
import { refuseOthers } from './genealogy-service.ts';
import { maskFor, type Viewer } from './open/mask-person.ts';
import { type TreeMember, toTreeMember } from './tree-member.ts';
import { membersExist } from './upline-queries.ts';

type Query = z.output<(typeof listChildren)['query'] & {}>;

export interface ChildrenService {
  /** One page of a member's own recruits. USER_NOT_FOUND; FORBIDDEN where names are asked for that the caller may not see. */
  listChildren(context: RequestContext, memberId: string, query: Query): Promise<Page<TreeMember>>;
}

/** Where a page ended: in which part of the order, behind which member. */
interface Place {
  part: number;
  id: string;
  key: string;
}

interface Deps {
  frames: Frames;
  cursors: Cursors;
  viewerOf(scope: Scope): Promise<Viewer>;
}

export function createChildrenService({ frames, cursors, viewerOf }: Deps): ChildrenService {
  return {
    async listChildren({ scope }, memberId, { sort, q, limit, cursor }) {
      const text = q === undefined ? undefined : foldName(q.trim());
      const list = { scope, operationId: 'listChildren', filters: { memberId, sort, text } };
      const opened = cursors.open(cursor, list);
      const from = opened === undefined ? undefined : placeOf(opened);
      const viewer = await viewerOf(scope);
      refuseOthers(viewer, memberId);
      if (viewer.visibility !== 'full' && (text !== undefined || sort === 'name')) {
        throw new AppError('FORBIDDEN', 'Members see no whole names here, so none is searched or sorted by');
      }
      if (viewer.visibility === 'counts') return { rows: [], nextCursor: null };
      const rows = await frames.read(scope, async (db) => {
        const found: (ChildRow & { part: number })[] = [];
        for (const [part, statement] of CHILD_PARTS[sort].entries()) {
          if (found.length > limit || part < (from?.part ?? 0)) continue;
          const after = from?.part === part ? from : undefined;
          const more = await db.rows(
            statement(scope, {
              memberId,
              text,
              count: limit + 1 - found.length,
              afterId: after?.id,
              afterKey: after?.key === '' ? undefined : after?.key,
            }),
          );
          found.push(...more.map((row) => ({ ...row, part })));
        }
        if (found.length > 0 || (await db.row(membersExist(scope, { ids: [memberId] })))) return found;
        throw new AppError('USER_NOT_FOUND', 'No such member');
      });
      const page = cursors.page(rows, limit, list, positionOf);
      return { ...page, rows: page.rows.map((row) => maskFor(viewer, toTreeMember(row))) };
    },
  };
}

/** As a cursor holds it. The key is last, for it may be any text. */
function positionOf({ part, id, key }: Place): string {
  return `${part} ${id} ${key}`;
}

function placeOf(position: string): Place {
  const [part = '', id = ''] = position.split(' ', 2);
  return { part: Number(part), id, key: position.slice(part.length + id.length + 2) };
}
