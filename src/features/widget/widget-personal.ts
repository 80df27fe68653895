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
      schema: z.array(z.object({ id: uuid, createdAt: timestamp, endsAt: timestamp, endedAt: timestamp.nullable() })),
      list: widgetSessionsOfMember,
    },
  ],
};
