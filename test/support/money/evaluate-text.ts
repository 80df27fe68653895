/** Evaluations written as text: an upline is `O S m`, a line `m1 L1:1000`, an outcome `m2 INACTIVE`. */
import { expect } from 'vitest';
import { type Evaluation, type EvaluationInput, evaluatePlan } from '../../../src/features/commissions/open/evaluate-plan.ts';
import { DEFAULT_PLAN, type PlanDefinition } from '../../../src/features/commissions/open/plan-definition.ts';
import type { UplineMember } from '../../../src/features/commissions/open/walk-upline.ts';
import type { MembershipTier } from '../../../src/http/schemas.ts';

const TIERS: Record<string, MembershipTier> = { O: 'ORDINARY', S: 'SENIOR', M: 'MANAGER', D: 'DIRECTOR' };

/** `O S m`: an upline from level 1 up, m1, m2, …; a small letter is inactive. */
export function people(text: string): UplineMember[] {
  return text
    .replaceAll(' ', '')
    .split('')
    .map((letter, index) => ({
      id: `m${index + 1}`,
      tier: TIERS[letter.toUpperCase()] ?? 'ORDINARY',
      isActive: letter === letter.toUpperCase(),
    }));
}

export type SaleOptions = { base?: bigint } & Partial<Omit<EvaluationInput, 'plan' | 'baseMinor'>>;

/** A sale of 10000 (USD 100.00) unless the options say otherwise, by the default plan with `plan` put over it. */
export function evaluate(
  plan: Partial<PlanDefinition>,
  upline: string,
  { base = 10_000n, ...options }: SaleOptions = {},
): Evaluation {
  return evaluatePlan({
    plan: { ...DEFAULT_PLAN, ...plan },
    baseMinor: base,
    currency: 'USD',
    upline: people(upline),
    buyerId: undefined,
    ...options,
  });
}

/** `m1 L1:1000`: who, the plan level paid, the amount; each to whom it belongs. */
export function paid(plan: Partial<PlanDefinition>, upline: string, options: SaleOptions = {}): string[] {
  return evaluate(plan, upline, options).lines.map((line) => {
    expect(line.beneficiaryId).toBe(`m${line.level}`);
    return `${line.beneficiaryId} L${line.paidLevel}:${line.amountMinor}`;
  });
}

/** `m1 paid`, `m2 INACTIVE`, in ascending level. */
export function outcomesOf({ outcomes }: Evaluation): string[] {
  return outcomes.map(({ memberId, notPaid }) => `${memberId} ${notPaid ?? 'paid'}`);
}
