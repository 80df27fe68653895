/**
 * The plan model: what a published plan version says. Source: commissions.md (Plan model).
 * Modes this service does not calculate yet are not in the schema, so no plan can ask for them.
 */
import { z } from 'zod';
import { membershipTier } from '../../http/schemas.ts';

const levels = z
  .array(z.strictObject({ level: z.int().min(1).max(50), rateBps: z.int().min(0).max(10_000) }))
  .min(1)
  .max(50)
  .refine((list) => list.every((entry, index) => entry.level === index + 1), 'levels must run 1, 2, 3, … without gaps');

export const planDefinition = z.strictObject({
  mode: z.literal('unilevel'),
  base: z.enum(['gross', 'net_of_tax', 'net_of_tax_shipping']),
  levels,
  tierRules: z.record(
    membershipTier,
    z.strictObject({ multiplierMilli: z.int().min(0).max(100_000), maxDepth: z.int().min(0).max(50) }),
  ),
  compression: z.enum(['none', 'roll_up', 'compress']),
  personalPurchase: z.enum(['none', 'self_rebate', 'sponsor_first']),
  holding: z.strictObject({ days: z.int().min(0).max(365) }),
});

export type PlanDefinition = z.output<typeof planDefinition>;

/** The plan of a new tenant. Source: commissions.md (Defaults of a new tenant). */
export const DEFAULT_PLAN: PlanDefinition = {
  mode: 'unilevel',
  base: 'net_of_tax_shipping',
  levels: [
    { level: 1, rateBps: 1000 },
    { level: 2, rateBps: 500 },
    { level: 3, rateBps: 300 },
    { level: 4, rateBps: 200 },
    { level: 5, rateBps: 100 },
  ],
  tierRules: {
    ORDINARY: { multiplierMilli: 1000, maxDepth: 1 },
    SENIOR: { multiplierMilli: 1000, maxDepth: 3 },
    MANAGER: { multiplierMilli: 1000, maxDepth: 5 },
    DIRECTOR: { multiplierMilli: 1000, maxDepth: 10 },
  },
  compression: 'compress',
  personalPurchase: 'sponsor_first',
  holding: { days: 30 },
};
