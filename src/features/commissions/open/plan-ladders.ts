/**
 * Ladders of a plan: rates that rise with what a member has sold in a period. The schema holds the shape.
 * Source: docs/specification/rates.md#ladders.
 */
import { z } from 'zod';
import { byCurrency } from '../../../http/schemas.ts';
import { MAX_AMOUNT_MINOR } from '../../../money.ts';

export const LADDER_KEY = '^[a-z0-9-]{1,40}$';

const minor = z.int().min(0).max(Number(MAX_AMOUNT_MINOR));

/** Names a ladder of the plan. */
export const ladderKey = z
  .string()
  .regex(new RegExp(LADDER_KEY), 'must have 1 to 40 characters: small letters, digits and hyphens')
  .meta({ description: 'Id of a ladder of the plan', override: { type: 'string', pattern: LADDER_KEY } });

const step = z.strictObject({
  from: z
    .union([minor, byCurrency(minor)])
    .meta({ description: 'From so many sales, or from this sum of them by currency; the first step from 0' }),
  rateBps: z.int().min(0).max(10_000).meta({ description: 'Hundredths of a per cent of the base' }),
});

const ladder = z
  .strictObject({
    id: ladderKey,
    measure: z
      .enum(['base', 'amount', 'sales'])
      .meta({ description: '`base`: what commissions were calculated on; `amount`: what was paid; `sales`: how many' }),
    ownPurchases: z.boolean().default(false).meta({ description: "Whether the member's own purchases count" }),
    period: z
      .enum(['month', 'quarter', 'year', 'lifetime'])
      .meta({ description: "`month`, `quarter`, `year` of the sale in the tenant's zone; `lifetime`: all sales before it" }),
    settle: z.enum(['next_sale', 'whole_period']).default('next_sale').meta({
      description: '`next_sale`: a step pays from the next sale on; `whole_period`: afterwards all sales of the period',
    }),
    settleAfterDays: z
      .int()
      .min(1)
      .max(60)
      .default(10)
      .meta({ description: 'Days from the end of a period until it is settled' }),
    steps: z.array(step).min(2).max(20).meta({ description: 'Rising; the last one that the sum has reached pays' }),
  })
  .superRefine(({ measure, steps }, context) => {
    for (const [index, { from }] of steps.entries()) {
      if ((typeof from === 'number') === (measure === 'sales')) continue;
      const message = measure === 'sales' ? 'must be a number of sales' : 'must name sums by currency';
      context.addIssue({ code: 'custom', path: ['steps', index, 'from'], message });
    }
  });

export type Ladder = z.output<typeof ladder>;

export const planLadders = z
  .array(ladder)
  .max(5)
  .superRefine((ladders, context) => {
    for (const [index, { id }] of ladders.entries()) {
      if (ladders.findIndex((other) => other.id === id) === index) continue;
      context.addIssue({ code: 'custom', path: [index, 'id'], message: 'is the id of another ladder of the plan' });
    }
  });

/** Where a step begins; undefined in a currency that it lacks. */
export function startOf({ from }: Ladder['steps'][number], currency: string): number | undefined {
  return typeof from === 'number' ? from : from[currency];
}

/** The ladders that top up what they paid once the period is over. */
export function settledLadders(ladders: readonly Ladder[]): Ladder[] {
  return ladders.filter(({ settle }) => settle === 'whole_period');
}

/** Index of the last step that a sum has reached. Below nothing, and in a currency that no step names, it is the first. */
export function stepAt({ steps }: Pick<Ladder, 'steps'>, sum: bigint, currency: string): number {
  return steps.reduce((reached, one, index) => {
    const start = startOf(one, currency);
    return start !== undefined && BigInt(start) <= (sum > 0n ? sum : 0n) ? index : reached;
  }, 0);
}
