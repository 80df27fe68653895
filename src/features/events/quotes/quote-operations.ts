/** The public contract of quotes: docs/specification/events.md#quote. */

import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import {
  amountMinor,
  amountMinorOut,
  countryCode,
  currency,
  instant,
  membershipTier,
  text,
  timestamp,
  uuid,
} from '../../../http/schemas.ts';
import { attributionRule } from '../../attribution/open/candidate-schemas.ts';
import { holdCause } from '../../commissions/open/line-schemas.ts';
import { planDefinition } from '../../commissions/open/plan-definition.ts';
import { GROUP_KEY, groupKey } from '../../groups/open/group-key.ts';
import { eventStatus } from '../event-schemas.ts';
import { eventsErrors } from '../open/events-errors.ts';
import { purchaseType } from '../open/purchase-body.ts';
import { passedOver, rateChoice, rateChoiceFields } from '../open/rate-schemas.ts';

const days = z.int().min(0).max(100_000);

/** Those that are read and do not stand in the quote. */
const assumedFacts = z
  .strictObject({
    'sale.source': attributionRule.optional(),
    'customer.isMember': z.int().min(0).max(1).optional().meta({ description: '1: a member buys' }),
    'customer.purchaseNumber': z.int().min(1).max(1_000_000).optional().meta({ description: '1 is the first purchase' }),
    'customer.monthsSinceFirst': days.optional().meta({ description: 'Whole months since the first purchase' }),
    'credited.tier': membershipTier.optional().meta({ description: 'Tier of the credited member, for rules alone' }),
    'credited.ageDays': days.optional().meta({ description: 'Days since the credited member joined' }),
  })
  .meta({ id: 'AssumedFacts' });

const quotedPart = z
  .object({
    sku: z.string().nullable().meta({ description: 'Article number; null: the sale names none' }),
    category: z.string().nullable().meta({ description: 'Category; null: none' }),
    baseMinor: amountMinorOut.meta({ description: 'What of the base is of this part' }),
    rateBps: z.int().meta({ description: 'Rate in basis points: 1000 is 10 %; 0 of a flat sum' }),
    flatMinor: amountMinorOut.nullable().meta({ description: 'For all pieces, or for the sale; null: a rate' }),
    units: z.int().nullable().meta({ description: 'Pieces that the flat sum is for; null: one for the sale, or a rate' }),
    multiplierMilli: z.int().meta({ description: 'Multiplier in thousandths: 1000 of what was agreed' }),
    ...rateChoiceFields,
  })
  .meta({ id: 'QuotedPart' });

export const quotePurchase = defineOperation({
  method: 'post',
  path: '/api/v1/commission-plans/quote',
  operationId: 'quotePurchase',
  group: 'Commission plans',
  summary: 'What a purchase would pay, with nothing stored',
  description:
    'By the plans in force at `occurredAt`, or by `definition`, a plan that need not be saved. Caps, recurring limits and exchange rates count as they stand; nothing of them is used up.',
  scope: 'plans:read',
  effects: [
    {
      operationId: 'listUpline',
      when: 'when it names a member, a customer or what leads to a member: the answer has the upline',
      has: ({ body }) => body.buyerUserId != null || body.customerExternalId != null || body.attribution != null,
    },
    {
      operationId: 'listAttributions',
      when: 'when it names a customer: the answer has the referrer',
      has: ({ body }) => body.customerExternalId != null,
    },
  ],
  writesNothing: 'It prices a purchase that is not made',
  body: z
    .strictObject({
      definition: planDefinition.nullish().meta({ description: 'A definition to try out; default the plans in force' }),
      type: purchaseType.nullish().meta({ description: 'Type of the sale; default `one_time`' }),
      occurredAt: instant.nullish().meta({ description: 'When the sale would take place; default now' }),
      amountMinor: amountMinor.meta({ description: 'Total paid, after discount, with tax and shipping' }),
      currency,
      taxMinor: amountMinor.nullish().meta({ description: 'Tax within the amount, minor units' }),
      shippingMinor: amountMinor.nullish().meta({ description: 'Shipping within the amount, minor units' }),
      customerExternalId: text(255)
        .nullish()
        .meta({ description: 'Whose caps, limits, email and first referrer count; default a new customer' }),
      groups: z
        .record(uuid, groupKey)
        .refine((groups) => Object.keys(groups).length <= 100, 'must name at most 100 members')
        .meta({ override: { type: 'object', maxProperties: 100, additionalProperties: { type: 'string', pattern: GROUP_KEY } } })
        .nullish()
        .meta({ description: 'Groups that members are taken to be in, by their ids; default those of the time of the sale' }),
      buyerUserId: uuid.nullish().meta({ description: 'The member who buys' }),
      attribution: z
        .strictObject({
          userId: uuid.nullish().meta({ description: 'The member' }),
          referralCode: text(64).nullish().meta({ description: 'Code to buy by' }),
          linkId: uuid.nullish().meta({ description: 'Link to buy by' }),
          clickId: text(255).nullish().meta({ description: 'Click to buy by' }),
          leadId: uuid.nullish().meta({ description: 'Lead to buy by' }),
        })
        .nullish(),
      metadata: z.record(z.string(), z.unknown()).nullish().meta({ description: 'Fields of the sale that rules ask for' }),
      facts: assumedFacts.nullish().meta({ description: 'What facts that rules ask for are taken to be' }),
      discountCode: text(64).nullish().meta({ description: 'Code of the discount, that rules ask for' }),
      customerCountry: countryCode.nullish().meta({ description: 'Country of the customer, that rules ask for' }),
      lineItems: z
        .array(
          z.strictObject({
            sku: text(100),
            category: text(100).nullish(),
            quantity: z.int().min(1).max(1_000_000).nullish().meta({ description: 'Pieces; default 1' }),
            amountMinor,
          }),
        )
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
      planChoice: z
        .object({
          group: z
            .string()
            .nullable()
            .meta({ description: 'Group of the credited member at the sale; null: nobody is credited' }),
          passedOver: z
            .array(
              z.object({
                planId: uuid.meta({ description: 'A plan that covers the sale too' }),
                versionId: uuid.meta({ description: 'Its version in force' }),
                reason: passedOver,
                message: z.string().meta({ description: 'The same in words' }),
              }),
            )
            .meta({ description: 'Plans that cover the sale too, and do not pay it' }),
        })
        .nullable()
        .meta({ description: 'Where a plan in force names groups: why the others do not pay' }),
      status: eventStatus,
      attribution: z.object({ userId: uuid.nullable(), rule: attributionRule }).meta({ description: 'Who is credited, and why' }),
      baseMinor: amountMinorOut,
      breakageMinor: amountMinorOut,
      commissions: z.array(
        z.object({
          userId: uuid.meta({ description: 'The member' }),
          level: z.int().meta({ description: 'Level above the sale: 1 is the credited member' }),
          paidLevel: z.int().meta({ description: 'Level that the plan pays, after compression' }),
          rateBps: z.int().meta({ description: 'Rate in basis points: 1000 is 10 %; 0 of a flat sum' }),
          flatMinor: amountMinorOut.nullable(),
          multiplierMilli: z.int().meta({ description: "Multiplier of the member's tier in thousandths" }),
          amountMinor: amountMinorOut.meta({ description: 'Minor units' }),
          currency,
          sourceAmountMinor: amountMinorOut.nullable(),
          sourceCurrency: currency.nullable(),
          cappedMinor: amountMinorOut,
          cap: z.string().nullable().meta({ description: 'Name of the cap that cut it; null: none' }),
          holdCause: holdCause.nullable().meta({ description: 'Why it would be held' }),
          clearsAt: timestamp.meta({ description: 'When the holding time ends' }),
          chosen: rateChoice.optional(),
          rateParts: z
            .array(quotedPart)
            .optional()
            .meta({ description: 'Of a commission that goes by parts of the sale: what each is paid by' }),
        }),
      ),
      outcomes: z.array(
        z.object({
          userId: uuid.meta({ description: 'The member' }),
          level: z.int().meta({ description: 'Level above the sale: 1 is the credited member' }),
          outcome: z.enum(['paid', 'not_paid']).meta({ description: '`paid` or `not_paid`' }),
          reason: z.string().nullable().meta({ description: 'Why not; null: paid' }),
          message: z.string().nullable().meta({ description: 'The same in words; null: paid' }),
        }),
      ),
      block: z.string().nullable().meta({ description: 'Why the purchase would pay nobody' }),
      walkEnd: z.object({ reason: z.string(), message: z.string() }).meta({ description: 'Why the walk up the tree ended' }),
    })
    .meta({ id: 'Quote' }),
  errors: [eventsErrors.EXCHANGE_RATE_MISSING],
});
