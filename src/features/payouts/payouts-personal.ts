/** What is held of how a member is paid. What was paid stays. */
import { z } from 'zod';
import type { ActingScope } from '../../actor.ts';
import type { WriteDb } from '../../db/scope.ts';
import type { Person, Personal } from '../../house/personal.ts';
import { currency, timestamp, uuid } from '../../http/schemas.ts';
import { tellAccount, tellPayouts } from './payouts-events.ts';
import {
  accountsOfMember,
  eraseAccounts,
  eraseHoldReason,
  erasePayoutTexts,
  holdJson,
  holdOpenPayouts,
  ownedStatement,
} from './personal-queries.ts';

const nullable = z.string().nullable();

async function tellErased(db: WriteDb, scope: ActingScope, { memberId }: Person): Promise<void> {
  const owned = await db.row(ownedStatement(scope, { memberId }));
  for (const id of owned?.accountIds ?? []) {
    tellAccount(db, scope.provenance, 'payout_account.deactivated', { id, memberId });
  }
  if (owned?.hasPayouts) tellPayouts(db, scope.provenance, 'payouts.updated', { userId: memberId });
}

export const payoutsPersonal: Personal = {
  eraseBefore: holdOpenPayouts,
  erase: [eraseAccounts, eraseHoldReason, erasePayoutTexts],
  erased: tellErased,
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
