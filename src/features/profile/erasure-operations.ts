/** The public contract of erasing a member. Source: docs/specification/identity.md#erasure. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { emailOut, text, timestamp, uuid } from '../../http/schemas.ts';
import { profileErrors } from './open/profile-errors.ts';

const erasure = z
  .object({
    userId: uuid.meta({ description: 'The member' }),
    email: emailOut.meta({ description: 'What stands in the place of the address: it reaches nobody' }),
    erasedAt: timestamp.meta({ description: 'When it was erased, at the first time' }),
    reason: z.string().nullable().meta({ description: 'As it was given at the first time; null: none was' }),
  })
  .meta({ id: 'MemberErasure' });

export type ErasureAnswer = z.input<typeof erasure>;

export const eraseMember = defineOperation({
  method: 'post',
  path: '/api/v1/members/{userId}/erasure',
  operationId: 'eraseMember',
  group: 'Profile',
  summary: "Erase a member's personal data",
  description:
    'For good: email, name, external id, profile and identities go, sessions end, payout accounts are deactivated and lose their details, leads, and customers with an email that the member has or had, are made nameless, what was attached to their purchases and written of the member is taken away, referral links are deleted without name and destination, referral codes are retired and replaced by random ones, and the documents of a verification are removed with what the vendor told of it; that it was decided, and when, stays. The applicant at the KYC vendor is to be erased there. The member becomes inactive and recruits nobody; its place in the tree, its commissions and the ledger stay, under its id. An erased member cannot be made active again, and its referral codes are not given to others. A member who is owed money is 409 `MONEY_OWED`, with `details.owed[]` {`currency`, `status`, `amountMinor`}, unless `acknowledgeOwed` is true: then the bank details that are needed to pay are kept, sealed, until nothing is owed any more. Repeated, it answers the same and changes nothing.',
  scope: 'members:erase',
  stepUp: 'always',
  hands: 'neutral',
  params: z.strictObject({ userId: uuid.meta({ description: 'The member' }) }),
  body: z
    .strictObject({
      reason: text(500)
        .nullish()
        .meta({ description: 'Kept with what is left of the member: write nothing of the person into it' }),
      acknowledgeOwed: z
        .boolean()
        .default(false)
        .meta({ description: 'True: it is known that money is owed to the member, which is paid later' }),
    })
    .optional()
    .meta({ example: { reason: 'Asked for by the member', acknowledgeOwed: true } }),
  success: [{ status: 200, meaning: 'Erased, now or before' }],
  response: erasure,
  errors: ['USER_NOT_FOUND', profileErrors.MONEY_OWED],
});
