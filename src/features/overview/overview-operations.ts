/** The public contract of the overview. Source: docs/specification/overview.md. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { currency, majorSumOut } from '../../http/schemas.ts';

const month = z
  .string()
  .regex(/^(19[7-9]\d|[2-9]\d{3})-(0[1-9]|1[0-2])$/, 'must be YYYY-MM')
  .meta({ override: { type: 'string', pattern: '^(19[7-9]\\d|[2-9]\\d{3})-(0[1-9]|1[0-2])$' } });

const sums = { ...majorSumOut('pending'), ...majorSumOut('cleared'), ...majorSumOut('processing'), ...majorSumOut('paid') };

const count = (meaning: string) => z.int().nullable().meta({ description: meaning });

const overview = z
  .object({
    from: month.meta({ description: 'The first month of the answer, YYYY-MM' }),
    to: month.meta({ description: 'The last month of the answer, YYYY-MM' }),
    currency,
    timeZone: z.string().meta({ description: "The tenant's reporting zone, in which months begin and end" }),
    commissions: z
      .object({ ...sums, months: z.array(z.object({ month, ...sums })) })
      .nullable()
      .meta({ description: 'By the month of the sale and the status of today; held ones are pending, reversed ones left out' }),
    members: z
      .object({ joined: z.int(), months: z.array(z.object({ month, joined: z.int() })) })
      .nullable()
      .meta({ description: 'Who joined, test members and inactive ones among them' }),
    waiting: z
      .object({
        kycReviews: count('Verifications that staff has to decide'),
        heldCommissions: count('Commission lines on hold'),
        blockedPayouts: count('Members that the last run of each currency could not pay'),
        failedPayouts: count('Payouts that failed and were not tried again'),
        runsToApprove: count('Drafted payout runs'),
        runsToExecute: count('Approved payout runs'),
        pendingChanges: count('Changes that wait for another pair of hands'),
        failingEndpoints: count('Webhook endpoints that fail, or were disabled because they failed or answered 410'),
      })
      .meta({ description: 'Whatever the months asked for' }),
  })
  .meta({ id: 'Overview' });

export type OverviewAnswer = z.input<typeof overview>;

export const getOverview = defineOperation({
  method: 'get',
  path: '/api/v1/admin/overview',
  operationId: 'getOverview',
  group: 'Overview',
  summary: 'How a tenant stands: what waits, commissions and new members by month',
  description:
    'Each part is there for a caller with the scope of its list, and null for others: `commissions:read`, `members:read`, `payouts:read`, `admin:kyc`, `webhooks:read`. Of changes that wait a caller counts those that it could have asked for itself. Amounts are of one currency.',
  scope: 'any',
  query: z
    .strictObject({
      from: month.optional().meta({ description: 'The first month; default eleven months before `to`, 1970-01 at the earliest' }),
      to: month.optional().meta({ description: 'The last month; default the present one' }),
      currency: currency.optional().meta({ description: "The amounts in this currency; default the tenant's" }),
    })
    .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
      path: ['from'],
      message: 'must not be after to',
      when: ({ issues }) => issues.length === 0,
    }),
  success: [{ status: 200, meaning: 'The overview' }],
  response: overview,
  errors: [],
});
