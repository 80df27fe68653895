/** The public contract of quotes: docs/specification/events.md#quote. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { amountMinor, amountMinorOut, currency, instant, text, timestamp, uuid } from '../../../http/schemas.ts';
import { HOLD_CAUSES } from '../../commissions/open/commission-line.ts';
import { planDefinition } from '../../commissions/open/plan-definition.ts';
import { ATTRIBUTION_RULES } from '../event-kinds.ts';
import { eventStatus } from '../event-schemas.ts';
import { eventsErrors } from '../open/events-errors.ts';
import { purchaseType } from '../open/purchase-body.ts';

export const quotePurchase = defineOperation({
  method: 'post',
  path: '/api/v1/commission-plans/quote',
  operationId: 'quotePurchase',
  group: 'Commission plans',
  summary: 'What a purchase would pay, with nothing stored',
  description:
    'By the plans in force at `occurredAt`, or by `definition`, a plan that need not be saved. Caps, recurring limits and exchange rates count as they stand; nothing of them is used up.',
  scope: 'plans:read',
  writesNothing: 'It prices a purchase that is not made',
  body: z
    .strictObject({
      definition: planDefinition.nullish().meta({ description: 'Default the plans in force' }),
      type: purchaseType.nullish().meta({ description: 'Default one_time' }),
      occurredAt: instant.nullish().meta({ description: 'Default now' }),
      amountMinor: amountMinor.meta({ description: 'Total paid, after discount, with tax and shipping' }),
      currency,
      taxMinor: amountMinor.nullish(),
      shippingMinor: amountMinor.nullish(),
      customerExternalId: text(255)
        .nullish()
        .meta({ description: 'Whose caps, limits, email and first referrer count; default a new customer' }),
      buyerUserId: uuid.nullish(),
      attribution: z
        .strictObject({
          userId: uuid.nullish(),
          referralCode: text(64).nullish(),
          linkId: uuid.nullish(),
          clickId: text(255).nullish(),
          leadId: uuid.nullish(),
        })
        .nullish(),
      lineItems: z
        .array(z.strictObject({ sku: text(100), category: text(100).nullish(), amountMinor }))
        .max(100)
        .nullish(),
    })
    .refine((body) => (body.taxMinor ?? 0n) + (body.shippingMinor ?? 0n) <= body.amountMinor, {
      path: ['amountMinor'],
      message: 'must cover taxMinor and shippingMinor',
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ example: { amountMinor: 12000, currency: 'USD', taxMinor: 1000, attribution: { referralCode: 'F9DZ3HZQDS' } } }),
  success: [{ status: 200, meaning: 'The quote' }],
  response: z
    .object({
      planVersionId: uuid.nullable().meta({ description: 'Null for a given definition, or when no plan covers the purchase' }),
      status: eventStatus,
      attribution: z.object({ userId: uuid.nullable(), rule: z.enum(ATTRIBUTION_RULES) }),
      baseMinor: amountMinorOut,
      breakageMinor: amountMinorOut,
      commissions: z.array(
        z.object({
          userId: uuid,
          level: z.int(),
          paidLevel: z.int(),
          rateBps: z.int(),
          flatMinor: amountMinorOut.nullable(),
          multiplierMilli: z.int(),
          amountMinor: amountMinorOut,
          currency,
          sourceAmountMinor: amountMinorOut.nullable(),
          sourceCurrency: currency.nullable(),
          cappedMinor: amountMinorOut,
          cap: z.string().nullable(),
          holdCause: z.enum(HOLD_CAUSES).nullable().meta({ description: 'Why it would be held' }),
          clearsAt: timestamp,
        }),
      ),
      outcomes: z.array(
        z.object({
          userId: uuid,
          level: z.int(),
          outcome: z.enum(['paid', 'not_paid']),
          reason: z.string().nullable(),
          message: z.string().nullable(),
        }),
      ),
      block: z.string().nullable().meta({ description: 'Why the purchase would pay nobody' }),
      walkEnd: z.object({ reason: z.string(), message: z.string() }),
    })
    .meta({ id: 'Quote' }),
  errors: [eventsErrors.EXCHANGE_RATE_MISSING],
});
