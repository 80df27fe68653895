/** The tree below, above and between members. Source: api-decisions §2 (genealogy, relationship). */
import type { z } from 'zod';
import type { Frames, Scope } from '../../db/frame.ts';
import { AppError } from '../../errors.ts';
import type { RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import type { getGenealogy, listUpline } from './genealogy-operations.ts';
import { genealogyStatement } from './genealogy-queries.ts';
import { type TreeMember, toTreeMember } from './node.ts';
import { isBelowStatement, membersExist, pathStatement, uplineStatement } from './upline-queries.ts';

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
  /** From the member to the target, both included; empty when they are in different trees. */
  path: TreeMember[];
}

export interface GenealogyService {
  /** The tree below a member, at most TREE_LIMIT members. USER_NOT_FOUND. */
  readTree(context: RequestContext, memberId: string, query: TreeQuery): Promise<Tree>;
  /** From the sponsor up. USER_NOT_FOUND. */
  listUpline(context: RequestContext, memberId: string, query: UplineQuery): Promise<Page<TreeMember>>;
  /** How the target stands to the member. USER_NOT_FOUND when either does not exist. */
  relate(context: RequestContext, memberId: string, targetId: string): Promise<Relationship>;
  /** Whether the target is below the member; false when either does not exist. */
  isBelow(scope: Scope, memberId: string, targetId: string): Promise<boolean>;
}

export function createGenealogyService({ frames, cursors }: { frames: Frames; cursors: Cursors }): GenealogyService {
  return {
    async readTree({ scope }, memberId, { depth, includeInactive }) {
      const rows = await frames.readOnce(
        scope,
        genealogyStatement(scope.tenantId, scope.environment, memberId, depth, includeInactive, TREE_LIMIT + 1),
      );
      if (rows.length === 0) throw new AppError('USER_NOT_FOUND', 'No such member');
      return {
        members: rows.slice(0, TREE_LIMIT).map(toTreeMember),
        maxDepth: depth,
        includeInactive,
        truncated: rows.length > TREE_LIMIT,
      };
    },

    async listUpline({ scope }, memberId, { limit, cursor }) {
      const list = { scope, operationId: 'listUpline', filters: { memberId } };
      const [fromId = memberId, fromDepth = '0'] = cursors.open(cursor, list)?.split(' ') ?? [];
      const rows = await frames.readOnce(
        scope,
        uplineStatement(scope.tenantId, scope.environment, fromId, Number(fromDepth), limit + 1),
      );
      if (rows.length === 0) throw new AppError('USER_NOT_FOUND', 'No such member');
      return cursors.page(rows.slice(1).map(toTreeMember), limit, list, ({ id, depth }) => `${id} ${depth}`);
    },

    async relate({ scope }, memberId, targetId) {
      const rows = await frames.readOnce(scope, pathStatement(scope.tenantId, scope.environment, memberId, targetId));
      const [first] = rows;
      if (first) return { relationship: relationOf(first.above, first.below), path: rows.map(toTreeMember) };
      const found = await frames.readOnce(scope, membersExist(scope.tenantId, scope.environment, [memberId, targetId]));
      if (found.length < 2) throw new AppError('USER_NOT_FOUND', 'No such member');
      return { relationship: 'none', path: [] };
    },

    async isBelow(scope, memberId, targetId) {
      const [row] = await frames.readOnce(scope, isBelowStatement(scope.tenantId, scope.environment, memberId, targetId));
      return row?.below === true;
    },
  };
}

/** By the levels from the member up to where they meet, and from there down to the target. */
function relationOf(above: number, below: number): Relationship['relationship'] {
  if (above === 0 && below === 0) return 'self';
  if (below === 0) return 'upline';
  return above === 0 ? 'downline' : 'crossline';
}
