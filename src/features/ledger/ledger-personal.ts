/** What the ledger holds of a member. It is exported, and stays when the member is erased. */
import { z } from 'zod';
import type { Personal } from '../../house/personal.ts';
import { currency, minorSumOut, timestamp, uuid } from '../../http/schemas.ts';
import { postingsOfMember } from './personal-queries.ts';

export const ledgerPersonal: Personal = {
  exported: [
    {
      name: 'ledgerEntries',
      schema: z.array(
        z.object({
          journalId: uuid,
          seq: z.int(),
          account: z.string(),
          ...minorSumOut('amountMinor'),
          amountMinorExact: z.string().nullable().meta({ description: 'The digits of `amountMinor` where that is null' }),
          currency,
          causeType: z.string(),
          causeId: uuid,
          recordedAt: timestamp,
        }),
      ),
      list: postingsOfMember,
    },
  ],
};
