/** The public contract of the Payout group's methods: docs/specification/payouts.md#methods. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { countryCode } from '../../../http/schemas.ts';
import { PAYMENT_PROVIDERS } from '../open/payout-states.ts';
import { payoutsErrors } from '../open/payouts-errors.ts';
import { bankAccount } from '../payout-schemas.ts';

const payoutField = z
  .object({
    key: z.string().meta({ description: 'The key in `bankAccount`' }),
    label: z.string().meta({ description: 'Name of the field, for a form' }),
    type: z.enum(['text']).meta({ description: 'The kind of input' }),
    placeholder: z.string().meta({ description: 'An example of a value, for a form' }),
    helpText: z.string().meta({ description: 'What to enter, for a form' }),
    validation: z
      .object({
        required: z.boolean().meta({ description: 'Whether it must be sent' }),
        minLength: z.int().meta({ description: 'In characters, of the value that `pattern` is for' }),
        maxLength: z.int().meta({ description: 'In characters, of the value that `pattern` is for' }),
        pattern: z.string().meta({
          description: 'A JavaScript pattern with the flag `u`, of the value without spaces and hyphens and in capital letters',
        }),
      })
      .meta({ description: 'What a value must fulfil' }),
    options: z
      .array(
        z.object({
          value: z.string().meta({ description: 'What is sent' }),
          label: z.string().meta({ description: 'What a form shows for it' }),
        }),
      )
      .meta({ description: 'The values to choose from; empty: any text' }),
  })
  .meta({ id: 'PayoutField' });

const payoutMethod = z
  .object({
    id: z.string().meta({ description: 'The `methodType` of an account' }),
    name: z.string().meta({ description: 'For a person, as `SEPA bank transfer, Germany`' }),
    category: z.enum(['bank_transfer']).meta({ description: 'The kind of method' }),
    provider: z
      .enum(PAYMENT_PROVIDERS)
      .meta({ description: 'Who would pay: `manual`: the tenant by itself; `payvendor`: the payment vendor' }),
    currency: z.string().meta({ description: 'ISO 4217' }),
    enabled: z.boolean().meta({ description: 'Whether members of the tenant can have such an account in the country' }),
    fields: z.array(payoutField).meta({ description: 'What `bankAccount` takes' }),
  })
  .meta({ id: 'PayoutMethod' });

export type PayoutMethodAnswer = z.input<typeof payoutMethod>;

export const listPayoutMethods = defineOperation({
  method: 'get',
  path: '/api/v1/payout-methods',
  operationId: 'listPayoutMethods',
  group: 'Payout',
  summary: 'How members in a country can be paid',
  description:
    'A country outside the euro whose banks take payments in euro has two methods. A country that no method is known for has none.',
  scope: 'accounts:read',
  member: 'self',
  query: z.strictObject({ country: countryCode }),
  success: [{ status: 200, meaning: 'The methods of the country' }],
  response: z
    .object({
      country: z.string().meta({ description: 'ISO 3166-1 alpha-2, as asked for' }),
      methods: z.array(payoutMethod).meta({ description: 'Empty where no method is known' }),
    })
    .meta({ id: 'PayoutMethods' }),
  errors: [],
});

export const validateBankDetailsOperation = defineOperation({
  method: 'post',
  path: '/api/v1/payout-methods/{methodId}/validate',
  operationId: 'validateBankDetails',
  group: 'Payout',
  summary: 'Check bank details without storing them',
  description:
    'Holds the details against the rules of the method, check digits included. Whether the account exists is not asked. A SANDBOX also takes the numbers that the payment vendor publishes for tests.',
  scope: 'accounts:read',
  writesNothing: 'It looks at details that are not kept',
  member: 'self',
  params: z.strictObject({
    methodId: z.string().min(1).max(64).meta({ description: 'The `id` of a method, as `sepa_bank_transfer`' }),
  }),
  body: z
    .strictObject({
      country: countryCode,
      bankAccount: bankAccount.meta({ description: "Values by the keys of the method's fields" }),
    })
    .meta({
      example: { country: 'DE', bankAccount: { accountHolderName: 'Ada Example', iban: 'DE89370400440532013000' } },
    }),
  success: [{ status: 200, meaning: 'What was found' }],
  response: z
    .object({
      valid: z.boolean().meta({ description: 'Whether the details fulfil the rules of the method' }),
      errors: z
        .array(
          z.object({
            field: z.string().meta({ description: 'Name of the field at fault, as `bankAccount.iban`' }),
            message: z.string().meta({ description: 'What is wrong, without the value' }),
          }),
        )
        .meta({ description: 'As `bankAccount.iban`' }),
      normalised: z.record(z.string(), z.string()).nullable().meta({
        description: 'The details as they would be used, the number of the account masked; null when they are not valid',
      }),
    })
    .meta({ id: 'BankDetailsCheck' }),
  errors: ['NOT_FOUND', payoutsErrors.METHOD_NOT_SUPPORTED],
});
