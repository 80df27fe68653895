/** What a page of the tree shows: some levels, each one page of a member's own recruits. Source: docs/specification/pages.md#tree. */
import { AppError } from '../../../errors.ts';
import type { PageContext } from '../../../pages/define-page.ts';
import { getRelationship, listChildren, listRoots, listUpline } from '../../genealogy/genealogy-operations.ts';
import { markOf } from './tree-marks.ts';
import { nodesOf, type TreeNode } from './tree-node.ts';

export const TEAM_NEEDS = [listRoots, listChildren, listUpline, getRelationship];

/** Rows that one opening brings. */
export const LEVEL_SIZE = 50;
/** Levels that a page opens by its address: more come one by one. */
export const MOST_OPEN = 10;
/** Levels that are read beside each other: each has a connection of its own, and others want some too. */
const AT_ONCE = 3;
/** Ancestors that are named above a team. */
const SHOWN_ABOVE = '5';

/** One page of the recruits of a member. */
export interface Level {
  rows: readonly TreeNode[];
  nextCursor: string | null;
}

export interface Team {
  /** Whose team it is; undefined for all roots. */
  top: TreeNode | undefined;
  /** From the sponsor up, a few. */
  upline: readonly (TreeNode & { sponsorId: string | null })[];
  /** The recruits of each member that is open, by its id; those of nobody are the roots, by ROOTS. */
  levels: ReadonlyMap<string, Level>;
  /** The way from below the top to the member that was looked for, by the id of each one's sponsor. */
  way: ReadonlyMap<string, TreeNode>;
  /** Who was looked for. */
  found: string | undefined;
}

export const ROOTS = '';
/** In the address: nothing is open. */
export const NONE_OPEN = '-';

type Page = Pick<PageContext, 'invoke' | 'query' | 'can'>;

/** USER_NOT_FOUND where there is no such member; undefined where the one that was looked for is not in reach below it. */
export async function readTeam(page: Page, topId: string | undefined): Promise<Team | undefined> {
  const { at, open } = page.query;
  const way = topId !== undefined && at !== undefined ? await wayDown(page, topId, at) : [];
  if (way === undefined) return undefined;
  const opened = [...new Set([...way.slice(0, -1).map(({ userId }) => userId), ...openIn(open)])];
  const ids = opened.filter((id) => id !== topId).slice(0, MOST_OPEN);
  const [top, upline, first] = await Promise.all([
    topId === undefined ? undefined : readNode(page, topId),
    topId === undefined ? undefined : page.invoke(listUpline, { params: { userId: topId }, query: { limit: SHOWN_ABOVE } }),
    readFirstLevel(page, topId),
  ]);
  const levels = new Map<string, Level>([[topId ?? ROOTS, first]]);
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    const read = await Promise.all(some.map((id) => readLevel(page, id).catch(nothingWhereGone)));
    for (const [index, level] of read.entries()) if (level) levels.set(some[index] ?? '', level);
  }
  await openOnlyRoot(page, levels);
  return {
    top,
    upline: upline?.data ?? [],
    levels,
    way: new Map(way.map((node, index) => [way[index - 1]?.userId ?? topId ?? ROOTS, node])),
    found: at,
  };
}

/** The level that the page itself is of: it may be filtered, and read on. */
export async function readFirstLevel(page: Page, topId: string | undefined): Promise<Level> {
  const { q, cursor } = page.query;
  return readLevel(page, topId, { q: q?.trim(), cursor });
}

async function readLevel(
  page: Page,
  userId: string | undefined,
  more: Readonly<Record<string, string | undefined>> = {},
): Promise<Level> {
  const query = {
    sort: page.query['sort'],
    with: markOf(page) === 'commissions' ? 'commissions' : undefined,
    limit: String(LEVEL_SIZE),
    ...more,
  };
  const { data, nextCursor } =
    userId === undefined
      ? await page.invoke(listRoots, { query })
      : await page.invoke(listChildren, { params: { userId }, query });
  return { rows: data, nextCursor };
}

/** The member itself with its counts: the way from it to itself. */
export async function readNode(page: Page, userId: string): Promise<TreeNode> {
  const { path } = await page.invoke(getRelationship, { params: { userId, targetUserId: userId } });
  const [node] = nodesOf(path);
  if (!node) throw new AppError('USER_NOT_FOUND', 'No such member');
  return node;
}

/** From below the top to the member; undefined where the top is not so many levels above it. */
async function wayDown(page: Page, topId: string, memberId: string): Promise<TreeNode[] | undefined> {
  if (memberId === topId) return [];
  const [upline, member] = await Promise.all([readUpline(page, memberId), readNode(page, memberId)]);
  const at = upline.findIndex(({ userId }) => userId === topId);
  return at === -1 ? undefined : [...upline.slice(0, at).toReversed(), member];
}

/** As far up as a page opens levels down. */
export async function readUpline(page: Page, memberId: string): Promise<readonly TreeNode[]> {
  const said = { params: { userId: memberId }, query: { limit: String(MOST_OPEN) } };
  return (await page.invoke(listUpline, said)).data;
}

/** A tree of one root says nothing as long as it is closed. */
async function openOnlyRoot(page: Page, levels: Map<string, Level>): Promise<void> {
  const { open, q, cursor } = page.query;
  const [root, another] = levels.get(ROOTS)?.rows ?? [];
  if (root === undefined || another !== undefined || open !== undefined || q !== undefined || cursor !== undefined) return;
  if (root.directReferrals > 0) levels.set(root.userId, await readLevel(page, root.userId));
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

function openIn(open: string | undefined): string[] {
  return (open ?? '').split('.').filter((id) => UUID.test(id));
}

/** Of an address that was kept: the member is gone since. */
function nothingWhereGone(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'USER_NOT_FOUND') return undefined;
  throw error;
}
