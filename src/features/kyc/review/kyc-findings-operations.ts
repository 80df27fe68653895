/** The public contract of what was found of a member: docs/specification/verification.md#findings. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { uuid } from '../../../http/schemas.ts';

const nullable = z.string().nullable();

const findings = z
  .object({
    source: z.enum(['kycvendor', 'accounts', 'none']).meta({
      id: 'KycFindingsSource',
      description:
        '`kycvendor`: read at the vendor now; `accounts`: the holder names of payout accounts, which were compared and are not shown; `none`: nothing was found',
    }),
    fields: z
      .array(
        z.object({
          field: z.enum(['givenName', 'surname', 'dateOfBirth', 'countryCode', 'idNumber']).meta({
            id: 'KycFindingsField',
            description: 'As the profile: `givenName`, `surname`, `dateOfBirth`, `countryCode`, `idNumber`',
          }),
          stated: nullable.meta({ description: 'By the profile, an ID number by its end; null: not given' }),
          found: nullable.meta({ description: 'The same of what was found; null: nothing' }),
          matches: z.boolean().nullable().meta({ description: 'By more than case and space; null: not compared' }),
        }),
      )
      .meta({ description: 'In this order, each once' }),
    documents: z
      .array(
        z.object({
          documentType: z.string().meta({ description: "By the vendor's name, as `PASSPORT`" }),
          verdict: z
            .enum(['accepted', 'rejected', 'pending'])
            .meta({ id: 'KycFindingsVerdict', description: '`accepted` or `rejected` by the vendor; `pending`: neither yet' }),
          words: nullable.meta({ description: "The vendor's words for the member; null: none" }),
        }),
      )
      .meta({ description: 'The steps at the vendor' }),
    words: nullable.meta({ description: "The vendor's words on the whole; null: none" }),
    rejectLabels: z.array(z.string()).meta({ description: "The vendor's reasons, as `FORGERY`" }),
  })
  .meta({ id: 'KycFindings' });

export type KycFindingsAnswer = z.input<typeof findings>;

export const getKycFindings = defineOperation({
  method: 'get',
  path: '/api/v1/admin/kyc/{kycId}/findings',
  operationId: 'getKycFindings',
  group: 'Admin KYC',
  summary: 'What a member stated beside what was found',
  description: 'Where the vendor verifies it is asked each time, and nothing of its answer is kept.',
  scope: 'admin:kyc',
  params: z.strictObject({ kycId: uuid.meta({ description: 'Id of the verification' }) }),
  success: [{ status: 200, meaning: 'Field by field' }],
  response: findings,
  errors: ['NOT_FOUND', 'PROVIDER_CONFIGURATION', 'PROVIDER_UNAVAILABLE'],
});
