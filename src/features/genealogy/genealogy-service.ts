/** The tree below, above and between members. Source: docs/specification/hierarchy.md#reading-the-tree. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { Scope } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import type { getGenealogy, listUpline } from './genealogy-operations.ts';
import { genealogyStatement } from './genealogy-queries.ts';
import { DEFAULT_VISIBILITY } from './member-settings-part.ts';
import { maskFor, type Viewer } from './open/mask-person.ts';
import { type TreeMember, toTreeMember } from './tree-member.ts';
import { isBelowStatement, membersExist, pathStatement, uplineStatement } from './upline-queries.ts';
import { visibilityStatement } from './visibility-queries.ts';

type TreeQuery = z.output<(typeof getGenealogy)['query'] & {}>;
type UplineQuery = z.output<(typeof listUpline)['query'] & {}>;

/** Nodes of one answer. */
export const TREE_LIMIT = 5_000;

export interface Tree {
  /** The member first, then level by level. */
  members: TreeMember[];
  maxDepth: number;
  includeInactive: boolean;
  truncated: boolean;
}

export interface Relationship {
  relationship: 'self' | 'upline' | 'downline' | 'crossline' | 'none';
  distance: number;
  /** From the member to the target, both included; empty when they are in different trees, or for who sees counts alone. */
  path: TreeMember[];
}

export interface GenealogyService {
  /** The tree below a member, at most TREE_LIMIT members. USER_NOT_FOUND. */
  readTree(context: RequestContext, memberId: string, query: TreeQuery): Promise<Tree>;
  /** From the sponsor up. USER_NOT_FOUND. */
  listUpline(context: RequestContext, memberId: string, query: UplineQuery): Promise<Page<TreeMember>>;
  /** How the target stands to the member. USER_NOT_FOUND when either does not exist. */
  relate(context: RequestContext, memberId: string, targetId: string): Promise<Relationship>;
  /** Who looks, and what of others it sees by the tenant's settings. */
  viewerOf(scope: Scope): Promise<Viewer>;
  /** Whether the target is below the member; false when either does not exist. */
  isBelow(scope: Scope, memberId: string, targetId: string): Promise<boolean>;
}

export function createGenealogyService({ frames, cursors }: { frames: Frames; cursors: Cursors }): GenealogyService {
  const viewerOf = async (scope: Scope): Promise<Viewer> => {
    if (!scope.member) return { memberId: undefined, visibility: 'full' };
    const [row] = await frames.readOnce(scope, visibilityStatement(scope));
    return { memberId: scope.member.memberId, visibility: row?.downlineVisibility ?? DEFAULT_VISIBILITY };
  };

  return {
    viewerOf,

    async readTree({ scope }, memberId, { depth, includeInactive }) {
      const [viewer, rows] = await Promise.all([
        viewerOf(scope),
        frames.readOnce(scope, genealogyStatement(scope, { memberId, depth, includeInactive, count: TREE_LIMIT + 1 })),
      ]);
      refuseOthers(viewer, memberId);
      if (rows.length === 0) throw new AppError('USER_NOT_FOUND', 'No such member');
      const limit = viewer.visibility === 'counts' ? 1 : TREE_LIMIT;
      return {
        members: rows.slice(0, limit).map((row) => maskFor(viewer, toTreeMember(row))),
        maxDepth: depth,
        includeInactive,
        truncated: rows.length > limit,
      };
    },

    async listUpline({ scope }, memberId, { limit, cursor }) {
      const list = { scope, operationId: 'listUpline', filters: { memberId } };
      const [fromId = memberId, fromDepth = '0'] = cursors.open(cursor, list)?.split(' ') ?? [];
      const rows = await frames.readOnce(
        scope,
        uplineStatement(scope, { fromId, fromDepth: Number(fromDepth), count: limit + 1 }),
      );
      if (rows.length === 0) throw new AppError('USER_NOT_FOUND', 'No such member');
      return cursors.page(rows.slice(1).map(toTreeMember), limit, list, ({ id, depth }) => `${id} ${depth}`);
    },

    async relate({ scope }, memberId, targetId) {
      const [viewer, rows] = await Promise.all([
        viewerOf(scope),
        frames.readOnce(scope, pathStatement(scope, { memberId, targetId })),
      ]);
      const [first] = rows;
      if (first) {
        const shown = viewer.visibility === 'counts' && rows.length > 1 ? [] : rows;
        return {
          relationship: relationOf(first.above, first.below),
          distance: rows.length - 1,
          path: shown.map((row) => maskFor(viewer, toTreeMember(row))),
        };
      }
      const found = await frames.readOnce(scope, membersExist(scope, { ids: [memberId, targetId] }));
      if (found.length < 2) throw new AppError('USER_NOT_FOUND', 'No such member');
      return { relationship: 'none', distance: 0, path: [] };
    },

    async isBelow(scope, memberId, targetId) {
      const [row] = await frames.readOnce(scope, isBelowStatement(scope, { memberId, targetId }));
      return row?.below === true;
    },
  };
}

/** Who sees counts alone sees its own. */
export function refuseOthers({ memberId, visibility }: Viewer, wanted: string): void {
  if (visibility === 'counts' && wanted !== memberId) throw new AppError('FORBIDDEN', 'Members see no other members here');
}

/** By the levels from the member up to where they meet, and from there down to the target. */
function relationOf(above: number, below: number): Relationship['relationship'] {
  if (above === 0 && below === 0) return 'self';
  if (below === 0) return 'upline';
  return above === 0 ? 'downline' : 'crossline';
}
