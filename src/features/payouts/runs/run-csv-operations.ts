/** The public contract of a run's export. Source: docs/specification/payouts.md#export. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { uuid } from '../../../http/schemas.ts';
import { payoutsErrors } from '../open/payouts-errors.ts';

export const exportPayoutRun = defineOperation({
  method: 'get',
  path: '/api/v1/payout-runs/{runId}/payouts.csv',
  operationId: 'exportPayoutRun',
  group: 'Payout runs',
  summary: "A run's payouts as CSV, with what a bank needs to pay them",
  description:
    "For tenants that pay by themselves; every export is in the audit log. UTF-8, a payout a line, in the order of their ids. Columns `payoutId`, `userId`, `name`, `email`, `status`, `amount` (major units), `currency`, `provider`, `accountId`, `methodType`, `country`, `reference` (of the tenant's own bank, once settled), `failureCode`, `paidAt`, then the bank details. These are filled in only for payouts by hand that are processing: one that is not executed yet may still be cancelled, and one whose member is on hold (`failureCode` `HELD`) is not to be paid; what has no column of its own stands in `otherDetails`.",
  scope: 'payouts:execute',
  protectedRead: true,
  params: z.strictObject({ runId: uuid.meta({ description: 'Id of the run' }) }),
  success: [{ status: 200, meaning: 'The file' }],
  response: z.string().meta({ description: 'A CSV file' }),
  produces: 'text/csv',
  errors: ['NOT_FOUND', payoutsErrors.PAYOUTS_FROZEN],
});
