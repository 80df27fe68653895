/** The statements of the operations of the tree. */
import { alone, read, type StatementRow } from '../../support/statements/statement-row.ts';

const downlineStatements = {
  joinedAt: 'built',
  '-joinedAt': 'built',
  totalDownline: 'built',
  depth: 'genealogy_levels',
};

export const genealogyStatements: StatementRow[] = [
  [
    'getGenealogy of 1',
    ({ client, deep }) => client.get(`/api/v1/members/${deep[0]?.id}/genealogy`),
    200,
    alone('genealogy_tree'),
  ],
  [
    'getGenealogy of 60',
    ({ client, chain }) => client.get(`/api/v1/members/${chain[0]?.id}/genealogy?depth=10`),
    200,
    alone('genealogy_tree'),
  ],
  ...(['joinedAt', '-joinedAt', 'totalDownline', 'depth'] as const).flatMap((sort) =>
    [1, 100].map(
      (limit): StatementRow => [
        `listDownline by ${sort}, ${limit}`,
        ({ client, chain }) => client.get(`/api/v1/members/${chain[0]?.id}/downline?sort=${sort}&limit=${limit}`),
        200,
        read('genealogy_downline_size', downlineStatements[sort]),
      ],
    ),
  ),
  ...[1, 100].map(
    (limit): StatementRow => [
      `listChildren, ${limit}`,
      ({ client, chain }) => client.get(`/api/v1/members/${chain[0]?.id}/children?limit=${limit}`),
      200,
      read('built'),
    ],
  ),
  [
    'listChildren, largest first to the end',
    ({ client, chain }) => client.get(`/api/v1/members/${chain[0]?.id}/children?sort=-totalDownline&limit=100`),
    200,
    read('built', 'built'),
  ],
  [
    'listChildren of nobody',
    ({ client, deep }) => client.get(`/api/v1/members/${deep[0]?.id}/children`),
    200,
    read('built', 'genealogy_members_exist'),
  ],
  [
    'listChildren, largest first of those searched',
    ({ client, chain }) => client.get(`/api/v1/members/${chain[0]?.id}/children?sort=-totalDownline&q=example&limit=100`),
    200,
    read('built'),
  ],
  ...[1, 100].map(
    (limit): StatementRow => [
      `listChildren with commissions, ${limit}`,
      ({ client, chain }) => client.get(`/api/v1/members/${chain[0]?.id}/children?with=commissions&limit=${limit}`),
      200,
      read('built', 'genealogy_earned_this_month'),
    ],
  ),
  [
    'listRoots with commissions',
    ({ client }) => client.get('/api/v1/members/roots?with=commissions&limit=1'),
    200,
    read('built', 'genealogy_earned_this_month'),
  ],
  ...['', '&q=example&sort=-totalDownline'].map(
    (more): StatementRow => [
      `listRoots${more}`,
      ({ client }) => client.get(`/api/v1/members/roots?limit=1${more}`),
      200,
      read('built'),
    ],
  ),
  [
    'listUpline of 45',
    ({ client, deep }) => client.get(`/api/v1/members/${deep[0]?.id}/upline?limit=100`),
    200,
    alone('genealogy_upline'),
  ],
  [
    'getRelationship',
    ({ client, chain, deep }) => client.get(`/api/v1/members/${deep[0]?.id}/relationship/${chain[4]?.id}`),
    200,
    alone('genealogy_path'),
  ],
  [
    'getRelationship, none',
    async ({ client, deep, forget }) => {
      const stranger = await client.newMember();
      forget();
      return client.get(`/api/v1/members/${deep[0]?.id}/relationship/${stranger.id}`);
    },
    200,
    [...alone('genealogy_path'), ...alone('genealogy_members_exist')],
  ],
];
