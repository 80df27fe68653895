/** The statements of the operations of the widget. */
import { type StatementRow, write } from '../../support/statements/statement-row.ts';
import { beginWidget, ORIGIN, TOKENS } from '../../support/widget/widget-session.ts';

export const widgetStatements: StatementRow[] = [
  [
    'createWidgetToken',
    ({ client, chain }) => client.post(TOKENS, { userId: chain[0]?.id, allowedOrigins: [ORIGIN] }),
    201,
    write('widget_lock_member', 'widget_insert_session', 'widget_insert_token'),
  ],
  [
    'refreshWidgetToken',
    async ({ client, chain, forget }) => {
      const { sessionId } = await beginWidget(client, chain[0]?.id ?? '');
      forget();
      return client.post(`${TOKENS}/refresh`, { sessionId });
    },
    200,
    write('widget_lock_session', 'widget_insert_token'),
  ],
  [
    'endWidgetSession',
    async ({ client, chain, forget }) => {
      const { sessionId } = await beginWidget(client, chain[0]?.id ?? '');
      forget();
      return client.delete(`${TOKENS}/${sessionId}`);
    },
    200,
    write('widget_end_session', 'audit_insert'),
  ],
];
