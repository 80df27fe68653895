/** What was agreed with a member, as answers and requests name it: docs/specification/rates.md#overrides. */
import { z } from 'zod';
import { AGREED_TARGETS } from '../../commissions/open/agreed-rates.ts';
import { rulePay } from '../../commissions/open/plan-rules.ts';

export const agreedTarget = z.enum(AGREED_TARGETS).meta({
  id: 'OverrideTarget',
  description: '`link`, `code`: sales that it brought; `member`: sales that the member is paid for',
});

export const overridePay = rulePay;
