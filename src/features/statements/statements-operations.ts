/** The public contract of monthly statements: docs/specification/payouts.md#statements. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { currency, minorSumOut, timestamp, uuid } from '../../http/schemas.ts';

const period = z
  .string()
  .regex(/^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])$/, 'must be YYYY-MM')
  .meta({ override: { type: 'string', pattern: '^(19[7-9]\\d|[2-9]\\d{3})-(0[1-9]|1[0-2])$' }, description: 'A month' });

const request = {
  method: 'get',
  group: 'Payout',
  scope: 'payouts:read',
  member: 'self',
  params: z.strictObject({ userId: uuid.meta({ description: 'The member' }), period }),
  query: z.strictObject({
    currency: currency.optional().meta({ description: "The amounts in this currency; default the tenant's" }),
  }),
  errors: ['USER_NOT_FOUND'],
} as const;

const balances = z
  .object({
    ...minorSumOut('pendingMinor'),
    ...minorSumOut('clearedMinor'),
    ...minorSumOut('processingMinor'),
    ...minorSumOut('paidMinor', 'Paid out in all, less what came back'),
    ...minorSumOut('totalMinor', 'The sum of the four'),
  })
  .meta({ id: 'StatementBalances' });

const entry = z
  .object({
    journalId: uuid.meta({ description: 'The journal that the posting is of' }),
    seq: z.int().meta({ description: 'Of the posting in its journal' }),
    account: z
      .enum(['pending', 'cleared', 'processing', 'paid'])
      .meta({ description: 'The balance that changed. `cleared`: can be paid out; `processing`: in a payout on its way' }),
    ...minorSumOut('amountMinor'),
    causeType: z.string().meta({ description: 'What the journal was posted for: `event`, `clearing`, `payout_paid`, …' }),
    causeId: uuid.meta({ description: 'Id of the event, payout or other object of that type' }),
    externalEventId: z.string().nullable().meta({ description: 'Of the event that caused it; null: another cause' }),
    payoutId: uuid.nullable().meta({ description: 'Of the payout that caused it; null: another cause' }),
    occurredAt: timestamp.meta({ description: 'When the cause happened' }),
    recordedAt: timestamp.meta({ description: 'When the ledger recorded it: this decides the month' }),
  })
  .meta({ id: 'StatementEntry' });

export const getMemberStatement = defineOperation({
  ...request,
  path: '/api/v1/members/{userId}/statements/{period}',
  operationId: 'getMemberStatement',
  summary: "A member's month: balances, what changed them, payouts",
  description:
    "Of one currency. A month holds what the ledger recorded in it, in the tenant's reporting zone, so that the closing balances of one month are the opening balances of the next and a month that is over stays as it is; a sale of an earlier day counts in the month it was reported in. The opening balances with all entries are the closing balances. Written as it is read, of any size.",
  success: [{ status: 200, meaning: 'The statement' }],
  response: z
    .object({
      userId: uuid.meta({ description: 'The member' }),
      period: z.string().meta({ description: 'The month, as `2026-01`' }),
      currency,
      timeZone: z.string().meta({ description: 'IANA, of the reporting zone that the month is in' }),
      from: timestamp.meta({ description: 'The first instant of the month' }),
      to: timestamp.meta({ description: 'Not part of the month' }),
      status: z.enum(['final', 'preliminary']).meta({ description: '`final` once the month is over' }),
      opening: balances.meta({ description: 'Balances at the beginning of the month' }),
      entries: z.array(entry).meta({ description: 'All that changed them, the earliest first' }),
      payouts: z
        .array(
          z.object({
            journalId: uuid.meta({ description: 'The journal that it was recorded by' }),
            payoutId: uuid.nullable().meta({ description: 'Null where no payout is known of it' }),
            type: z.enum(['paid', 'returned']).meta({ description: '`returned`: it came back' }),
            ...minorSumOut('amountMinor', 'Negative for one that came back'),
            recordedAt: timestamp.meta({ description: 'When the ledger recorded it' }),
          }),
        )
        .meta({ description: 'Payouts of the month, and what came back in it' }),
      closing: balances.meta({ description: 'Balances at the end of the month, or up to now' }),
    })
    .meta({ id: 'MemberStatement' }),
});

const file = { ...request, success: [{ status: 200, meaning: 'The file' }] } as const;

export const getMemberStatementPdf = defineOperation({
  ...file,
  path: '/api/v1/members/{userId}/statements/{period}/pdf',
  operationId: 'getMemberStatementPdf',
  summary: "A member's month as a PDF",
  description:
    'The same bytes for as long as nothing changes. Lists the first 1000 entries; the CSV has them all. Names in other than Latin letters are left out: the member id is always there.',
  response: z.string().meta({ description: 'A PDF document' }),
  produces: 'application/pdf',
});

export const getMemberStatementCsv = defineOperation({
  ...file,
  path: '/api/v1/members/{userId}/statements/{period}/csv',
  operationId: 'getMemberStatementCsv',
  summary: "A member's month as CSV, an entry a line",
  description:
    'UTF-8; columns `recordedAt` and `occurredAt` (UTC), `account`, `amount` (major units), `currency`, `causeType`, `causeId`, `externalEventId`, `payoutId`, `journalId`, `seq`. Four lines with the `causeType` `opening`, one for each account, come first, four with `closing` last.',
  response: z.string().meta({ description: 'A CSV file' }),
  produces: 'text/csv',
});
