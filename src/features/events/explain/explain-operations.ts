/** The public contract of explanations: docs/specification/events.md#explain. */

import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { amountMinorOut, currency, membershipTier, minorSumOut, timestamp, uuid } from '../../../http/schemas.ts';
import { attributionModel, attributionRule, candidates } from '../../attribution/open/candidate-schemas.ts';
import { holdCause, lineKind, lineStatus } from '../../commissions/open/line-schemas.ts';
import { agreedTarget, overridePay } from '../../rates/open/override-schemas.ts';
import { memberStanding } from '../../users/open/member-resource.ts';
import { attribution, eventKind, eventStatus, signedMinorOut } from '../event-schemas.ts';
import { purchaseType } from '../open/purchase-body.ts';
import { passedOver, rateChoice, ratePart } from '../open/rate-schemas.ts';

const fraction = z
  .object({ numerator: z.string(), denominator: z.string() })
  .meta({ id: 'Fraction', description: 'Exact, before rounding; integers as text' });

const explainedOverride = z
  .object({
    id: uuid.meta({ description: 'Of the rate override' }),
    target: agreedTarget,
    level: z.int().meta({ description: 'Paid level that it is for' }),
    for_plan: z.boolean().meta({ description: 'Whether it is for this plan alone' }),
    pay: overridePay,
    parts: z
      .array(z.int())
      .optional()
      .meta({ description: 'Of one that names products: the parts of the sale with them, numbered from 0' }),
  })
  .meta({ id: 'ExplainedOverride' });

const share = z
  .object({
    commission_id: uuid.nullable().meta({ description: 'Null when the share came to nothing' }),
    paid_level: z.int().meta({ description: 'Level that the plan pays, after compression' }),
    rate_bps: z.int().meta({ description: 'Rate in basis points: 1000 is 10 %; 0 of a flat sum' }),
    flat_minor: amountMinorOut.nullable(),
    multiplier_milli: z.int().meta({ description: "Multiplier of the member's tier in thousandths" }),
    exact: fraction.meta({ description: 'Amount before it was rounded, as a fraction' }),
    rounded_minor: amountMinorOut,
    after_ceiling_minor: amountMinorOut,
    capped_minor: amountMinorOut,
    cap: z.string().nullable().meta({ description: 'Name of the cap that cut it; null: none' }),
    source_amount_minor: amountMinorOut.meta({ description: 'Payable, in the currency of the purchase' }),
    amount_minor: amountMinorOut.meta({ description: 'Payable, in `currency`' }),
    currency,
    exchange_rate_id: uuid.nullable().meta({ description: 'Rate that it was converted by; null: not converted' }),
    nothing_because: z.string().nullable().meta({ description: 'Why it comes to nothing; null: it does not' }),
    clears_at: timestamp.nullable().meta({ description: 'When the holding time ends' }),
    status: lineStatus.nullable().meta({ description: 'Now' }),
    hold: z.object({ cause: holdCause, message: z.string() }).nullable().meta({ description: 'Why it is held now' }),
    net_minor: signedMinorOut.meta({ description: 'What is left of it now, after reversals' }),
    chosen: rateChoice.optional(),
    rate_parts: z
      .array(ratePart)
      .optional()
      .meta({ description: 'Of a share that goes by parts of the sale: what each is paid by' }),
  })
  .meta({ id: 'ExplainedShare' });

export const explanation = z
  .object({
    event_id: uuid.meta({ description: 'The event' }),
    external_event_id: z.string().meta({ description: "The event's id in the tenant's system" }),
    kind: eventKind,
    status: eventStatus,
    occurred_at: timestamp.meta({ description: 'When it took place' }),
    recorded_at: timestamp.meta({ description: 'When the service recorded it' }),
    amount_minor: amountMinorOut.meta({ description: 'Minor units' }),
    currency,
    attribution: attribution.extend({ rule: attributionRule.nullable() }).meta({ description: 'Who is credited, and why' }),
    credit: z
      .object({
        model: attributionModel.meta({ description: 'How purchases are attributed' }),
        window_days: z.int().meta({ description: 'Days back that clicks count' }),
        as_of: timestamp.meta({ description: 'What the window is counted back from' }),
        candidates,
      })
      .nullable()
      .meta({ description: 'Of a purchase with a receipt: whom it could be credited to' }),
    plan: z
      .object({
        plan_id: uuid,
        version_id: uuid,
        version: z.int(),
        effective_from: timestamp.nullable().meta({ description: 'Null: since always' }),
        definition: z.record(z.string(), z.unknown()).meta({ description: 'As published, defaults filled in' }),
      })
      .nullable(),
    plan_choice: z
      .object({
        group: z.string().nullable().meta({ description: 'Group of the credited member at the sale; null: nobody is credited' }),
        passed_over: z
          .array(
            z.object({
              plan_id: uuid.meta({ description: 'A plan that covers the sale too' }),
              version_id: uuid.meta({ description: 'Its version in force at the sale' }),
              name: z.string().meta({ description: 'Name of the plan now' }),
              reason: passedOver,
              message: z.string().meta({ description: 'The same in words' }),
            }),
          )
          .meta({ description: 'Plans that cover the sale too, and do not pay it' }),
      })
      .nullable()
      .meta({ description: 'Where a plan in force named groups: why the others do not pay' }),
    inputs: z
      .object({
        type: purchaseType.or(z.string()),
        base_minor: amountMinorOut,
        amount_minor: amountMinorOut.meta({ description: 'Minor units' }),
        tax_minor: amountMinorOut,
        shipping_minor: amountMinorOut,
        line_items: z
          .array(z.object({ sku: z.string(), category: z.string().nullable(), amount_minor: amountMinorOut }))
          .nullable(),
        buyer_user_id: uuid.nullable().meta({ description: 'The member who bought; null: nobody of the tree' }),
        upline: z.array(
          z.object({
            user_id: uuid.meta({ description: 'The member' }),
            level: z.int().meta({ description: 'Level above the sale: 1 is the credited member' }),
            tier: membershipTier.meta({ description: 'Tier at the sale' }),
            is_active: z.boolean().meta({ description: 'Whether the member is active' }),
            standing: memberStanding.optional().meta({ description: 'Standing at the sale; absent of an approved member' }),
            is_test_user: z.boolean().optional().meta({ description: 'True of a test member; absent of others' }),
            pay_currency: currency.nullable(),
            kyc_approved: z.boolean().nullable(),
            ...minorSumOut('personal_sales_minor'),
            active_directs: z.int().nullable(),
            group: z.string().optional().meta({ description: 'Group at the sale, where a rule asks for it' }),
            age_days: z.int().optional().meta({
              description: 'Local days since the member joined, where a rule asks for it; absent of a sale from before',
            }),
            sales: z
              .object({
                amount_minor: z.string().meta({ description: 'Gross less refunds; an integer as text' }),
                count: z.int().meta({ description: 'Purchases' }),
              })
              .optional()
              .meta({ description: 'In the local month before the sale, without own purchases; where a rule asks for it' }),
            ladder_sums: z
              .record(z.string(), z.string())
              .optional()
              .meta({ description: 'What the member had sold before the sale, by ladder; integers as text' }),
            overrides: z
              .array(explainedOverride)
              .optional()
              .meta({ description: 'What was agreed and may count for the sale, the latest first; absent: nothing' }),
          }),
        ),
        facts: z
          .array(
            z.object({
              fact: z.string().meta({ description: 'What rules ask for' }),
              value: z.string().meta({ description: 'As of the sale; integers as text' }),
            }),
          )
          .optional()
          .meta({
            description:
              'Of a plan with rules: what they ask for of the sale, the customer and the credited member; absent: not there',
          }),
        parts: z
          .array(
            z.object({
              sku: z.string().nullable().meta({ description: 'Article number; null: unknown, or erased' }),
              category: z.string().nullable().meta({ description: 'Category; null: none, or erased' }),
              base_minor: amountMinorOut.meta({ description: 'What of the base is of this part' }),
              quantity: z.int().meta({ description: 'Pieces' }),
            }),
          )
          .optional()
          .meta({ description: 'Where products are asked for: line items of one product each, with their part of the base' }),
        verdicts: z
          .array(
            z.object({
              test: z.record(z.string(), z.unknown()).meta({ description: 'As the plan has it' }),
              holds: z.boolean().meta({ description: 'Whether it held, of a test of products for one part at least' }),
              parts: z
                .array(z.int())
                .optional()
                .meta({ description: 'Of a test of products: the parts that it held for, numbered from 0' }),
            }),
          )
          .optional()
          .meta({
            description:
              'Of a plan with rules: its tests of what is not kept of a sale, each once, in the order written: `sale.metadata`, `sale.discountCode` and `customer.country`, then those of products',
          }),
        block: z.string().nullable().meta({ description: 'Why the event pays nobody' }),
        member_rooms: z.array(z.object({ user_id: uuid, ...minorSumOut('room_minor') })),
        ...minorSumOut('customer_room_minor'),
        rates: z.array(z.object({ id: uuid, target_currency: currency, numerator: amountMinorOut, denominator: amountMinorOut })),
      })
      .nullable()
      .meta({ description: 'Of a purchase: what was read as of the sale, when it was recorded' }),
    outcomes: z
      .array(
        z.object({
          user_id: uuid.meta({ description: 'The member' }),
          level: z.int().meta({ description: 'Level above the sale: 1 is the credited member' }),
          outcome: z.enum(['paid', 'not_paid']).meta({ description: '`paid` or `not_paid`' }),
          reason: z.string().nullable().meta({ description: 'Why, as whoever did it wrote; null: not given' }),
          message: z.string().nullable().meta({ description: 'In words' }),
          shares: z.array(share),
        }),
      )
      .meta({ description: 'Exactly one for every member that was considered, level 1 first' }),
    breakage_minor: signedMinorOut,
    walk_end: z.object({ reason: z.string(), message: z.string() }).nullable(),
    reversal: z
      .object({
        purchase_minor: amountMinorOut,
        refunded_before_minor: amountMinorOut,
        refunded_after_minor: amountMinorOut,
        lines: z.array(
          z.object({
            commission_id: uuid.meta({ description: 'The commission line' }),
            amount_minor: signedMinorOut.meta({ description: 'Minor units' }),
            exact: fraction.meta({ description: 'Amount before it was rounded, as a fraction' }),
            reversed_in_all_minor: signedMinorOut,
            reversed_before_minor: signedMinorOut,
            posted_minor: signedMinorOut,
          }),
        ),
        moved_commission_ids: z.array(uuid).meta({ description: 'Lines that it moved' }),
        forgiven: z
          .array(
            z.object({
              commission_id: uuid.meta({ description: 'The commission line' }),
              user_id: uuid.meta({ description: 'The member' }),
              currency,
              clawed_back_minor: amountMinorOut,
              ...minorSumOut('balance_before_minor'),
              floor_minor: amountMinorOut.nullable().meta({ description: 'Null: the plan lets nobody owe anything' }),
              amount_minor: amountMinorOut.meta({ description: 'Minor units' }),
            }),
          )
          .meta({ description: 'Clawbacks that the company bears, wholly or in part, by the plan of the sale' }),
        recovered: z
          .array(
            z.object({
              commission_id: uuid.meta({ description: 'The commission line' }),
              user_id: uuid.meta({ description: 'The member' }),
              currency,
              reinstated_minor: amountMinorOut,
              ...minorSumOut('forgiven_before_minor'),
              amount_minor: amountMinorOut.meta({ description: 'Minor units' }),
            }),
          )
          .meta({ description: 'What was forgiven before, taken back of what is reinstated' }),
      })
      .nullable()
      .meta({ description: 'Of a refund or chargeback' }),
    period: z.record(z.string(), z.unknown()).nullable().meta({ description: 'Of a period: what its top-ups come from' }),
    commissions: z.array(
      z.object({
        id: uuid.meta({ description: 'Id' }),
        event_id: uuid.meta({ description: 'The event' }),
        external_event_id: z.string().meta({ description: "The event's id in the tenant's system" }),
        kind: lineKind,
        status: lineStatus,
        amount_minor: signedMinorOut.meta({ description: 'Minor units' }),
        hold_cause: holdCause.nullable().meta({ description: 'Why it is held; null: it is not' }),
        reverses_commission_id: uuid.nullable().meta({ description: 'The line that it takes back; null: none' }),
        about_event_id: uuid.nullable().meta({ description: 'The purchase that it tops up; null: none' }),
        cleared_by_journal_id: uuid.nullable().meta({ description: 'The journal that cleared it; null: not cleared' }),
      }),
    ),
    journal: z
      .object({
        id: uuid.meta({ description: 'Id' }),
        recorded_at: timestamp.meta({ description: 'When the service recorded it' }),
        postings: z.array(
          z.object({ seq: z.int(), account: z.string(), user_id: uuid.nullable(), currency, amount_minor: signedMinorOut }),
        ),
      })
      .nullable(),
    recomputed: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether evaluating the inputs again gives the stored amounts; null for other than a purchase' }),
  })
  .meta({ id: 'EventExplanation' });

export type ExplainAnswer = z.input<typeof explanation>;

export const explainEvent = defineOperation({
  method: 'get',
  path: '/api/v1/events/{event_id}/explain',
  operationId: 'explainEvent',
  group: 'Events',
  summary: 'Why an event paid whom how much, and everybody else not',
  description:
    'The document stands on its own: from `plan.definition` and `inputs` alone every amount can be recomputed. `walk_end` says why nobody further up was considered.',
  scope: 'events:read',
  params: z.strictObject({ event_id: uuid }),
  success: [{ status: 200, meaning: 'The explanation' }],
  response: explanation,
  errors: ['NOT_FOUND'],
});
