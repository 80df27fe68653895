/** Schemas that the operations of the Events group share: docs/specification/events.md. */
import { z } from 'zod';
import { amountMinorOut, currencyOut, namedActor, timestamp, uuid } from '../../http/schemas.ts';
import { toJsonInteger } from '../../money.ts';
import { attributionRule } from '../attribution/open/candidate-schemas.ts';
import { PASSED_OVER } from '../commissions/open/choose-plan.ts';
import { RATE_PASSED, RATE_SOURCES, type RateChoice } from '../commissions/open/choose-rate.ts';
import { lineKind, lineStatus, paySource } from '../commissions/open/line-schemas.ts';
import type { RatePart } from '../commissions/open/pay-parts.ts';
import { EVENT_KINDS, MANUAL_TYPES, STAGES } from './event-kinds.ts';
import { RATE_WHY } from './open/explain-reasons.ts';
import { PURCHASE_TYPES } from './open/purchase-body.ts';

export const eventKind = z.enum(EVENT_KINDS).meta({
  id: 'EventKind',
  description: '`purchase`; `refund`, `chargeback`: take a purchase back; `commission`: granted by hand',
});

export const passedOver = z.enum(PASSED_OVER).meta({
  id: 'PlanPassedOver',
  description:
    '`GROUP_NOT_NAMED`: it does not name the group of the credited member; `PRIORITY`: it has a lower one; `OLDER`: it has the same, and was published earlier',
});

const rateSource = z.enum(RATE_SOURCES).meta({
  id: 'RateSource',
  description:
    '`final_rule`, `rule`: a rule of the plan; `link`, `code`, `member`: what was agreed for it; `level`: the rate or sum of the level, or of the tier in a differential plan',
});

const ratePassed = z.enum(RATE_PASSED).meta({
  id: 'RatePassedOver',
  description:
    '`LEVEL_NOT_NAMED`: it is not for this level; `FALSE`: its condition does not hold; `NO_OVERRIDE`: nothing was agreed; `PRODUCT_NOT_NAMED`: it names other products; `SUM_NOT_ALLOWED`, `CURRENCY_NOT_NAMED`: the plan lets no such sum count, or it names none in the currency; `OUTRANKED`: it is asked later',
});

const sourceId = z
  .string()
  .nullable()
  .meta({ description: 'Id of the rule in the plan, or of what was agreed; null: the level, or nothing was agreed' });

export const rateChoiceFields = {
  source: rateSource,
  id: sourceId,
  cut: z
    .object({
      reason: z.literal('CUT_TO_PLAN_MAXIMUM').meta({ description: 'The plan lets no more count' }),
      from: z.int().meta({ description: 'What was agreed: basis points, or minor units' }),
    })
    .optional()
    .meta({ description: 'Of what was agreed and is more than the plan lets count' }),
  considered: z
    .array(
      z.object({
        source: rateSource,
        id: sourceId,
        reason: ratePassed,
        at: z.string().nullable().meta({ description: 'Part of the condition that decides it, as `when.all[1]`; null: none' }),
        message: z.string().meta({ description: 'The same in words' }),
      }),
    )
    .meta({ description: 'The other sources, in the order in which they are asked' }),
};

/** What the rate of a share is of, and why nothing else pays it. */
export const rateChoice = z.object(rateChoiceFields).meta({
  id: 'RateChoice',
  description: 'Of a plan with more than levels: what the rate is of, and why nothing else pays. Absent where it goes by parts',
});

/** The same of one part of the sale. */
export const ratePart = z
  .object({
    part: z.int().meta({ description: 'Number of the part in `inputs.parts`, from 0' }),
    base_minor: amountMinorOut.meta({ description: 'What of the base is of this part' }),
    rate_bps: z.int().meta({ description: 'Rate in basis points: 1000 is 10 %; 0 of a flat sum' }),
    flat_minor: amountMinorOut.nullable().meta({ description: 'For all pieces, or for the sale; null: a rate' }),
    units: z.int().nullable().meta({ description: 'Pieces that the flat sum is for; null: one for the sale, or a rate' }),
    multiplier_milli: z.int().meta({ description: 'Multiplier in thousandths: 1000 of what was agreed' }),
    ...rateChoiceFields,
  })
  .meta({ id: 'RatePart' });

export function rateChoiceBody({ source, id, cut, considered }: RateChoice): z.input<typeof rateChoice> {
  return {
    source,
    id,
    ...(cut && { cut: { reason: 'CUT_TO_PLAN_MAXIMUM' as const, from: cut.from } }),
    considered: considered.map(({ why, ...one }) => ({
      source: one.source,
      id: one.id,
      reason: why,
      at: one.at,
      message: RATE_WHY[why],
    })),
  };
}

export function ratePartBody(part: RatePart): z.input<typeof ratePart> {
  return {
    part: part.part,
    base_minor: toJsonInteger(part.baseMinor),
    rate_bps: part.rateBps,
    flat_minor: part.flatMinor === null ? null : toJsonInteger(part.flatMinor),
    units: part.units,
    multiplier_milli: part.multiplierMilli,
    ...rateChoiceBody(part.choice),
  };
}

export const eventType = z.enum([...PURCHASE_TYPES, ...MANUAL_TYPES]).meta({
  id: 'EventType',
  description:
    'Of a purchase `one_time`, `subscription_initial` or `subscription_renewal`; of a manual commission `bonus`, `adjustment`, `correction` or `write_off`',
});

export const eventStatus = z.enum(['accepted', 'unattributed', 'held']).meta({
  id: 'EventStatus',
  description:
    '`accepted`; `unattributed`: nobody to credit, nothing was paid; `held`: a commission was held when it was recorded',
});

export const manualType = z.enum(MANUAL_TYPES).meta({
  id: 'ManualCommissionType',
  description:
    '`bonus`: for something else than a sale; `adjustment`, `correction`: changes what was paid; `write_off`: lets a member off what it owes',
});

export const reversalKind = z
  .enum(['refund', 'chargeback'])
  .meta({ id: 'ReversalKind', description: '`refund`: the shop gives back; `chargeback`: the customer disputes the payment' });

export const disputeStage = z.enum(STAGES).meta({
  id: 'DisputeStage',
  description: '`opened`: the lines of the purchase are held; `won`: they are released; `lost`: they are taken back',
});

/** A signed amount of minor units in an answer. */
export const signedMinorOut = z.int().meta({ description: 'Minor units; negative for what takes back' });

export const attribution = z
  .object({
    user_id: uuid.nullable().meta({ description: 'The member credited as level 1' }),
    rule: attributionRule,
    receipt_id: uuid
      .nullable()
      .meta({ description: 'Who was considered, and why each won or lost; null for events before receipts' }),
  })
  .meta({ id: 'Attribution' });

export const eventCommission = z
  .object({
    id: uuid.meta({ description: 'Id' }),
    user_id: uuid.meta({ description: 'The member' }),
    kind: lineKind,
    level: z.int().meta({ description: 'Real distance from the sale; 1 is the attributed member, 0 is no sale' }),
    paid_level: z.int().meta({ description: 'Plan level paid; below `level` when somebody in between did not qualify' }),
    rate_bps: z.int().meta({ description: 'Hundredths of a per cent' }),
    flat_minor: amountMinorOut.nullable().meta({ description: 'The fixed amount of a level that has one in place of a rate' }),
    multiplier_milli: z.int().meta({ description: 'Tier multiplier in thousandths' }),
    base_minor: amountMinorOut,
    amount_minor: signedMinorOut.meta({ description: 'Minor units' }),
    currency: currencyOut,
    source_amount_minor: signedMinorOut.nullable().meta({ description: 'Before conversion; null when it was not converted' }),
    source_currency: currencyOut.nullable(),
    exchange_rate_id: uuid.nullable().meta({ description: 'Rate that it was converted by; null: not converted' }),
    capped_minor: amountMinorOut.meta({ description: 'What a cap took off, in the currency of the purchase' }),
    cap: z.string().nullable().meta({ description: 'member_period, customer_lifetime, or both joined by +' }),
    pay_source: paySource
      .nullable()
      .meta({ description: 'What the rate is of; null of plans that have but levels, and of lines that no sale made' }),
    status: lineStatus,
    clears_at: timestamp.meta({ description: 'When the holding time ends' }),
    reverses_commission_id: uuid.nullable().meta({ description: 'The line that this one takes back or reinstates' }),
  })
  .meta({ id: 'EventCommission' });

export type EventCommissionAnswer = z.input<typeof eventCommission>;

export const createdBy = namedActor
  .nullable()
  .meta({ description: 'Who recorded it; null of events recorded before this was kept' });
