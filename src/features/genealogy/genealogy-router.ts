import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import type { DownlineService } from './downline-service.ts';
import { getGenealogy, getRelationship, listDownline, listUpline } from './genealogy-operations.ts';
import type { GenealogyService, Relationship, Tree } from './genealogy-service.ts';
import type { TreeMember } from './node.ts';
import { pathPieces, toNode, treePieces } from './tree-json.ts';

export function mountGenealogy(router: Router, mount: Mount, genealogy: GenealogyService, downline: DownlineService): void {
  mount(
    router,
    getGenealogy,
    ({ params, query, ...context }) => genealogy.readTree(context, params.userId, query),
    (tree) => ({ status: 200, pieces: treeAnswer(tree) }),
  );
  mount(
    router,
    listDownline,
    ({ params, query, ...context }) => downline.listDownline(context, params.userId, query),
    ({ members, nextCursor, truncated }) => ({ status: 200, body: { ...pageBody(members, nextCursor), truncated } }),
  );
  mount(
    router,
    listUpline,
    ({ params, query, ...context }) => genealogy.listUpline(context, params.userId, query),
    ({ rows, nextCursor }) => ({ status: 200, body: pageBody(rows, nextCursor) }),
  );
  mount(
    router,
    getRelationship,
    ({ params, ...context }) => genealogy.relate(context, params.userId, params.targetUserId),
    (found) => ({ status: 200, pieces: relationshipAnswer(found) }),
  );
}

const pageBody = (members: readonly TreeMember[], nextCursor: string | null) => ({
  data: members.map((member) => ({ ...toNode(member), sponsorId: member.sponsorId })),
  hasMore: nextCursor !== null,
  nextCursor,
});

function* treeAnswer({ members, maxDepth, includeInactive, truncated }: Tree): Generator<string> {
  yield '{"tree":';
  yield* treePieces(members);
  yield `,"meta":${JSON.stringify({ maxDepth, includeInactive, totalNodes: members.length, truncated })}}`;
}

function* relationshipAnswer({ relationship, path }: Relationship): Generator<string> {
  const distance = Math.max(0, path.length - 1);
  yield `${JSON.stringify({ connected: relationship !== 'none', relationship, distance }).slice(0, -1)},"path":[`;
  yield* pathPieces(path);
  yield ']}';
}
