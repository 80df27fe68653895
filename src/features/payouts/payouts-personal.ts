/** What is held of how a member is paid. What was paid stays. */
import { z } from 'zod';
import type { Personal } from '../../house/personal.ts';
import { currency, timestamp, uuid } from '../../http/schemas.ts';
import {
  accountsOfMember,
  eraseAccounts,
  eraseHoldReason,
  erasePayoutTexts,
  holdJson,
  holdOpenPayouts,
} from './personal-queries.ts';

const nullable = z.string().nullable();

export const payoutsPersonal: Personal = {
  eraseBefore: holdOpenPayouts,
  erase: [eraseAccounts, eraseHoldReason, erasePayoutTexts],
  exported: [
    {
      name: 'payoutHold',
      schema: z
        .object({ reason: z.string(), until: timestamp.nullable(), createdAt: timestamp })
        .nullable()
        .meta({ description: 'Also one that has ended' }),
      json: holdJson,
    },
    {
      name: 'payoutAccounts',
      schema: z
        .array(
          z.object({
            id: uuid,
            providerType: z.string(),
            methodType: z.string(),
            displayName: z.string(),
            bankName: nullable,
            country: z.string(),
            currency,
            isPrimary: z.boolean(),
            status: z.string(),
            statusReason: nullable,
            tosAcceptance: z.record(z.string(), z.unknown()).nullable(),
            createdAt: timestamp,
          }),
        )
        .meta({ description: 'Without the numbers, of which only the end is shown' }),
      list: accountsOfMember,
    },
  ],
};
