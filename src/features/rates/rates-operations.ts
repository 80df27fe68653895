/** The public contract of rates that are agreed with members: docs/specification/rates.md#overrides. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { camelListOf, pageQuery } from '../../http/pagination.ts';
import {
  currency,
  currencyOut,
  instant,
  membershipTier,
  minorSumOut,
  namedActor,
  text,
  timestamp,
  uuid,
} from '../../http/schemas.ts';
import { passedOver, rateSource } from '../events/open/rate-schemas.ts';
import { pendingChangesErrors } from '../pending-changes/open/pending-changes-errors.ts';
import { whenHeldBack } from '../pending-changes/open/when-held-back.ts';
import { overrideBody } from './open/override-body.ts';
import { agreedTarget, overrideItemsOut, overridePay, rateWarning } from './open/override-schemas.ts';

const resource = {
  id: uuid.meta({ description: 'Of the override' }),
  target: agreedTarget,
  targetId: uuid.meta({ description: 'The link, the code or the member' }),
  userId: uuid.meta({ description: 'Whom it was agreed with: the member, or the owner of the link or code' }),
  planId: uuid.nullable().meta({ description: 'The plan that it is for; null: whichever plan pays' }),
  level: z.int().meta({ description: 'Paid level that it is for' }),
  items: overrideItemsOut.nullable().meta({ description: 'Products that it is for; null: all' }),
  pay: overridePay,
  validFrom: timestamp.meta({ description: 'From when it counts' }),
  validTo: timestamp
    .nullable()
    .meta({ description: 'Until when: it was ended, or replaced by a later one for the same; null: without end' }),
  recordedAt: timestamp.meta({ description: 'When the service recorded it' }),
  reason: z.string().nullable().meta({ description: 'Why, as whoever did it wrote; null: not given' }),
  createdBy: namedActor.meta({ description: 'Who agreed it' }),
};

const rateOverride = z.object(resource).meta({ id: 'RateOverride' });

const weakens =
  'A rate or sum that is higher than what counts, or new, waits in LIVE with `payments.dualControl` on: 202, until another pair of hands confirms it.';

export const createRateOverride = defineOperation({
  method: 'post',
  path: '/api/v1/rate-overrides',
  operationId: 'createRateOverride',
  group: 'Rates',
  summary: 'Agree a rate with a member, for a link or for a code',
  description: `For sales dated from \`validFrom\` on that are recorded from now on, in place of one for the same target, plan, level and products. \`overrides\` of the plan says how far it counts.\n\n${weakens}`,
  scope: 'rates:write',
  hands: 'by value',
  body: overrideBody,
  success: [{ status: 201, meaning: 'Agreed; `Location` names it' }, whenHeldBack],
  response: rateOverride.and(
    z.object({
      warnings: z
        .array(rateWarning)
        .meta({ description: 'Where it does not count, or not in full, by the plans in force at its start' }),
    }),
  ),
  errors: [pendingChangesErrors.CHANGE_PENDING],
});

export const listRateOverrides = defineOperation({
  method: 'get',
  path: '/api/v1/rate-overrides',
  operationId: 'listRateOverrides',
  group: 'Rates',
  summary: 'List what was agreed, oldest first',
  scope: 'rates:read',
  query: z.strictObject({
    userId: uuid.optional().meta({ description: 'Agreed with this member' }),
    target: agreedTarget.optional().meta({ description: 'For links, for codes or for members' }),
    targetId: uuid.optional().meta({ description: 'For this link, code or member' }),
    planId: uuid.optional().meta({ description: 'For this plan alone' }),
    at: instant.optional().meta({ description: 'Those that count at this instant' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(rateOverride),
  errors: [],
});

const params = z.strictObject({ overrideId: uuid.meta({ description: 'The override' }) });

export const getRateOverride = defineOperation({
  method: 'get',
  path: '/api/v1/rate-overrides/{overrideId}',
  operationId: 'getRateOverride',
  group: 'Rates',
  summary: 'Read what was agreed',
  scope: 'rates:read',
  params,
  success: [{ status: 200, meaning: 'The override' }],
  response: rateOverride,
  errors: ['NOT_FOUND'],
});

export const endRateOverride = defineOperation({
  method: 'post',
  path: '/api/v1/rate-overrides/{overrideId}/end',
  operationId: 'endRateOverride',
  group: 'Rates',
  summary: 'End what was agreed',
  description:
    'Sales dated from `at` on are paid by the plan again; earlier ones keep it, whenever they are recorded. Nothing that is paid already changes. 409 when it does not count at that time: it was ended before, or replaced.',
  scope: 'rates:write',
  hands: 'neutral',
  params,
  body: z
    .strictObject({
      at: instant.nullish().meta({ description: 'From when it does not count any more; default now' }),
      reason: text(500).nullish().meta({ description: 'Why' }),
    })
    .meta({ example: { reason: 'The campaign is over' } }),
  success: [{ status: 200, meaning: 'The override, with its end' }],
  response: rateOverride,
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});

const insteadPay = z.object({
  source: rateSource,
  id: z.string().meta({ description: 'Id of the rule in the plan, or of the override' }),
  pay: overridePay,
  when: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'Condition of the rule; null: the link, the code or the products decide, or the caller is a member' }),
});

const memberLevel = z
  .object({
    level: z.int().meta({ description: 'Paid level; 1 for the own rate in a differential plan' }),
    source: rateSource,
    id: z.string().nullable().meta({ description: 'Id of the rule or of the override; null: the level' }),
    pay: overridePay.meta({ description: 'What is paid now where nothing in `insteadOn` comes first' }),
    multiplierMilli: z.int().meta({ description: 'Multiplier in thousandths: of the tier, 1000 of an override' }),
    cutFrom: z.int().optional().meta({ description: 'Of an override that is more than the plan lets count: what was agreed' }),
    ladder: z
      .object({
        id: z.string().meta({ description: 'Id of the ladder in the plan' }),
        measure: z.string().meta({ description: '`base` or `amount`, in minor units; `sales`: their number' }),
        period: z.string().meta({ description: '`month`, `quarter`, `year` or `lifetime`' }),
        ...minorSumOut('sum', 'What the member has sold in the period so far'),
        step: z.int().meta({ description: 'Number of the step that pays, from 0' }),
        next: z
          .object({
            from: z.int().meta({ description: 'Where the next step begins' }),
            rateBps: z.int().meta({ description: 'What it pays' }),
            ...minorSumOut('missing', 'What is missing to it'),
          })
          .nullable()
          .meta({ description: 'Null on the last step' }),
      })
      .optional()
      .meta({ description: 'Where a ladder pays: where the member stands on it' }),
    insteadOn: z.array(insteadPay).meta({ description: 'What comes first on some sales, in the order in which it is asked' }),
  })
  .meta({ id: 'MemberLevelRate' });

export const getMemberRates = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/rates',
  operationId: 'getMemberRates',
  group: 'Rates',
  summary: 'What a member earns: the plan, why that plan, and each level with its source',
  description:
    'By the plan that pays a one-time sale of no product in particular, or by another one in force. A bearer token does not see other plans and conditions.',
  scope: 'rates:read',
  member: 'self',
  params: z.strictObject({ userId: uuid }),
  query: z.strictObject({
    at: instant.optional().meta({ description: 'Default now' }),
    planId: uuid.optional().meta({ description: 'By this plan; default the one that pays' }),
    currency: currency.optional().meta({ description: 'Of the sales: sums are named by currency. Default that of the tenant' }),
  }),
  success: [{ status: 200, meaning: 'The rates' }],
  response: z
    .object({
      userId: uuid.meta({ description: 'The member' }),
      at: timestamp.meta({ description: 'When' }),
      currency: currencyOut,
      group: z.string().meta({ description: 'Group of the member then' }),
      tier: membershipTier.meta({ description: 'Tier of the member then' }),
      ageDays: z.int().nullable().meta({ description: 'Local days since it joined; null: before it' }),
      plan: z
        .object({
          planId: uuid.meta({ description: 'The plan' }),
          versionId: uuid.meta({ description: 'Its version in force' }),
          version: z.int().meta({ description: 'Number of the version' }),
          name: z.string().meta({ description: 'Name of the plan' }),
          mode: z.string().meta({ description: '`unilevel` or `differential`' }),
        })
        .nullable()
        .meta({ description: 'The plan that pays; null: none covers such a sale' }),
      passedOver: z
        .array(
          z.object({
            planId: uuid.meta({ description: 'A plan in force too' }),
            versionId: uuid.meta({ description: 'Its version in force' }),
            name: z.string().meta({ description: 'Name of the plan' }),
            reason: passedOver,
          }),
        )
        .meta({ description: 'Plans that cover the same sale and do not pay it' }),
      levels: z.array(memberLevel).meta({ description: 'Levels that the tier of the member is paid' }),
    })
    .meta({ id: 'MemberRates' }),
  errors: ['USER_NOT_FOUND'],
});
