/** What ladders of a plan may not ask for although they are well formed. Pure functions. Source: docs/specification/rates.md#linter. */
import type { PlanDefinition } from './open/plan-definition.ts';
import { type Ladder, startOf } from './open/plan-ladders.ts';

export type LadderLint =
  | 'LADDER_UNKNOWN'
  | 'LADDER_UNUSED'
  | 'LADDER_STEPS_NOT_RISING'
  | 'LADDER_FALLS'
  | 'LADDER_LIFETIME_SETTLED'
  | 'LADDER_SETTLED_WITH_CAP'
  | 'LADDER_SETTLED_DIFFERENTIAL'
  | 'LADDER_STEP_PAYS_NOTHING'
  | 'CURRENCY_MISSING';

interface LadderProblem {
  rule: LadderLint;
  path: string;
  message: string;
}

/** Errors. */
export function lintLadders(plan: PlanDefinition): LadderProblem[] {
  const { mode, levels, rules, ladders } = plan;
  const uses = [
    // Levels of a differential plan are a problem of their own.
    ...(mode === 'differential' ? [] : levels.map(({ ladder }, index) => ({ ladder, path: `levels[${index}].ladder` }))),
    ...rules.map(({ pay }, index) => ({ ladder: pay.ladder, path: `rules[${index}].pay.ladder` })),
  ];
  const known = new Set(ladders.map(({ id }) => id));
  return [
    ...uses.flatMap(({ ladder, path }) =>
      ladder === undefined || known.has(ladder) ? [] : [problem('LADDER_UNKNOWN', path, `the plan has no ladder ${ladder}`)],
    ),
    ...ladders.flatMap(({ id }, index) =>
      uses.some(({ ladder }) => ladder === id)
        ? []
        : [problem('LADDER_UNUSED', `ladders[${index}]`, 'no level and no rule pays it')],
    ),
    ...ladders.flatMap((ladder, index) => lintSteps(ladder, `ladders[${index}].steps`)),
    ...ladders.flatMap((ladder, index) =>
      ladder.settle === 'whole_period' ? lintSettled(plan, ladder, `ladders[${index}]`) : [],
    ),
  ];
}

/** What cannot be topped up once the period is over. */
function lintSettled({ mode, caps }: PlanDefinition, { period, steps }: Ladder, path: string): LadderProblem[] {
  const isCapped = caps.perMemberPeriodMinor !== null || caps.perCustomerLifetimeMinor !== null;
  const empty = steps.findIndex(({ rateBps }) => rateBps === 0);
  return [
    ...(period === 'lifetime'
      ? [problem('LADDER_LIFETIME_SETTLED', `${path}.period`, 'a lifetime has no end at which it could be settled')]
      : []),
    ...(isCapped
      ? [
          problem(
            'LADDER_SETTLED_WITH_CAP',
            `${path}.settle`,
            'caps of members and customers have no place for top-ups: what was left of them has gone to later sales',
          ),
        ]
      : []),
    ...(mode === 'differential'
      ? [
          problem(
            'LADDER_SETTLED_DIFFERENTIAL',
            `${path}.settle`,
            'in a differential plan a higher rate of one member lessens what those above it were paid',
          ),
        ]
      : []),
    ...(empty === -1
      ? []
      : [
          problem(
            'LADDER_STEP_PAYS_NOTHING',
            `${path}.steps[${empty}].rateBps`,
            'must pay something: a sale that paid nothing has no commission that could be topped up',
          ),
        ]),
  ];
}

/** In each currency the first step begins at 0, and each that follows higher than the one before. */
function lintSteps(ladder: Ladder, path: string): LadderProblem[] {
  return currenciesOf(ladder).flatMap((currency) => {
    const starts = ladder.steps.map((step) => startOf(step, currency));
    const at = starts.findIndex((start, index) => {
      const before = starts.slice(0, index).findLast((one) => one !== undefined);
      if (start === undefined) return index === 0;
      return before === undefined ? start !== 0 : start <= before;
    });
    if (at === -1) return [];
    const where = currency === '' ? '' : ` in ${currency}`;
    const message = at === 0 ? `the first step must begin at 0${where}` : `must begin higher than the step before${where}`;
    return [problem('LADDER_STEPS_NOT_RISING', `${path}[${at}].from`, message)];
  });
}

/** What may be published with all the same. */
export function warnOfLadders({ ladders }: PlanDefinition): LadderProblem[] {
  return ladders.flatMap((ladder, index) => {
    const { steps } = ladder;
    const falls = steps.findIndex(({ rateBps }, step) => rateBps < (steps[step - 1]?.rateBps ?? 0));
    const named = currenciesOf(ladder);
    const lacking = steps.findIndex((step) => named.some((currency) => startOf(step, currency) === undefined));
    const path = `ladders[${index}].steps`;
    return [
      ...(falls === -1 ? [] : [problem('LADDER_FALLS', `${path}[${falls}].rateBps`, 'who sells more is paid less from here on')]),
      ...(lacking === -1
        ? []
        : [
            problem(
              'CURRENCY_MISSING',
              `${path}[${lacking}].from`,
              'names no sum in a currency of other steps: it is never reached there',
            ),
          ]),
    ];
  });
}

/** The empty name stands for numbers of sales. */
function currenciesOf({ steps }: Ladder): string[] {
  return [...new Set(steps.flatMap(({ from }) => (typeof from === 'number' ? [''] : Object.keys(from))))];
}

const problem = (rule: LadderLint, path: string, message: string): LadderProblem => ({ rule, path, message });
