/** Which plan and which source of a rate pays, and why others do not, as answers show it: docs/specification/rates.md#explained. */
import { z } from 'zod';
import { amountMinorOut } from '../../../http/schemas.ts';
import { toJsonInteger } from '../../../money.ts';
import { PASSED_OVER } from '../../commissions/open/choose-plan.ts';
import { RATE_PASSED, RATE_SOURCES, type RateChoice } from '../../commissions/open/choose-rate.ts';
import type { RatePart } from '../../commissions/open/pay-parts.ts';
import { RATE_WHY } from './explain-reasons.ts';

export const passedOver = z.enum(PASSED_OVER).meta({
  id: 'PlanPassedOver',
  description:
    '`GROUP_NOT_NAMED`: it does not name the group of the credited member; `PRIORITY`: it has a lower one; `OLDER`: it has the same, and was published earlier',
});

export const rateSource = z.enum(RATE_SOURCES).meta({
  id: 'RateSource',
  description:
    '`final_rule`, `rule`: a rule of the plan; `link`, `code`, `member`: what was agreed for it; `ladder`: the ladder of the level; `level`: its rate or sum, or of the tier in a differential plan',
});

const ratePassed = z.enum(RATE_PASSED).meta({
  id: 'RatePassedOver',
  description:
    '`LEVEL_NOT_NAMED`: it is not for this level; `FALSE`: its condition does not hold; `NO_OVERRIDE`: nothing was agreed; `PRODUCT_NOT_NAMED`: it names other products; `SUM_NOT_ALLOWED`, `CURRENCY_NOT_NAMED`: the plan lets no such sum count, or it names none in the currency; `OUTRANKED`: it is asked later',
});

const sourceId = z
  .string()
  .nullable()
  .meta({ description: 'Id of the rule or ladder in the plan, or of what was agreed; null: the level, or nothing was agreed' });

export const rateChoiceFields = {
  source: rateSource,
  id: sourceId,
  cut: z
    .object({
      reason: z.literal('CUT_TO_PLAN_MAXIMUM').meta({ description: 'The plan lets no more count' }),
      from: z.int().meta({ description: 'What was agreed: basis points, or minor units' }),
    })
    .meta({ id: 'RateCut' })
    .optional()
    .meta({ description: 'Of what was agreed and is more than the plan lets count' }),
  ladder: z
    .object({
      id: z.string().meta({ description: 'Id of the ladder in the plan' }),
      step: z.int().meta({ description: 'Number of the step that pays, from 0' }),
      sum: z
        .string()
        .nullable()
        .meta({ description: 'What the member had sold before the sale, as text; null of a level that nobody takes' }),
    })
    .meta({ id: 'LadderStep' })
    .optional()
    .meta({ description: 'Where a ladder pays: which step of it, and why' }),
  considered: z
    .array(
      z
        .object({
          source: rateSource,
          id: sourceId,
          reason: ratePassed,
          at: z.string().nullable().meta({ description: 'Part of the condition that decides it, as `when.all[1]`; null: none' }),
          message: z.string().meta({ description: 'The same in words' }),
        })
        .meta({ id: 'RateConsidered' }),
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

export function rateChoiceBody({ source, id, cut, ladder, considered }: RateChoice): z.input<typeof rateChoice> {
  return {
    source,
    id,
    ...(cut && { cut: { reason: 'CUT_TO_PLAN_MAXIMUM' as const, from: cut.from } }),
    ...(ladder && { ladder: { id: ladder.id, step: ladder.step, sum: ladder.sum?.toString() ?? null } }),
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
