/** The public contract of the tree: docs/specification/hierarchy.md#reading-the-tree. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { camelListOf, pageQuery } from '../../http/pagination.ts';
import {
  currency,
  emailOut,
  majorSumOut,
  membershipTier,
  queryBoolean,
  queryInteger,
  text,
  timestamp,
  uuid,
} from '../../http/schemas.ts';
import { CHILD_SORTS } from './children-queries.ts';

/** A cursor of names holds one. */
const MAX_CURSOR = 2500;

/** What every node shows; validated one by one, so that a large tree does not hold up others. */
const treeFields = {
  userId: uuid.meta({ description: 'The member' }),
  email: emailOut.nullable().meta({ description: 'Null where a bearer token may not see it' }),
  name: z.string().nullable().meta({ description: 'For most bearer tokens the first name and an initial' }),
  givenName: z.string().nullable().meta({ description: 'First name; null: not known' }),
  surname: z.string().nullable().meta({ description: 'Family name; null: not known' }),
  membershipTier,
  isActive: z.boolean().meta({ description: 'Whether the member is active' }),
  depth: z.int().meta({ description: 'Levels from where the answer starts; in a path the index' }),
  directReferrals: z.int().meta({ description: 'Exact: all direct recruits, shown or not, active or not' }),
  totalDownline: z.int().meta({ description: 'Exact: the whole downline, shown or not, active or not' }),
  joinedAt: timestamp.meta({ description: 'When the member joined' }),
};

export const bareNode = z.object(treeFields);

/** As it is documented; answers are written node by node (tree-json.ts). */
const genealogyNode: z.ZodType = bareNode
  .extend({
    children: z.array(z.lazy(() => genealogyNode)).meta({ description: 'Those directly below, down to the depth asked for' }),
  })
  .meta({ id: 'GenealogyNode' });

const listedMember = bareNode.extend({ sponsorId: uuid.nullable() }).meta({ id: 'DownlineMember' });

const includeInactive = queryBoolean.default(false).meta({
  description: 'Without it an inactive member is left out, and everything below it. Counts include inactive members always',
});

export const getGenealogy = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/genealogy',
  operationId: 'getGenealogy',
  group: 'Member summaries',
  summary: 'The tree below a member',
  description:
    'At most 5,000 members, level by level: a level is shown only when all above it are shown in full; the level that the limit falls into is cut at its end, in the order of sponsors and then of joining, and `meta.truncated` is true. Every page of a larger tree: `GET /members/{userId}/downline`.',
  scope: 'members:read',
  member: 'downline',
  params: z.strictObject({ userId: uuid }),
  query: z.strictObject({
    depth: queryInteger(1, 10).default(3).meta({ description: 'Levels below the member' }),
    includeInactive,
  }),
  success: [{ status: 200, meaning: 'The tree' }],
  response: z.object({
    tree: genealogyNode.meta({ description: 'The member and those below' }),
    meta: z.object({
      maxDepth: z.int().meta({ description: 'The depth asked for' }),
      includeInactive: z.boolean().meta({ description: 'Whether inactive members are shown' }),
      totalNodes: z.int().meta({ description: 'Nodes in this answer' }),
      truncated: z.boolean().meta({ description: 'More members match than an answer holds' }),
    }),
  }),
  errors: ['USER_NOT_FOUND'],
});

const memberPage = camelListOf(listedMember);

export const listDownline = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/downline',
  operationId: 'listDownline',
  group: 'Member summaries',
  summary: "A member's downline as a list",
  description:
    'Every member below, at any depth. By `depth` levels are listed whole until 100,000 members have been listed; `truncated` on the last page says that there are more. In a downline of more than 20,000 members, `totalDownline` goes by the counts of about a second ago (those shown are exact), and a page may hold fewer members than `limit`, even none, while `hasMore` is true.',
  scope: 'members:read',
  member: 'downline',
  params: z.strictObject({ userId: uuid }),
  query: z.strictObject({
    sort: z.enum(['joinedAt', '-joinedAt', 'depth', 'totalDownline']).default('joinedAt').meta({
      description: '`joinedAt`: the oldest first, `-joinedAt`: the newest; `depth`: the nearest; `totalDownline`: the largest',
    }),
    includeInactive,
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: memberPage.extend({ truncated: z.boolean() }),
  errors: ['USER_NOT_FOUND'],
});

const levelMember = listedMember
  .extend({
    activeDownline: z.int().meta({ description: 'Exact: of the whole downline those who are active' }),
    commissionsThisMonth: z
      .object({ month: z.string().meta({ description: 'YYYY-MM' }), currency, ...majorSumOut('totalAmount') })
      .nullable()
      .optional()
      .meta({
        description:
          "With `with=commissions`: the member's own lines of sales of the present local month, in the tenant's currency; reversed ones count nowhere. Null for a key or role without `commissions:read`, and for a bearer token",
      }),
  })
  .meta({ id: 'TreeLevelMember' });

const levelPage = camelListOf(levelMember);

/** Of one level. */
const levelQuery = z.strictObject({
  sort: z.enum(CHILD_SORTS).default('joinedAt').meta({
    description:
      '`joinedAt`: the oldest first; `-totalDownline`: the largest first, then those without a downline; `name`: those without one last',
  }),
  q: text(255).optional().meta({ description: 'What the name or the email has in it, without regard to case' }),
  with: z.enum(['commissions']).optional().meta({ description: 'Each row with its `commissionsThisMonth`' }),
  ...pageQuery,
  cursor: pageQuery.cursor
    .unwrap()
    .max(MAX_CURSOR)
    .optional()
    .meta(pageQuery.cursor.meta() ?? {}),
});

export const listChildren = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/children',
  operationId: 'listChildren',
  group: 'Member summaries',
  summary: "A member's own recruits, one level of the tree",
  description:
    'Everybody whose sponsor is the member, active or not. The counts of each are exact. `-totalDownline` goes by the counts of about a second ago. A bearer token that does not see others whole may neither give `q` nor sort by `name`.',
  scope: 'members:read',
  member: 'downline',
  params: z.strictObject({ userId: uuid }),
  query: levelQuery,
  success: [{ status: 200, meaning: 'One page' }],
  response: levelPage,
  errors: ['USER_NOT_FOUND'],
});

export const listRoots = defineOperation({
  method: 'get',
  path: '/api/v1/members/roots',
  operationId: 'listRoots',
  group: 'Member summaries',
  summary: 'Members without a sponsor, the first level of the tree',
  description:
    'Everybody who has no sponsor, active or not; `depth` is 0. The counts of each are exact. `-totalDownline` goes by the counts of about a second ago.',
  scope: 'members:read',
  query: levelQuery,
  success: [{ status: 200, meaning: 'One page' }],
  response: levelPage,
  errors: [],
});

export const listUpline = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/upline',
  operationId: 'listUpline',
  group: 'Member summaries',
  summary: "A member's upline, from its sponsor up",
  description: '`depth` is the distance from the member. The last one has no sponsor.',
  scope: 'members:read',
  params: z.strictObject({ userId: uuid }),
  query: z.strictObject(pageQuery),
  success: [{ status: 200, meaning: 'One page' }],
  response: memberPage,
  errors: ['USER_NOT_FOUND'],
});

export const getRelationship = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/relationship/{targetUserId}',
  operationId: 'getRelationship',
  group: 'Member summaries',
  summary: 'How two members stand to each other',
  description:
    'Seen from `userId`: `upline` says that the target is above. `crossline` members meet in an ancestor, and the path goes through it. `none`: they are in different trees, `distance` is 0 and the path is empty. The path holds both ends and starts at `userId`; its nodes have no children.',
  scope: 'members:read',
  member: 'self',
  params: z.strictObject({ userId: uuid, targetUserId: uuid }),
  success: [{ status: 200, meaning: 'Both members exist' }],
  response: z.object({
    connected: z.boolean().meta({ description: 'Whether one is above the other or both have a common upline' }),
    relationship: z.enum(['self', 'upline', 'downline', 'crossline', 'none']).meta({
      description:
        'What the second is to the first: its `upline` or `downline`; `crossline`: below a common upline; `self`: the same; `none`: of another tree',
    }),
    distance: z.int().meta({ description: 'Levels between the two; 0 of the same' }),
    path: z.array(genealogyNode).meta({ description: 'Members on the way from one to the other' }),
  }),
  errors: ['USER_NOT_FOUND'],
});
