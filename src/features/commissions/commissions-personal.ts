/** What a member has earned. It is exported, and stays when the member is erased but for the reasons that people wrote. */
import { z } from 'zod';
import type { Personal } from '../../house/personal.ts';
import { amountMinorOut, currency, timestamp, uuid } from '../../http/schemas.ts';
import { commissionsOfMember, eraseReasons, owedToMember } from './personal-queries.ts';

export const commissionsPersonal: Personal = {
  eraseBefore: eraseReasons,
  owed: owedToMember,
  exported: [
    {
      name: 'commissions',
      schema: z.array(
        z.object({
          id: uuid,
          eventId: uuid,
          kind: z.string(),
          status: z.string(),
          level: z.int(),
          amountMinor: amountMinorOut,
          currency,
          occurredAt: timestamp,
        }),
      ),
      list: commissionsOfMember,
    },
  ],
};
