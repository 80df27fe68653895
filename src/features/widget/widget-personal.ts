/** What is held of whom widgets were shown to. */
import { z } from 'zod';
import type { Personal } from '../../house/personal.ts';
import { timestamp, uuid } from '../../http/schemas.ts';
import { eraseWidgetSessions, eraseWidgetTokens, widgetSessionsOfMember } from './widget-queries.ts';

export const widgetPersonal: Personal = {
  erase: [eraseWidgetTokens, eraseWidgetSessions],
  exported: [
    {
      name: 'widgetSessions',
      schema: z
        .array(
          z.object({
            id: uuid.meta({ description: 'Of the session' }),
            createdAt: timestamp.meta({ description: 'When it was begun' }),
            endsAt: timestamp.meta({ description: 'When it ends at the latest' }),
            endedAt: timestamp.nullable().meta({ description: 'When it was ended before that; null: it was not' }),
          }),
        )
        .meta({ description: 'Sessions of the widget that were begun for the member' }),
      list: widgetSessionsOfMember,
    },
  ],
};
