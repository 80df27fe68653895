/** The public contract of the member summaries: docs/specification/hierarchy.md#summaries. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { currency, majorSumOut, uuid } from '../../http/schemas.ts';

/** A month of sales, or all of them. */
export const period = z
  .string()
  .regex(/^(?:all|\d{4}-(?:0[1-9]|1[0-2]))$/, 'must be YYYY-MM or all')
  .refine((value) => value === 'all' || Number(value.slice(0, 4)) >= 1970, 'must be YYYY-MM or all')
  .meta({ override: { type: 'string', pattern: '^(all|(19[7-9]\\d|[2-9]\\d{3})-(0[1-9]|1[0-2]))$' } });

export const commissionBreakdown = z
  .object({
    ...majorSumOut('totalAmount'),
    bySource: z
      .object({ ...majorSumOut('sales'), ...majorSumOut('subscription'), ...majorSumOut('manual') })
      .meta({ description: 'By what was sold' }),
    byStatus: z
      .object({ ...majorSumOut('pending'), ...majorSumOut('cleared'), ...majorSumOut('processing'), ...majorSumOut('paid') })
      .meta({ description: 'Held lines count as pending' }),
    byLevel: z.array(
      z.object({
        level: z.int().meta({ description: 'Real distance from the sale' }),
        ...majorSumOut('amount'),
        count: z.int().meta({ description: 'How many' }),
        percentage: z
          .number()
          .meta({ description: 'Share of the total to two decimals; the shares sum to 100, or are 0 when there is none' }),
      }),
    ),
    trend: z.array(
      z.object({
        period: z.string().meta({ description: 'YYYY-MM for `all`, YYYY-MM-DD for one month' }),
        ...majorSumOut('amount'),
        count: z.int().meta({ description: 'How many' }),
      }),
    ),
    period: z.string().meta({ description: 'The month, YYYY-MM' }),
    currency,
    timeZone: z.string().meta({ description: "The tenant's reporting zone, in which sales fall into months and days" }),
  })
  .meta({ id: 'CommissionBreakdown' });

export type BreakdownAnswer = z.input<typeof commissionBreakdown>;

export const getCommissionBreakdown = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/commissions/breakdown',
  operationId: 'getCommissionBreakdown',
  group: 'Member summaries',
  summary: "A member's commissions by source, status, level and time",
  description: 'Of one currency, by the date of the sale. Reversed lines count nowhere.',
  scope: 'members:read',
  member: 'self',
  params: z.strictObject({ userId: uuid }),
  query: z.strictObject({
    period: period.default('all').meta({ description: 'A month of sales, or `all`' }),
    currency: currency.optional().meta({ description: "The amounts in this currency; default the tenant's" }),
  }),
  success: [{ status: 200, meaning: 'The breakdown' }],
  response: commissionBreakdown,
  errors: ['USER_NOT_FOUND'],
});

const year = z
  .string()
  .refine((value) => /^(?:19[7-9]\d|[2-9]\d{3})$/.test(value), 'must be a year from 1970 to 9999')
  .transform(Number)
  .meta({ override: { type: 'integer', minimum: 1970, maximum: 9999 } });

export const taxSummary = z
  .object({
    year: z.int().meta({ description: 'The year' }),
    ...majorSumOut('totalPaid', 'Paid out in the year, less what was returned in it'),
    ...majorSumOut(
      'totalPending',
      "Commissions of the year's sales that are not paid out yet: pending, held, cleared and processing",
    ),
    taxDocumentsAvailable: z.boolean().meta({
      description:
        'Whether the tax document of the year is final: the year is over, and something was paid out or came back in it',
    }),
    monthlyBreakdown: z
      .array(
        z.object({
          month: z.int().meta({ description: '1 to 12' }),
          ...majorSumOut('amount'),
          transactionCount: z.int().meta({ description: 'Payouts to the member; one that is returned is not taken off' }),
        }),
      )
      .meta({ description: 'All twelve months, by the date of the payout' }),
    currency,
    timeZone: z.string().meta({ description: "The tenant's reporting zone, in which payouts and sales fall into months" }),
  })
  .meta({ id: 'TaxSummary' });

export type TaxSummaryAnswer = z.input<typeof taxSummary>;

export const getTaxSummary = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/tax-summary/{year}',
  operationId: 'getTaxSummary',
  group: 'Member summaries',
  summary: 'What a member was paid in a year, month by month',
  description: 'Of one currency. A payout that is returned is taken off the month it is returned in.',
  scope: 'members:read',
  member: 'self',
  params: z.strictObject({ userId: uuid, year }),
  query: z.strictObject({
    currency: currency.optional().meta({ description: "The amounts in this currency; default the tenant's" }),
  }),
  success: [{ status: 200, meaning: 'The summary' }],
  response: taxSummary,
  errors: ['USER_NOT_FOUND'],
});
