/** The statements of the operations of the list of members and their summaries. */
import { alone, read, type StatementRow } from '../../support/statements/statement-row.ts';

export const memberStatements: StatementRow[] = [
  ['listMembers of 1', ({ client }) => client.get('/api/v1/members?limit=1&name=a'), 200, read('built')],
  [
    'listMembers of 100',
    ({ client }) => client.get('/api/v1/members?limit=100&joinedTo=2099-01-01T00:00:00Z'),
    200,
    read('built'),
  ],
  [
    'listMembers by name, named and nameless',
    ({ client }) => client.get('/api/v1/members?limit=100&sort=name'),
    200,
    read('built', 'built'),
  ],
  [
    'listMembers by joining, the last first',
    ({ client }) => client.get('/api/v1/members?limit=2&sort=-joined'),
    200,
    read('built'),
  ],
  [
    'getCommissionBreakdown',
    ({ client, chain }) => client.get(`/api/v1/members/${chain[4]?.id}/commissions/breakdown`),
    200,
    alone('members_breakdown'),
  ],
  [
    'getTaxSummary',
    ({ client, chain }) => client.get(`/api/v1/members/${chain[4]?.id}/tax-summary/2026`),
    200,
    alone('members_tax_summary'),
  ],
  [
    'getReferralStats of one with 61 recruits',
    ({ client, chain }) => client.get(`/api/v1/members/${chain[0]?.id}/referral-stats`),
    200,
    alone('members_referral_stats'),
  ],
  [
    'getTeamStats',
    ({ client, chain }) => client.get(`/api/v1/members/${chain[4]?.id}/team-stats?period=2026-01`),
    200,
    alone('members_team_stats'),
  ],
];
