/** The reads of the tree over HTTP: whole answers, and lists paged to their end. */
import { expect } from 'vitest';
import type { ApiClient } from '../app/api-client.ts';

export interface ListedNode {
  userId: string;
  email: string;
  name: string | null;
  givenName: string | null;
  surname: string | null;
  membershipTier: string;
  isActive: boolean;
  depth: number;
  directReferrals: number;
  totalDownline: number;
  joinedAt: string;
}

export interface TreeNode extends ListedNode {
  children: TreeNode[];
}

export interface TreeAnswer {
  tree: TreeNode;
  meta: { maxDepth: number; includeInactive: boolean; totalNodes: number; truncated: boolean };
}

export interface RelationshipAnswer {
  connected: boolean;
  relationship: string;
  distance: number;
  path: TreeNode[];
}

export interface ListedMember extends ListedNode {
  sponsorId: string | null;
}

export interface ListAnswer {
  data: ListedMember[];
  hasMore: boolean;
  nextCursor: string | null;
  truncated?: boolean;
}

export const SORTS = ['joinedAt', '-joinedAt', 'depth', 'totalDownline'] as const;
export type Sort = (typeof SORTS)[number];

async function read<Body>(client: ApiClient, path: string): Promise<Body> {
  const answer = await client.get(path);
  expect(answer.status, `${path} ${answer.status === 200 ? '' : answer.text}`).toBe(200);
  return answer.body as Body;
}

const membersPath = '/api/v1/members';

export const readTree = (client: ApiClient, id: string, query = ''): Promise<TreeAnswer> =>
  read(client, `${membersPath}/${id}/genealogy?${query}`);

export const readRelationship = (client: ApiClient, id: string, targetId: string): Promise<RelationshipAnswer> =>
  read(client, `${membersPath}/${id}/relationship/${targetId}`);

export const readPage = (
  client: ApiClient,
  id: string,
  list: 'downline' | 'upline',
  query: string,
  cursor: string | null = null,
): Promise<ListAnswer> =>
  read(client, `${membersPath}/${id}/${list}?${query}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);

export interface WholeList {
  members: ListedMember[];
  pages: ListAnswer[];
}

/**
 * All pages. `limitOf` draws the limit of each. No page is larger than its limit, and none but the last
 * says that it is.
 */
export async function readList(
  client: ApiClient,
  id: string,
  list: 'downline' | 'upline',
  query: string,
  limitOf: (page: number) => number,
): Promise<WholeList> {
  const pages: ListAnswer[] = [];
  for (let cursor: string | null = null; pages.length === 0 || cursor !== null; ) {
    const limit = limitOf(pages.length);
    const page = await readPage(client, id, list, `${query}&limit=${limit}`, cursor);
    expect(page.data.length).toBeLessThanOrEqual(limit);
    expect(page.hasMore).toBe(page.nextCursor !== null);
    if (page.hasMore) expect(page.truncated ?? false).toBe(false);
    pages.push(page);
    if (pages.length > 20_000) throw new Error('a list does not end');
    cursor = page.nextCursor;
  }
  return { members: pages.flatMap(({ data }) => data), pages };
}

export const idsOf = (members: readonly { userId: string }[]): string[] => members.map(({ userId }) => userId);

/** A tree's nodes, level by level, each level from left to right. */
export function levelsOf(tree: TreeNode): TreeNode[][] {
  const levels: TreeNode[][] = [];
  for (let level = [tree]; level.length > 0; level = level.flatMap(({ children }) => children)) levels.push(level);
  return levels;
}
