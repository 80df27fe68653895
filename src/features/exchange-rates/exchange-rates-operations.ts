/** The public contract of exchange rates: docs/specification/commissions.md#rates. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { camelListOf, pageQuery } from '../../http/pagination.ts';
import { currency, instant, namedActor, text, timestamp, uuid } from '../../http/schemas.ts';
import { MAX_AMOUNT_MINOR } from '../../money.ts';
import { pendingChangesErrors } from '../pending-changes/open/pending-changes-errors.ts';
import { whenHeldBack } from '../pending-changes/open/when-held-back.ts';

const part = z.int().min(1).max(Number(MAX_AMOUNT_MINOR));

const exchangeRate = z
  .object({
    id: uuid.meta({ description: 'Id' }),
    sourceCurrency: currency,
    targetCurrency: currency,
    numerator: z.int().meta({ description: 'Target minor units' }),
    denominator: z.int().meta({ description: 'for this many source minor units' }),
    effectiveAt: timestamp.meta({ description: 'From when it counts' }),
    source: z.string().meta({ description: 'Who says so' }),
    recordedAt: timestamp.meta({ description: 'When the service recorded it' }),
    createdBy: namedActor.nullable().meta({ description: 'Who recorded it; null of those from before this was kept' }),
  })
  .meta({ id: 'ExchangeRate' });

export type ExchangeRateAnswer = z.input<typeof exchangeRate>;

export const createExchangeRate = defineOperation({
  method: 'post',
  path: '/api/v1/admin/exchange-rates',
  operationId: 'createExchangeRate',
  group: 'Admin',
  summary: 'Record an exchange rate',
  description:
    'Target minor units = source minor units × `numerator` / `denominator`. Of a pair the latest rate with `effectiveAt` not after the sale counts, of equal ones the last recorded. A rate is never changed: record another.\n\nIn LIVE with `payments.dualControl` on, a rate that is backdated, or more than 10 % away from what counts at its time or counted in the 7 days before it, waits and answers 202: another pair of hands confirms it.',
  scope: 'admin:rates',
  hands: 'by value',
  body: z
    .strictObject({
      sourceCurrency: currency,
      targetCurrency: currency,
      numerator: part.meta({ description: 'Target minor units' }),
      denominator: part.meta({ description: 'for this many source minor units' }),
      effectiveAt: instant.nullish().meta({ description: 'Default now; at most a year ahead' }),
      source: text(200).meta({ description: 'Where the rate is from' }),
    })
    .refine((body) => body.sourceCurrency !== body.targetCurrency, {
      path: ['targetCurrency'],
      message: 'must differ from sourceCurrency',
      when: ({ issues }) => issues.length === 0,
    })
    .meta({
      example: { sourceCurrency: 'USD', targetCurrency: 'JPY', numerator: 1495, denominator: 1000, source: 'ECB reference rate' },
    }),
  success: [{ status: 201, meaning: 'Recorded' }, whenHeldBack],
  response: exchangeRate,
  errors: [pendingChangesErrors.CHANGE_PENDING],
});

export const listExchangeRates = defineOperation({
  method: 'get',
  path: '/api/v1/admin/exchange-rates',
  operationId: 'listExchangeRates',
  group: 'Admin',
  summary: 'List exchange rates in the order they were recorded',
  scope: 'admin:rates',
  query: z.strictObject({ sourceCurrency: currency.optional(), targetCurrency: currency.optional(), ...pageQuery }),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(exchangeRate),
  errors: [],
});
