/** Which other plans cover the same sales, and which of two pays. Pure functions. Source: docs/specification/groups.md#choice. */
import type { PlanDefinition } from '../../commissions/open/plan-definition.ts';
import { quoted, quotedList } from '../../commissions/open/plan-words.ts';

export interface Rival {
  name: string;
  scope: PlanDefinition['scope'];
  /** When it begins, of a version that pays nothing yet. */
  from?: string;
}

/** One sentence for each version of another plan that may cover a sale that this one covers. */
export function rivalsInWords(own: PlanDefinition, rivals: readonly Rival[]): string[] {
  return rivals.flatMap(({ name, scope, from }) => {
    const [mine, other] = [own.scope, scope];
    const meets =
      meet(mine.types, other.types) && (mine.groups === null || other.groups === null || meet(mine.groups, other.groups));
    if (!meets) return [];
    const sentence = sentenceOf(mine, other, quoted(name));
    return [from === undefined ? sentence : `From ${from} on: ${sentence}`];
  });
}

type Scope = PlanDefinition['scope'];

/** Null is everything. */
const meet = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  one === null || other === null || one.some((text) => other.includes(text));

function sentenceOf(mine: Scope, other: Scope, name: string): string {
  const some = isOfProducts(mine) || isOfProducts(other) ? 'sales that both cover, by their articles,' : 'sales that both cover';
  if (mine.groups === null && other.groups !== null)
    return `${name} pays sales of members of ${quotedList(other.groups, 'or')}, ahead of this plan.`;
  if (mine.groups !== null && other.groups === null)
    return `This plan pays sales of members of ${quotedList(mine.groups, 'or')}, ahead of ${name}.`;
  if (other.priority > mine.priority)
    return `${name} pays ${some}: its priority is ${other.priority}, that of this plan ${mine.priority}.`;
  if (other.priority < mine.priority)
    return `This plan pays ${some}, ahead of ${name}: its priority is ${mine.priority}, that of the other ${other.priority}.`;
  return `${name} has the same priority, ${mine.priority}: of ${some} the version that begins later pays.`;
}

const isOfProducts = ({ skus, categories }: Scope): boolean => skus !== null || categories !== null;
