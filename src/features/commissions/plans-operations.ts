/** The public contract of the Commission plans group: docs/specification/commissions.md#the-plan. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { camelPaging, pageQuery } from '../../http/pagination.ts';
import { instant, namedActor, text, timestamp, turningPoint, uuid } from '../../http/schemas.ts';
import { pendingChangesErrors } from '../pending-changes/open/pending-changes-errors.ts';
import { whenHeldBack } from '../pending-changes/open/when-held-back.ts';
import { commissionsErrors } from './open/commissions-errors.ts';
import { planDefinition } from './open/plan-definition.ts';

const planParams = z.strictObject({ planId: uuid });

const planVersion = z
  .object({
    id: uuid.meta({ description: 'The version' }),
    version: z.int().meta({ description: 'Counts from 1 in each plan' }),
    effectiveFrom: timestamp.nullable().meta({ description: 'First sale it is for; null for all before the next version' }),
    effectiveTo: timestamp.nullable().meta({ description: 'First sale it is no longer for' }),
    publishedAt: timestamp.meta({ description: 'When it was published' }),
    createdBy: namedActor.nullable().meta({ description: 'Who published it; null of those from before this was kept' }),
    definition: planDefinition.meta({ description: 'The plan itself' }),
  })
  .meta({ id: 'PlanVersion' });

const witness = z
  .object({
    facts: z
      .array(
        z.object({
          fact: z.string().meta({ description: 'What a rule asks for' }),
          value: z.union([z.string(), z.int()]).nullable().meta({ description: 'Its value; null: it is absent' }),
        }),
      )
      .meta({ description: 'What the rules in question ask for' }),
    currency: z.string().nullable().meta({ description: 'Currency of the sale; null: any' }),
    level: z.int().meta({ description: 'Paid level' }),
  })
  .meta({ id: 'PlanWitness', description: 'A sale, and who would be paid for it, that show what a problem says' });

const planProblem = z
  .object({
    rule: z.string().meta({ description: 'What is wrong, as `RULE_UNREACHABLE`' }),
    severity: z.enum(['error', 'warning']).meta({
      id: 'PlanProblemSeverity',
      description: '`error`: the draft cannot be published; `warning`: it can all the same',
    }),
    path: z.string().meta({ description: 'Where in the definition, as `rules[2].when`' }),
    message: z.string().meta({ description: 'The same in words' }),
    witness: witness.optional(),
  })
  .meta({ id: 'PlanProblem' });

const found = {
  problems: z.array(planProblem).meta({ description: 'Why the draft cannot be published; empty when it can' }),
  warnings: z.array(planProblem).meta({ description: 'What the draft leaves to the service: it can be published all the same' }),
};

const commissionPlan = z
  .object({
    id: uuid.meta({ description: 'The plan' }),
    name: z.string().meta({ description: 'Name of the plan' }),
    draft: planDefinition.nullable().meta({ description: 'What would be published now' }),
    ...found,
    versions: z.array(planVersion).meta({ description: 'Newest first; a published version never changes' }),
    createdAt: timestamp.meta({ description: 'When it was made' }),
    updatedAt: timestamp.meta({ description: 'When it last changed' }),
  })
  .meta({ id: 'CommissionPlan' });

const definition = planDefinition.meta({ description: 'The draft' });
const expectedUpdatedAt = instant
  .optional()
  .meta({ description: '`updatedAt` as it was read; 409 `PLAN_CHANGED` when name or draft were changed since' });

export const createCommissionPlan = defineOperation({
  method: 'post',
  path: '/api/v1/commission-plans',
  operationId: 'createCommissionPlan',
  group: 'Commission plans',
  summary: 'Create a plan as a draft',
  description: 'A draft may have `problems`; it pays nothing until it is published.',
  scope: 'plans:write',
  hands: 'neutral',
  body: z.strictObject({ name: text(200), definition }),
  success: [{ status: 201, meaning: 'Created; `Location` names it' }],
  response: commissionPlan,
  errors: [],
});

export const listCommissionPlans = defineOperation({
  method: 'get',
  path: '/api/v1/commission-plans',
  operationId: 'listCommissionPlans',
  group: 'Commission plans',
  summary: 'List plans, oldest first',
  scope: 'plans:read',
  query: z.strictObject(pageQuery),
  success: [{ status: 200, meaning: 'One page' }],
  response: z.object({
    data: z.array(
      z.object({
        id: uuid.meta({ description: 'The plan' }),
        name: z.string().meta({ description: 'Name of the plan' }),
        hasDraft: z.boolean().meta({ description: 'Whether a draft waits to be published' }),
        latestVersion: z.int().nullable().meta({ description: 'Null when never published' }),
        covers: z
          .array(
            z.object({
              version: z.int().meta({ description: 'Number of the version' }),
              effectiveFrom: timestamp
                .nullable()
                .meta({ description: 'First sale it is for; null for all before the next version' }),
              effectiveTo: timestamp.nullable().meta({ description: 'First sale it is no longer for' }),
              scope: planDefinition.shape.scope.meta({ description: 'Which sales it is for' }),
            }),
          )
          .meta({ description: 'Versions that pay sales of now or later, the next first' }),
        createdAt: timestamp.meta({ description: 'When it was made' }),
        updatedAt: timestamp.meta({ description: 'When it last changed' }),
      }),
    ),
    ...camelPaging,
  }),
  errors: [],
});

export const getCommissionPlan = defineOperation({
  method: 'get',
  path: '/api/v1/commission-plans/{planId}',
  operationId: 'getCommissionPlan',
  group: 'Commission plans',
  summary: 'A plan with its draft, what is wrong with it, and its published versions',
  scope: 'plans:read',
  params: planParams,
  success: [{ status: 200, meaning: 'The plan' }],
  response: commissionPlan,
  errors: ['NOT_FOUND'],
});

export const lintCommissionPlan = defineOperation({
  method: 'post',
  path: '/api/v1/commission-plans/lint',
  operationId: 'lintCommissionPlan',
  group: 'Commission plans',
  summary: 'What is wrong with a definition, with nothing stored',
  description: 'What a draft of it would show, found by the same rules within the same limits.',
  scope: 'plans:read',
  writesNothing: 'It judges a definition that is not saved',
  body: z
    .strictObject({ definition, planId: uuid.nullish().meta({ description: 'Plan whose draft it is; default a new one' }) })
    .meta({ id: 'LintCommissionPlanInput' }),
  success: [{ status: 200, meaning: 'What was found' }],
  response: z.object(found).meta({ id: 'PlanFindings' }),
  errors: ['NOT_FOUND'],
});

export const updateCommissionPlan = defineOperation({
  method: 'patch',
  path: '/api/v1/commission-plans/{planId}',
  operationId: 'updateCommissionPlan',
  group: 'Commission plans',
  summary: 'Change the name or the draft',
  description: 'A definition replaces the whole draft. Published versions stay as they are.',
  scope: 'plans:write',
  hands: 'neutral',
  params: planParams,
  body: z
    .strictObject({ name: text(200).optional(), definition: definition.optional(), expectedUpdatedAt })
    .refine((body) => body.name !== undefined || body.definition !== undefined, 'must set name or definition')
    .meta({ example: { name: 'Spring plan' } }),
  success: [{ status: 200, meaning: 'The plan as it is now' }],
  response: commissionPlan,
  errors: ['NOT_FOUND', commissionsErrors.PLAN_CHANGED],
});

export const deleteCommissionPlan = defineOperation({
  method: 'delete',
  path: '/api/v1/commission-plans/{planId}',
  operationId: 'deleteCommissionPlan',
  group: 'Commission plans',
  summary: 'Delete a plan that was never published',
  scope: 'plans:write',
  hands: 'neutral',
  params: planParams,
  success: [{ status: 200, meaning: 'Gone' }],
  response: z.object({ id: uuid, deleted: z.literal(true) }),
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});

export const publishCommissionPlan = defineOperation({
  method: 'post',
  path: '/api/v1/commission-plans/{planId}/publish',
  operationId: 'publishCommissionPlan',
  group: 'Commission plans',
  summary: 'Publish the draft as a new version',
  description:
    'Sales from `effectiveFrom` on are paid by it, never earlier ones: a sale keeps the version that was in force when it took place. Of several plans that cover a sale the highest `scope.priority` wins.\n\nWith the setting `commissions.planPublishSecondPair`, in LIVE with `payments.dualControl` on, the request waits and answers 202, until another pair of hands confirms it. The draft that was asked for is the one that is published: a change of it meanwhile makes the confirmation 409.',
  scope: 'plans:write',
  stepUp: 'in LIVE',
  hands: 'by value',
  params: planParams,
  body: z
    .strictObject({
      effectiveFrom: turningPoint.nullish().meta({ description: 'Default now, and never before it' }),
      effectiveTo: turningPoint.nullish().meta({ description: 'Default never' }),
      expectedUpdatedAt,
      expectedVersion: z
        .int()
        .min(1)
        .optional()
        .meta({ description: 'Number that the version is to have; 409 `PLAN_CHANGED` when it would have another' }),
    })
    .meta({ example: { effectiveFrom: '2027-01-01T00:00:00Z' } }),
  success: [{ status: 201, meaning: 'Published' }, whenHeldBack],
  response: planVersion,
  errors: [
    'NOT_FOUND',
    'STATE_CONFLICT',
    commissionsErrors.PLAN_CHANGED,
    commissionsErrors.PLAN_INVALID,
    pendingChangesErrors.CHANGE_PENDING,
  ],
});
