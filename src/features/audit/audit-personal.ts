/** What the audit log holds of a member. It is exported, and stays when the member is erased. */
import { z } from 'zod';
import type { Personal } from '../../house/personal.ts';
import { timestamp, uuid } from '../../http/schemas.ts';
import { entriesOnMember } from './personal-queries.ts';

export const auditPersonal: Personal = {
  exported: [
    {
      name: 'auditEntries',
      schema: z
        .array(
          z.object({
            id: uuid,
            action: z.string(),
            actor: z.object({
              kind: z.string(),
              id: z.string().nullable().meta({ description: 'Null but for the member itself' }),
            }),
            details: z.record(z.string(), z.unknown()),
            createdAt: timestamp,
          }),
        )
        .meta({ description: 'On the member and on its verification' }),
      list: entriesOnMember,
    },
  ],
};
