/** The public contract of tax documents: docs/specification/payouts.md#tax-documents. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { currency, minorSumOut, uuid } from '../../http/schemas.ts';

const year = z
  .string()
  .refine((value) => /^(?:19[7-9]\d|[2-9]\d{3})$/.test(value), 'must be a year from 1970 to 9999')
  .transform(Number)
  .meta({ override: { type: 'integer', minimum: 1970, maximum: 9999 }, description: 'Calendar year, in the reporting zone' });

const status = z
  .enum(['final', 'preliminary'])
  .meta({ description: "`final` once the year is over in the tenant's reporting zone; until then the document grows" });

export const listTaxDocuments = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/tax-documents',
  operationId: 'listTaxDocuments',
  group: 'Payout',
  summary: 'The years in which a member was paid',
  description:
    "One document for each year and currency in which something was paid out or came back, the latest first. A payout counts on the day it was paid, one that came back on the day it did, both in the tenant's reporting zone.",
  scope: 'payouts:read',
  member: 'self',
  params: z.strictObject({ userId: uuid.meta({ description: 'The member' }) }),
  query: z.strictObject({ currency: currency.optional().meta({ description: 'Default all' }) }),
  success: [{ status: 200, meaning: 'The documents' }],
  response: z.object({
    data: z
      .array(
        z
          .object({
            year: z.int().meta({ description: 'Calendar year, in the reporting zone' }),
            currency,
            ...minorSumOut('totalPaidMinor', 'Paid out in the year, less what came back in it'),
            transactionCount: z.int().meta({ description: 'Payouts; one that came back is not taken off' }),
            status,
          })
          .meta({ id: 'TaxDocument' }),
      )
      .meta({ description: 'The latest year first' }),
    timeZone: z.string().meta({ description: 'IANA, of the reporting zone' }),
  }),
  errors: ['USER_NOT_FOUND'],
});

const file = {
  method: 'get',
  group: 'Payout',
  scope: 'payouts:read',
  member: 'self',
  params: z.strictObject({ userId: uuid.meta({ description: 'The member' }), year }),
  query: z.strictObject({
    currency: currency.optional().meta({ description: "The amounts in this currency; default the tenant's" }),
  }),
  success: [{ status: 200, meaning: 'The file' }],
  errors: ['USER_NOT_FOUND', 'NOT_FOUND'],
} as const;

export const getTaxDocumentPdf = defineOperation({
  ...file,
  path: '/api/v1/members/{userId}/tax-documents/{year}/pdf',
  operationId: 'getTaxDocumentPdf',
  summary: 'What a member was paid in a year, month by month, as a PDF',
  description:
    'The same bytes for as long as nothing changes. Names in other than Latin letters are left out: the member id is always there. 404 for a year without a payout in the currency.',
  response: z.string().meta({ description: 'A PDF document' }),
  produces: 'application/pdf',
});

export const getTaxDocumentCsv = defineOperation({
  ...file,
  path: '/api/v1/members/{userId}/tax-documents/{year}/csv',
  operationId: 'getTaxDocumentCsv',
  summary: 'What a member was paid in a year, payout by payout, as CSV',
  description:
    'UTF-8; columns `date` (in the reporting zone), `type` (`paid` or `returned`), `amount` (major units, negative for what came back), `currency`, `payoutId`, `reference`, `occurredAt` (UTC). 404 for a year without a payout in the currency.',
  response: z.string().meta({ description: 'A CSV file' }),
  produces: 'text/csv',
});
