/** The statements of the operations of saved views. */
import { randomUUID } from 'node:crypto';
import { alone, type StatementRow, write } from '../../support/statements/statement-row.ts';

const VIEWS = '/api/v1/admin/saved-views';
const view = () => ({ name: randomUUID(), page: '/members', query: { tier: 'SENIOR' } });

export const savedViewStatements: StatementRow[] = [
  ['listSavedViews', ({ client }) => client.get(VIEWS), 200, alone('saved_views_list')],
  ['saveView', ({ client }) => client.post(VIEWS, view()), 201, write('saved_views_save', 'audit_insert')],
  [
    'deleteSavedView',
    async ({ client, forget }) => {
      const { id } = (await client.post(VIEWS, view())).body;
      forget();
      return client.delete(`${VIEWS}/${id}`);
    },
    200,
    write('saved_views_delete', 'audit_insert'),
  ],
];
