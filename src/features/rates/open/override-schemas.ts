/** What was agreed with a member, as answers and requests name it: docs/specification/rates.md#overrides. */
import { z } from 'zod';
import { text } from '../../../http/schemas.ts';
import { AGREED_TARGETS } from '../../commissions/open/agreed-rates.ts';
import { rulePay } from '../../commissions/open/plan-rules.ts';

export const agreedTarget = z.enum(AGREED_TARGETS).meta({
  id: 'OverrideTarget',
  description: '`link`, `code`: sales that it brought; `member`: sales that the member is paid for',
});

export const overridePay = rulePay;

const names = z.array(text(100)).min(1).max(100);

export const overrideItems = z
  .strictObject({
    skus: names.optional().meta({ description: 'Article numbers' }),
    categories: names.optional().meta({ description: 'Categories' }),
  })
  .refine(({ skus, categories }) => skus !== undefined || categories !== undefined, 'must name skus or categories')
  .meta({ id: 'OverrideItems', description: 'Products by article number or category; either will do' });

export const overrideItemsOut = z.object({
  skus: z.array(z.string()).optional().meta({ description: 'Article numbers' }),
  categories: z.array(z.string()).optional().meta({ description: 'Categories' }),
});

export const RATE_WARNINGS = ['NO_PLAN_LETS_IT_COUNT', 'CUT_TO_PLAN_MAXIMUM'] as const;

export const rateWarning = z
  .object({
    code: z.enum(RATE_WARNINGS).meta({
      description:
        '`NO_PLAN_LETS_IT_COUNT`: for this level, plan or kind of pay no plan in force does; `CUT_TO_PLAN_MAXIMUM`: a plan lets less count',
    }),
    message: z.string().meta({ description: 'In words' }),
  })
  .meta({ id: 'RateWarning' });
