import { camelCursor } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import type { ChildrenService } from './children-service.ts';
import type { DownlineService } from './downline-service.ts';
import { getGenealogy, getRelationship, listChildren, listDownline, listRoots, listUpline } from './genealogy-operations.ts';
import type { GenealogyService, Relationship, Tree } from './genealogy-service.ts';
import { pathPieces, toNode, treePieces } from './tree-json.ts';
import type { LevelMember, TreeMember } from './tree-member.ts';

export function genealogyRoutes(genealogy: GenealogyService, downline: DownlineService, children: ChildrenService): Route[] {
  return [
    route(
      getGenealogy,
      ({ params, query, ...context }) => genealogy.readTree(context, params.userId, query),
      (tree) => ({ status: 200, pieces: treeAnswer(tree) }),
    ),
    route(
      listDownline,
      ({ params, query, ...context }) => downline.listDownline(context, params.userId, query),
      ({ members, nextCursor, truncated }) => ({ status: 200, body: { ...pageBody(members, nextCursor), truncated } }),
    ),
    route(
      listChildren,
      ({ params, query, ...context }) => children.listChildren(context, params.userId, query),
      ({ rows, nextCursor }) => ({ status: 200, body: levelBody(rows, nextCursor) }),
    ),
    route(
      listRoots,
      ({ query, ...context }) => children.listRoots(context, query),
      ({ rows, nextCursor }) => ({ status: 200, body: levelBody(rows, nextCursor) }),
    ),
    route(
      listUpline,
      ({ params, query, ...context }) => genealogy.listUpline(context, params.userId, query),
      ({ rows, nextCursor }) => ({ status: 200, body: pageBody(rows, nextCursor) }),
    ),
    route(
      getRelationship,
      ({ params, ...context }) => genealogy.relate(context, params.userId, params.targetUserId),
      (found) => ({ status: 200, pieces: relationshipAnswer(found) }),
    ),
  ];
}

const toListed = (member: TreeMember) => ({ ...toNode(member), sponsorId: member.sponsorId });

const pageBody = (members: readonly TreeMember[], nextCursor: string | null) => ({
  data: members.map(toListed),
  ...camelCursor(nextCursor),
});

const levelBody = (members: readonly LevelMember[], nextCursor: string | null) => ({
  data: members.map((member) => {
    const { activeDownline, commissionsThisMonth } = member;
    return { ...toListed(member), activeDownline, ...(commissionsThisMonth !== undefined && { commissionsThisMonth }) };
  }),
  ...camelCursor(nextCursor),
});

function* treeAnswer({ members, maxDepth, includeInactive, truncated }: Tree): Generator<string> {
  yield '{"tree":';
  yield* treePieces(members);
  yield `,"meta":${JSON.stringify({ maxDepth, includeInactive, totalNodes: members.length, truncated })}}`;
}

function* relationshipAnswer({ relationship, distance, path }: Relationship): Generator<string> {
  yield `${JSON.stringify({ connected: relationship !== 'none', relationship, distance }).slice(0, -1)},"path":[`;
  yield* pathPieces(path);
  yield ']}';
}
