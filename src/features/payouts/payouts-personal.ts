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
        .object({
          reason: z.string().meta({ description: 'Why, for the staff of the tenant' }),
          until: timestamp.nullable().meta({ description: 'When it ends by itself; null: when it is lifted' }),
          createdAt: timestamp.meta({ description: 'When it was set' }),
        })
        .nullable()
        .meta({ description: 'Also one that has ended; null: none' }),
      json: holdJson,
    },
    {
      name: 'payoutAccounts',
      schema: z
        .array(
          z.object({
            id: uuid.meta({ description: 'Of the account' }),
            providerType: z.string().meta({ description: 'Who pays to it: `manual` or `payvendor`' }),
            methodType: z.string().meta({ description: 'The payout method' }),
            displayName: z.string().meta({ description: 'With the end of the number alone' }),
            bankName: nullable.meta({ description: 'Name of the bank; null: not known' }),
            country: z.string().meta({ description: 'ISO 3166-1 alpha-2, of the bank' }),
            currency,
            isPrimary: z.boolean().meta({ description: 'Whether payouts prefer it' }),
            status: z.string().meta({ description: 'As in `GET /members/{userId}/payout-accounts`' }),
            statusReason: nullable.meta({ description: 'What the provider said of it; null: nothing' }),
            tosAcceptance: z
              .record(z.string(), z.unknown())
              .nullable()
              .meta({ description: "When and where the provider's terms were agreed to; null: not" }),
            createdAt: timestamp.meta({ description: 'When it was added' }),
          }),
        )
        .meta({ description: 'Without the numbers, of which only the end is shown' }),
      list: accountsOfMember,
    },
  ],
};
