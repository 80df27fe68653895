/** The statements of the operations of receipts. */
import { newLead } from '../../support/statements/made-before.ts';
import { read, type StatementRow } from '../../support/statements/statement-row.ts';

export const attributionStatements: StatementRow[] = [
  ['listAttributions of 1', ({ client }) => client.get('/api/v1/referrals/attributions?limit=1'), 200, read('built')],
  ['listAttributions of 100', ({ client }) => client.get('/api/v1/referrals/attributions?limit=100'), 200, read('built')],
  [
    'getAttribution',
    async (world) => world.client.get(`/api/v1/referrals/attributions/${(await newLead(world)).attribution_receipt_id}`),
    200,
    read('attribution_find_receipt'),
  ],
];
