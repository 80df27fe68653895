/** The statements of the overview and the search. */
import { read, type StatementRow } from '../../support/statements/statement-row.ts';

export const overviewStatements: StatementRow[] = [
  [
    'getOverview',
    ({ client }) => client.get('/api/v1/admin/overview'),
    200,
    read(
      'overview_frame',
      'overview_commissions',
      'overview_joined',
      'overview_reviews',
      'overview_held',
      'overview_payouts',
      'overview_changes',
      'overview_endpoints',
    ),
  ],
  [
    'searchAll by a name',
    ({ client }) => client.get('/api/v1/admin/search?q=ada'),
    200,
    read('search_members', 'search_events', 'search_leads', 'search_codes', 'search_links', 'search_api_keys'),
  ],
  [
    'searchAll by an id',
    ({ client, deep }) => client.get(`/api/v1/admin/search?q=${deep[0]?.id}`),
    200,
    read(
      'search_members',
      'search_events',
      'search_commissions',
      'search_leads',
      'search_codes',
      'search_links',
      'search_payout_runs',
      'search_payouts',
      'search_api_keys',
    ),
  ],
];
