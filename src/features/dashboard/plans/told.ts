/** What is wrong with a draft, each beside the field that it is about. Pure functions. */
import type { FieldFault } from '../../../errors.ts';
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PlanDefinition } from '../../commissions/open/plan-definition.ts';
import type { lintCommissionPlan } from '../../commissions/plans-operations.ts';
import { tierNames } from './plan-cells.ts';

export type Findings = AnswerOf<typeof lintCommissionPlan>;
type Problem = Findings['problems'][number];

export interface Told {
  /** The field or the section; undefined of what stands on top. */
  cell: string | undefined;
  tone: 'bad' | 'waiting';
  text: string;
  /** It is about the sample sale, and keeps no draft from being published. */
  isOfSale: boolean;
}

/** `names` are those of all fields, then of all sections. */
export function toldOf(
  faults: readonly FieldFault[],
  findings: Findings | undefined,
  names: readonly string[],
  from: PlanDefinition,
): Told[] {
  const { problems = [], warnings = [] } = findings ?? {};
  const at = (path: string, text: string, tone: Told['tone']): Told => {
    const cell = cellOf(path, names, from);
    const shown = cell === undefined && path !== '' && path !== 'json' ? `${path}: ${text}` : text;
    return { cell, tone, text: shown, isOfSale: path.startsWith('sale.') };
  };
  return eachOnce([
    ...faults.map(({ field, message }) => at(field, message, 'bad')),
    ...problems.map((problem) => at(problem.path, wordsOf(problem), 'bad')),
    ...warnings.map((problem) => at(problem.path, wordsOf(problem), 'waiting')),
  ]);
}

/** The save, the check and the quote may refuse the same. */
function eachOnce(all: readonly Told[]): Told[] {
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

/** The field of the path, else the first field of what the path names, else the closest field or section around it. */
function cellOf(path: string, names: readonly string[], from: PlanDefinition): string | undefined {
  const wanted = pathInForm(path, from);
  if (names.includes(wanted)) return wanted;
  const inside = names.find((name) => isBelow(name, wanted));
  const around = names.filter((name) => isBelow(wanted, name)).toSorted((a, b) => b.length - a.length);
  return inside ?? around[0];
}

const isBelow = (path: string, above: string): boolean => path.startsWith(`${above}.`) || path.startsWith(`${above}[`);

/** The form has a row for each tier, and one field for what a level pays. */
function pathInForm(path: string, from: PlanDefinition): string {
  const tiers = tierNames(from);
  const tier = tiers.findIndex((name) => path === `tierRules.${name}` || path.startsWith(`tierRules.${name}.`));
  if (tier >= 0) return `tiers[${tier}]${path.slice(`tierRules.${tiers[tier] ?? ''}`.length)}`;
  if (path === 'tierRules') return 'tiers';
  if (path.startsWith('overrides') && from.overrides === null) return 'overrides';
  return path.replace(/^(levels\[\d+\])\.(?:rateBps|flatMinor|ladder)\b.*$/, '$1.pays');
}

/** With a sale that shows it, where there is one. */
export function wordsOf({ message, witness }: Problem): string {
  const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  if (!witness) return text;
  const facts = witness.facts.map(({ fact, value }) => `${fact} ${value === null ? 'is absent' : `= ${value}`}`);
  const all = [`level ${witness.level}`, ...(witness.currency === null ? [] : [`in ${witness.currency}`]), ...facts];
  return `${text} For example: ${all.join(', ')}.`;
}
