/** A member's downline as a list: which of its statements answers a page, and where the next one begins. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { RequestContext } from '../../http/operation.ts';
import type { Cursors } from '../../http/pagination.ts';
import {
  downlineSize,
  GATHER_LIMIT,
  gatherLargest,
  gatherNewest,
  gatherOldest,
  LEVELS_LIMIT,
  type ListedRow,
  listLevels,
  STEPS_LIMIT,
  WALK_LIMIT,
  walkLargest,
  walkLeaves,
  walkNewest,
  walkOldest,
} from './downline-queries.ts';
import type { listDownline } from './genealogy-operations.ts';
import { refuseOthers } from './genealogy-service.ts';
import { maskFor, type Viewer } from './open/mask-person.ts';
import { type TreeMember, toTreeMember } from './tree-member.ts';

type Query = z.output<(typeof listDownline)['query'] & {}>;

export interface DownlinePage {
  members: TreeMember[];
  nextCursor: string | null;
  /** There are more members than levels are listed of. */
  truncated: boolean;
}

export interface DownlineService {
  /** One page of everybody below a member. USER_NOT_FOUND. */
  listDownline(context: RequestContext, memberId: string, query: Query): Promise<DownlinePage>;
}

/** Where a page ended: behind which member, and by what it was in its place. */
interface Position {
  /** How the first page was made; the pages behind it are made alike. */
  how: 'gather' | 'levels' | 'walk' | 'leaves';
  id: string | null;
  /** Its total, or its depth among levels; null in an order that does not go by a number. */
  at: number | null;
}

interface Found {
  rows: ListedRow[];
  /** Null behind the last page. */
  next: Position | null;
  truncated?: boolean;
}

interface Page {
  db: Db;
  scope: Scope;
  memberId: string;
  query: Query;
  from: Position;
}

/** Before everybody: while a move is not folded, members of the downline may have larger totals than its top. */
const LARGEST = { id: 'ffffffff-ffff-ffff-ffff-ffffffffffff', at: 2_147_483_647 };

interface Deps {
  frames: Frames;
  cursors: Cursors;
  viewerOf(scope: Scope): Promise<Viewer>;
}

export function createDownlineService({ frames, cursors, viewerOf }: Deps): DownlineService {
  return {
    async listDownline({ scope }, memberId, { cursor, ...query }) {
      const { sort, includeInactive } = query;
      const list = { scope, operationId: 'listDownline', filters: { memberId, sort, includeInactive } };
      const opened = cursors.open(cursor, list);
      const viewer = await viewerOf(scope);
      refuseOthers(viewer, memberId);
      if (viewer.visibility === 'counts') return { members: [], nextCursor: null, truncated: true };
      // One state of the database: a walk ends where its page was looked for.
      const read = async (db: Db): Promise<Found> => {
        const size = await db.row(downlineSize(scope, { memberId }));
        if (!size) throw new AppError('USER_NOT_FOUND', 'No such member');
        const from = opened === undefined ? beginOf(sort, size.total) : (JSON.parse(opened) as Position);
        return findPage({ db, scope, memberId, query, from });
      };
      const found = await frames.read(scope, read, { snapshot: true });
      return {
        members: found.rows.map((row) => maskFor(viewer, toTreeMember(row))),
        nextCursor: found.next && cursors.seal(JSON.stringify(found.next), list),
        truncated: found.truncated ?? false,
      };
    },
  };
}

function beginOf(sort: Query['sort'], total: number): Position {
  if (sort === 'depth') return { how: 'levels', id: null, at: 0 };
  if (total <= GATHER_LIMIT) return { how: 'gather', id: null, at: null };
  return { how: 'walk', ...(sort === 'totalDownline' ? LARGEST : { id: null, at: null }) };
}

function findPage(page: Page): Promise<Found> {
  switch (page.from.how) {
    case 'gather':
      return gather(page);
    case 'levels':
      return levels(page);
    default:
      return walk(page);
  }
}

const baseOf = ({ memberId, query, from }: Page) => ({
  memberId,
  includeInactive: query.includeInactive,
  count: query.limit + 1,
  afterId: from.id,
});

async function gather(page: Page): Promise<Found> {
  const { db, scope, query, from } = page;
  const base = baseOf(page);
  const rows = await db.rows(
    query.sort === 'totalDownline'
      ? gatherLargest(scope, { ...base, afterTotal: from.at })
      : (query.sort === 'joinedAt' ? gatherOldest : gatherNewest)(scope, base),
  );
  return cut(rows, query.limit, (last) => ({ ...from, id: last.id, at: query.sort === 'totalDownline' ? last.at : null }));
}

async function levels(page: Page): Promise<Found> {
  const { db, scope, query, from } = page;
  const place = { ...baseOf(page), afterDepth: from.at ?? 0, levelsLimit: LEVELS_LIMIT };
  const rows = await db.rows(listLevels(scope, place));
  const found = cut(rows, query.limit, (last) => ({ ...from, id: last.id, at: last.at }));
  return { ...found, truncated: found.next === null && rows.some((row) => row.cut) };
}

/** A page of a walk; those without a downline follow the others. */
async function walk(page: Page): Promise<Found> {
  const { db, scope, query, from } = page;
  const largest = query.sort === 'totalDownline';
  const statements =
    from.how === 'leaves' ? walkLeaves : largest ? walkLargest : query.sort === 'joinedAt' ? walkOldest : walkNewest;
  const looked = { ...baseOf(page), afterTotal: from.at, walkLimit: WALK_LIMIT, stepsLimit: STEPS_LIMIT };
  const rows = await db.rows(statements.page(scope, looked));
  if (rows.length > query.limit) {
    return cut(rows, query.limit, (last) => ({ ...from, id: last.id, at: from.at === null ? null : last.at }));
  }
  const end = await db.row(statements.end(scope, looked));
  if (end?.more) return { rows, next: { ...from, id: end.id, at: from.at === null ? null : end.total } };
  const more = from.how === 'walk' && largest;
  return { rows, next: more ? { how: 'leaves', id: null, at: null } : null };
}

/** Rows were read one more than `limit`. */
function cut(rows: ListedRow[], limit: number, positionOf: (last: ListedRow) => Position): Found {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  return { rows: kept, next: rows.length > limit && last ? positionOf(last) : null };
}
