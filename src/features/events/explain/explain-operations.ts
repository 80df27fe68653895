/** The public contract of explanations: docs/specification/events.md#explain. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { amountMinorOut, currency, membershipTier, minorSumOut, timestamp, uuid } from '../../../http/schemas.ts';
import { candidates } from '../../attribution/open/candidate-schemas.ts';
import { ATTRIBUTION_MODELS } from '../../attribution/open/decide-attribution.ts';
import { HOLD_CAUSES, LINE_KINDS, LINE_STATUSES } from '../../commissions/open/commission-line.ts';
import { ATTRIBUTION_RULES, EVENT_KINDS } from '../event-kinds.ts';
import { attribution, eventStatus, signedMinorOut } from '../event-schemas.ts';
import { purchaseType } from '../open/purchase-body.ts';

const fraction = z
  .object({ numerator: z.string(), denominator: z.string() })
  .meta({ id: 'Fraction', description: 'Exact, before rounding; integers as text' });

const share = z
  .object({
    commission_id: uuid.nullable().meta({ description: 'Null when the share came to nothing' }),
    paid_level: z.int(),
    rate_bps: z.int(),
    flat_minor: amountMinorOut.nullable(),
    multiplier_milli: z.int(),
    exact: fraction,
    rounded_minor: amountMinorOut,
    after_ceiling_minor: amountMinorOut,
    capped_minor: amountMinorOut,
    cap: z.string().nullable(),
    source_amount_minor: amountMinorOut.meta({ description: 'Payable, in the currency of the purchase' }),
    amount_minor: amountMinorOut.meta({ description: 'Payable, in `currency`' }),
    currency,
    exchange_rate_id: uuid.nullable(),
    nothing_because: z.string().nullable(),
    clears_at: timestamp.nullable(),
    status: z.enum(LINE_STATUSES).nullable().meta({ description: 'Now' }),
    hold: z
      .object({ cause: z.enum(HOLD_CAUSES), message: z.string() })
      .nullable()
      .meta({ description: 'Why it is held now' }),
    net_minor: signedMinorOut.meta({ description: 'What is left of it now, after reversals' }),
  })
  .meta({ id: 'ExplainedShare' });

export const explanation = z
  .object({
    event_id: uuid,
    external_event_id: z.string(),
    kind: z.enum(EVENT_KINDS),
    status: eventStatus,
    occurred_at: timestamp,
    recorded_at: timestamp,
    amount_minor: amountMinorOut,
    currency,
    attribution: attribution.extend({ rule: z.enum(ATTRIBUTION_RULES).nullable() }),
    credit: z
      .object({
        model: z.enum(ATTRIBUTION_MODELS),
        window_days: z.int(),
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
    inputs: z
      .object({
        type: purchaseType.or(z.string()),
        base_minor: amountMinorOut,
        amount_minor: amountMinorOut,
        tax_minor: amountMinorOut,
        shipping_minor: amountMinorOut,
        line_items: z
          .array(z.object({ sku: z.string(), category: z.string().nullable(), amount_minor: amountMinorOut }))
          .nullable(),
        buyer_user_id: uuid.nullable(),
        upline: z.array(
          z.object({
            user_id: uuid,
            level: z.int(),
            tier: membershipTier,
            is_active: z.boolean(),
            is_test_user: z.boolean().optional().meta({ description: 'True of a test member; absent of others' }),
            pay_currency: currency.nullable(),
            kyc_approved: z.boolean().nullable(),
            ...minorSumOut('personal_sales_minor'),
            active_directs: z.int().nullable(),
          }),
        ),
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
          user_id: uuid,
          level: z.int(),
          outcome: z.enum(['paid', 'not_paid']),
          reason: z.string().nullable(),
          message: z.string().nullable(),
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
            commission_id: uuid,
            amount_minor: signedMinorOut,
            exact: fraction,
            reversed_in_all_minor: signedMinorOut,
            reversed_before_minor: signedMinorOut,
            posted_minor: signedMinorOut,
          }),
        ),
        moved_commission_ids: z.array(uuid),
        forgiven: z
          .array(
            z.object({
              commission_id: uuid,
              user_id: uuid,
              currency,
              clawed_back_minor: amountMinorOut,
              ...minorSumOut('balance_before_minor'),
              floor_minor: amountMinorOut.nullable().meta({ description: 'Null: the plan lets nobody owe anything' }),
              amount_minor: amountMinorOut,
            }),
          )
          .meta({ description: 'Clawbacks that the company bears, wholly or in part, by the plan of the sale' }),
        recovered: z
          .array(
            z.object({
              commission_id: uuid,
              user_id: uuid,
              currency,
              reinstated_minor: amountMinorOut,
              ...minorSumOut('forgiven_before_minor'),
              amount_minor: amountMinorOut,
            }),
          )
          .meta({ description: 'What was forgiven before, taken back of what is reinstated' }),
      })
      .nullable()
      .meta({ description: 'Of a refund or chargeback' }),
    commissions: z.array(
      z.object({
        id: uuid,
        event_id: uuid,
        external_event_id: z.string(),
        kind: z.enum(LINE_KINDS),
        status: z.enum(LINE_STATUSES),
        amount_minor: signedMinorOut,
        hold_cause: z.enum(HOLD_CAUSES).nullable(),
        reverses_commission_id: uuid.nullable(),
        cleared_by_journal_id: uuid.nullable(),
      }),
    ),
    journal: z
      .object({
        id: uuid,
        recorded_at: timestamp,
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
