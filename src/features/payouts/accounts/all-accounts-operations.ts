/** The public contract of the list of a tenant's payout accounts: docs/specification/payouts.md#all-accounts. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { camelListOf, pageQuery } from '../../../http/pagination.ts';
import { currency, queryBoolean, uuid } from '../../../http/schemas.ts';
import { NAME_MATCHES } from '../open/holder-names.ts';
import { accountStatus } from '../open/payout-state-schemas.ts';
import { payoutAccount } from './payout-accounts-operations.ts';

const accountOfMember = z
  .object({
    userId: uuid.meta({ description: 'The member' }),
    onHold: z.boolean().meta({ description: 'Whether payouts to the member are on hold now' }),
    ...payoutAccount.shape,
  })
  .meta({ id: 'PayoutAccountOfMember' });

export const listAllPayoutAccounts = defineOperation({
  method: 'get',
  path: '/api/v1/payout-accounts',
  operationId: 'listAllPayoutAccounts',
  group: 'Payout Accounts',
  summary: 'List the payout accounts of all members, newest first',
  scope: 'accounts:read',
  query: z.strictObject({
    userId: uuid.optional().meta({ description: 'Only accounts of this member' }),
    status: accountStatus.optional().meta({ description: 'Only accounts in this status' }),
    currency: currency.optional(),
    nameMatch: z.enum(NAME_MATCHES).optional().meta({
      id: 'NameMatchFilter',
      description: 'As stored: `matched`, `mismatch`, `accepted`, `not_compared`; a draft compares what is not compared yet',
    }),
    shared: queryBoolean.optional().meta({ description: 'Whether another member has the same bank account' }),
    primary: queryBoolean.optional().meta({ description: 'Whether it is the primary one of its member' }),
    onHold: queryBoolean.optional().meta({ description: 'Whether payouts to its member are on hold now' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(accountOfMember),
  errors: [],
});
